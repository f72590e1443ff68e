import type { Random } from './random.ts';

export type Step = 'major' | 'minor' | 'patch' | 'pre' | 'backport' | 'none';
export type Version = {
  number: string;
  step: Step;
  isPrerelease: boolean;
  // The number before a backport; that of the last release in all other cases.
  previous?: string;
};

export type VersionWalk = {
  // Any kind of step, pre-releases and backports included.
  next(): Version;
  // A final release of the current line.
  stable(): Version;
  patch(): Version;
};

// How pre-releases are spelled: `-beta.1`, `b1`, or `-next.0` as in monorepos.
export type Spelling = 'semver' | 'python' | 'next';

type Numbers = { major: number; minor: number; patch: number };

export function createVersionWalk(random: Random, start: string, spelling: Spelling): VersionWalk {
  const [major = 1, minor = 0, patch = 0] = start.split('.').map(Number);
  let current: Numbers = { major, minor, patch };
  let isFirst = true;
  let sinceMajor = 0;
  let maintained: Numbers | null = null;
  // Pre-releases still to come before the final release they announce.
  let cycle: { target: Numbers; step: Step; stages: string[] } | null = null;

  const final = (numbers: Numbers, step: Step): Version => {
    current = numbers;
    sinceMajor = step === 'major' ? 0 : sinceMajor + 1;
    return { number: format(numbers), step, isPrerelease: false };
  };

  const open = (target: Numbers, step: Step): Version => {
    if (step === 'major') maintained = current;
    cycle = { target, step, stages: stagesFor(random, step, spelling) };
    return advance();
  };

  const advance = (): Version => {
    if (!cycle) throw new Error('no pre-release is open');
    const stage = cycle.stages.shift();
    const { target, step } = cycle;
    if (stage === undefined) {
      cycle = null;
      return final(target, step);
    }
    return { number: format(target) + stage, step: 'pre', isPrerelease: true };
  };

  const stable = (): Version => {
    if (isFirst) {
      isFirst = false;
      return final(current, 'none');
    }
    const isYoung = current.major === 0;
    const step = random.weighted<Step>([
      ['patch', 56],
      ['minor', 34],
      ['major', sinceMajor > 14 && (!isYoung || current.minor > 20) ? 6 : 0],
    ]);
    if (step === 'major') maintained = current;
    return final(bump(current, step), step);
  };

  return {
    stable,
    next: () => {
      if (cycle) return advance();
      if (isFirst) return stable();
      if (maintained && random.chance(sinceMajor < 20 ? 0.12 : 0.03)) {
        const previous = format(maintained);
        maintained = bump(maintained, 'patch');
        return { number: format(maintained), step: 'backport', isPrerelease: false, previous };
      }
      const version = random.weighted<Step>([
        ['patch', 55],
        ['minor', 34],
        ['major', sinceMajor > 18 && (current.major > 0 || current.minor > 20) ? 5 : 0],
      ]);
      const target = bump(current, version);
      if (version === 'major' || (version === 'minor' && random.chance(0.22))) return open(target, version);
      return final(target, version);
    },
    patch: () => {
      // A follower of a push never leaves its own pre-release: it goes on inside it.
      if (cycle) return advance();
      isFirst = false;
      return final(bump(current, 'patch'), 'patch');
    },
  };
}

// App versions as people read them: 4.2, 4.2.1, 4.3.
export function walkShort(random: Random, start: string, count: number): Version[] {
  const [major = 1, minor = 0] = start.split('.').map(Number);
  let current: Numbers = { major, minor, patch: 0 };
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return { number: start, step: 'none', isPrerelease: false };
    const step = random.weighted<Step>([
      ['minor', 60],
      ['patch', 37],
      ['major', current.minor > 5 ? 3 : 0],
    ]);
    current = bump(current, step);
    const { major, minor, patch } = current;
    return { number: patch > 0 ? `${major}.${minor}.${patch}` : `${major}.${minor}`, step, isPrerelease: false };
  });
}

function bump({ major, minor, patch }: Numbers, step: Step): Numbers {
  if (step === 'major') return { major: major + 1, minor: 0, patch: 0 };
  if (step === 'minor') return { major, minor: minor + 1, patch: 0 };
  return { major, minor, patch: patch + 1 };
}

function format({ major, minor, patch }: Numbers): string {
  return `${major}.${minor}.${patch}`;
}

function stagesFor(random: Random, step: Step, spelling: Spelling): string[] {
  const several = (label: string, count: number) => Array.from({ length: count }, (_, i) => `${label}${i + 1}`);
  if (spelling === 'next') return Array.from({ length: random.int(1, 4) }, (_, i) => `-next.${i}`);
  const [beta, candidate] = spelling === 'python' ? ['b', 'rc'] : ['-beta.', '-rc.'];
  const candidates = several(candidate, random.int(1, 2));
  return step === 'major' ? [...several(beta, random.int(1, 3)), ...candidates] : candidates;
}
