// When what comes out: versions and dates of one source.
import type { NoteStyle, VersionStyle } from './cast.ts';
import { type DateInput, drawDates, type Period, periodDates, periodFor } from './dates.ts';
import type { Random } from './random.ts';
import { createVersionWalk, type Step, type Version, walkShort } from './version-walk.ts';

export interface PlannedRelease {
  // When it came out; also known for releases that do not say so.
  at: number;
  isDated: boolean;
  // The tag as published.
  tag: string | null;
  // Without prefix and package.
  number: string | null;
  previousTag: string | null;
  step: Step;
  isPrerelease: boolean;
  packageName: string | null;
  push: Push | null;
  // What a rollup covers, and which one it is.
  period: Period | null;
  periodIndex: number;
}

// One publish of a monorepo: leading packages have changes of their own, the others only follow.
type Push = { index: number; hash: string; leads: { packageName: string; number: string }[] };

export interface TimelineInput extends DateInput {
  count: number;
  scheme: VersionStyle;
  style: NoteStyle;
  // Share of releases without a date.
  undated: number;
  start: string;
  prefix: string;
  packages: string[];
}

// Oldest first.
export function planTimeline(random: Random, input: TimelineInput): PlannedRelease[] {
  if (input.count === 0) return [];
  const planned = input.scheme === 'packages' ? planPackages(random, input) : planSingle(random, input);
  for (const release of planned) release.isDated = !random.chance(input.undated);
  return planned;
}

const UNVERSIONED: Omit<PlannedRelease, 'at'> = {
  isDated: true,
  tag: null,
  number: null,
  previousTag: null,
  step: 'none',
  isPrerelease: false,
  packageName: null,
  push: null,
  period: null,
  periodIndex: 0,
};

function planSingle(random: Random, input: TimelineInput): PlannedRelease[] {
  const period = input.style === 'rollup' ? periodFor(input.count) : null;
  const dates = period ? periodDates(input, period) : drawDates(random, input, input.count);
  const numbers = numberReleases(random, input, dates);
  const prefix = input.scheme === 'v-semver' ? 'v' : input.scheme === 'prefixed' ? `${input.prefix}-v` : '';
  const tagger = tagsOf((number) => prefix + number);
  return dates.map((at, index) => {
    const version = numbers[index];
    return { ...UNVERSIONED, at, ...(version && tagger(version)), period, periodIndex: index + 1 };
  });
}

// Fields of a version, with the tag of the version before it.
function tagsOf(tag: (number: string) => string) {
  let last: string | null = null;
  return ({ number, step, isPrerelease, previous }: Version) => {
    const previousTag = previous ? tag(previous) : last;
    if (step !== 'backport') last = tag(number);
    return { tag: tag(number), number, previousTag, step, isPrerelease };
  };
}

function numberReleases(random: Random, { scheme, start, style }: TimelineInput, dates: number[]): Version[] {
  if (scheme === 'none') return [];
  if (scheme === 'calendar') return calendarNumbers(random, dates);
  if (scheme === 'short') return walkShort(random, start, dates.length);
  const walk = createVersionWalk(random, start, scheme === 'python' ? 'python' : 'semver');
  return dates.map(() => (style === 'store' ? walk.stable() : walk.next()));
}

function calendarNumbers(random: Random, dates: number[]): Version[] {
  const isDaily = random.chance(0.4);
  const seen = new Map<string, number>();
  return dates.map((at) => {
    const date = new Date(at);
    const month = `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}`;
    const base = isDaily ? date.toISOString().slice(0, 10) : month;
    const nth = seen.get(base) ?? 0;
    seen.set(base, nth + 1);
    const number = isDaily && nth === 0 ? base : `${base}.${isDaily ? nth + 1 : nth}`;
    return { number, step: 'none', isPrerelease: false };
  });
}

function planPackages(random: Random, input: TimelineInput): PlannedRelease[] {
  const [core = 'core', ...others] = input.packages;
  const lines = new Map(
    input.packages.map((name) => {
      const start =
        name === core ? input.start : `${Number.parseInt(input.start, 10)}.${random.int(0, 9)}.${random.int(0, 6)}`;
      return [
        name,
        { walk: createVersionWalk(random, start, 'next'), tagger: tagsOf((number) => `${name}@${number}`) },
      ];
    }),
  );
  const pushes: Omit<PlannedRelease, 'at'>[][] = [];
  for (let rest = input.count; rest > 0; rest -= pushes.at(-1)?.length ?? 1) {
    const coreChanged = random.chance(0.55);
    const leads = coreChanged ? [core, ...random.sample(others, random.chance(0.3) ? 1 : 0)] : random.sample(others, 1);
    const followers = coreChanged ? others.filter((name) => !leads.includes(name) && random.chance(0.55)) : [];
    const push: Push = { index: pushes.length, hash: random.hex(7), leads: [] };
    const rows = [...leads, ...followers].slice(0, rest).flatMap((packageName) => {
      const line = lines.get(packageName);
      if (!line) return [];
      const isLead = leads.includes(packageName);
      const version = isLead ? line.walk.next() : line.walk.patch();
      if (isLead) push.leads.push({ packageName, number: version.number });
      return [{ ...UNVERSIONED, ...line.tagger(version), packageName, push }];
    });
    pushes.push(rows);
  }
  const dates = drawDates(random, input, pushes.length);
  return pushes.flatMap((rows, index) =>
    // Packages of one push come out seconds apart, the leading one first.
    rows.map((row, position) => ({ ...row, at: (dates[index] ?? input.today) + position * 6_000 })),
  );
}
