// Version numbers as projects give them: steps of every size, pre-releases before a final one, backports after it.
import type { Random } from './random.ts';

export type Step = 'major' | 'minor' | 'patch' | 'pre' | 'backport' | 'none';

export interface Version {
  number: string;
  step: Step;
  isPrerelease: boolean;
  // The number before a backport; that of the last release in all other cases.
  previous?: string;
}

interface VersionWalk {
  // Any kind of step, pre-releases and backports included.
  next(): Version;
  // A final release of the current line.
  stable(): Version;
  patch(): Version;
}

// How pre-releases are spelled: `-beta.1`, `b1`, or `-next.0` as in monorepos.
export type Spelling = 'semver' | 'python' | 'next';

type Numbers = readonly [major: number, minor: number, patch: number];

export function createVersionWalk(random: Random, start: string, spelling: Spelling): VersionWalk {
  const [major = 1, minor = 0, patch = 0] = start.split('.').map(Number);
  let current: Numbers = [major, minor, patch];
  let isFirst = true;
  let sinceMajor = 0;
  let maintained: Numbers | null = null;
  // Pre-releases still to come before the final release they announce.
  let cycle: { target: Numbers; step: Step; stages: string[] } | null = null;

  const final = (numbers: Numbers, step: Step): Version => {
    current = numbers;
    sinceMajor = step === 'major' ? 0 : sinceMajor + 1;
    cycle = null;
    return { number: numbers.join('.'), step, isPrerelease: false };
  };
  const advance = ({ target, step, stages }: NonNullable<typeof cycle>): Version => {
    const stage = stages.shift();
    if (stage === undefined) return final(target, step);
    return { number: target.join('.') + stage, step: 'pre', isPrerelease: true };
  };
  const drawStep = () =>
    random.weighted<Step>([
      ['patch', 56],
      ['minor', 34],
      ['major', sinceMajor > 16 && (current[0] > 0 || current[1] > 20) ? 5 : 0],
    ]);
  const stable = (): Version => {
    const step = isFirst ? 'none' : drawStep();
    isFirst = false;
    return final(step === 'none' ? current : bump(current, step), step);
  };

  return {
    stable,
    next: () => {
      if (cycle) return advance(cycle);
      if (isFirst) return stable();
      if (maintained && random.chance(sinceMajor < 20 ? 0.12 : 0.03)) {
        const previous = maintained.join('.');
        maintained = bump(maintained, 'patch');
        return { number: maintained.join('.'), step: 'backport', isPrerelease: false, previous };
      }
      const step = drawStep();
      const target = bump(current, step);
      if (step !== 'major' && !(step === 'minor' && random.chance(0.22))) return final(target, step);
      if (step === 'major') maintained = current;
      cycle = { target, step, stages: stagesFor(random, step, spelling) };
      return advance(cycle);
    },
    patch: () => {
      // A follower of a push never leaves its own pre-release: it goes on inside it.
      if (cycle) return advance(cycle);
      isFirst = false;
      return final(bump(current, 'patch'), 'patch');
    },
  };
}

// App versions as people read them: 4.2, 4.2.1, 4.3.
export function walkShort(random: Random, start: string, count: number): Version[] {
  const [major = 1, minor = 0] = start.split('.').map(Number);
  let current: Numbers = [major, minor, 0];
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return { number: start, step: 'none', isPrerelease: false };
    const step = random.weighted<Step>([
      ['minor', 60],
      ['patch', 37],
      ['major', current[1] > 5 ? 3 : 0],
    ]);
    current = bump(current, step);
    return { number: current.join('.').replace(/\.0$/, ''), step, isPrerelease: false };
  });
}

function bump([major, minor, patch]: Numbers, step: Step): Numbers {
  if (step === 'major') return [major + 1, 0, 0];
  return step === 'minor' ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function stagesFor(random: Random, step: Step, spelling: Spelling): string[] {
  const stages = (label: string, count: number, first = 1) =>
    Array.from({ length: count }, (_, index) => `${label}${first + index}`);
  if (spelling === 'next') return stages('-next.', random.int(1, 4), 0);
  const [beta, candidate] = spelling === 'python' ? ['b', 'rc'] : ['-beta.', '-rc.'];
  return [...stages(beta, step === 'major' ? random.int(1, 3) : 0), ...stages(candidate, random.int(1, 2))];
}
