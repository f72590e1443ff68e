import type { NoteStyle, VersionScheme } from './cast.ts';
import type { Random } from './random.ts';
import { createVersionWalk, type Step, type Version, type VersionWalk, walkShort } from './version-walk.ts';

export const DAY_MS = 86_400_000;

export type PlannedRelease = {
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
};

type Period = 'week' | 'month' | 'quarter';

// One publish of a monorepo: leading packages have changes of their own, the others only follow.
type Push = { index: number; hash: string; leads: { packageName: string; number: string }[] };

export type TimelineInput = {
  // Midnight UTC of today.
  today: number;
  count: number;
  scheme: VersionScheme;
  style: NoteStyle;
  ageDays: number;
  quietDays: number;
  // Share of releases without a date.
  undated: number;
  // Dates without a time of day, as pages print them.
  dayPrecision: boolean;
  start: string;
  prefix: string;
  packages: string[];
};

// Versions and dates of one source, oldest first.
export function planTimeline(random: Random, input: TimelineInput): PlannedRelease[] {
  if (input.count === 0) return [];
  const planned = input.scheme === 'packages' ? planPackages(random, input) : planSingle(random, input);
  for (const release of planned) release.isDated = !random.chance(input.undated);
  return planned;
}

function planSingle(random: Random, input: TimelineInput): PlannedRelease[] {
  const dates = input.style === 'rollup' ? periodDates(input) : drawDates(random, input, input.count);
  const tagOf = (number: string) => {
    if (input.scheme === 'v-semver') return `v${number}`;
    return input.scheme === 'prefixed' ? `${input.prefix}-v${number}` : number;
  };
  const numbers = numberReleases(random, input, dates);
  const period = input.style === 'rollup' ? periodFor(input.count) : null;

  let previousTag: string | null = null;
  return dates.map((at, index) => {
    const next = numbers[index];
    const tag = next ? tagOf(next.number) : null;
    const planned: PlannedRelease = {
      at,
      isDated: true,
      tag,
      number: next?.number ?? null,
      previousTag: next?.previous ? tagOf(next.previous) : previousTag,
      step: next?.step ?? 'none',
      isPrerelease: next?.isPrerelease ?? false,
      packageName: null,
      push: null,
      period,
      periodIndex: index + 1,
    };
    if (next && next.step !== 'backport') previousTag = tag;
    return planned;
  });
}

function numberReleases(random: Random, input: TimelineInput, dates: number[]): Version[] {
  const { scheme, start } = input;
  if (scheme === 'none') return [];
  if (scheme === 'calendar') return calendarNumbers(random, dates);
  if (scheme === 'short') return walkShort(random, start, dates.length);
  const walk = createVersionWalk(random, start, scheme === 'python' ? 'python' : 'semver');
  const isStore = input.style === 'store';
  return dates.map(() => (isStore ? walk.stable() : walk.next()));
}

function calendarNumbers(random: Random, dates: number[]): Version[] {
  const isDaily = random.chance(0.4);
  const seen = new Map<string, number>();
  return dates.map((at) => {
    const date = new Date(at);
    const day = date.toISOString().slice(0, 10);
    const month = `${date.getUTCFullYear()}.${date.getUTCMonth() + 1}`;
    const base = isDaily ? day : month;
    const nth = (seen.get(base) ?? 0) + 1;
    seen.set(base, nth);
    const number = isDaily ? (nth === 1 ? base : `${base}.${nth}`) : `${base}.${nth - 1}`;
    return { number, step: 'none', isPrerelease: false };
  });
}

function planPackages(random: Random, input: TimelineInput): PlannedRelease[] {
  const [core = 'core', ...others] = input.packages;
  const walks = new Map<string, VersionWalk>(
    input.packages.map((name) => [
      name,
      createVersionWalk(random, startFor(random, input.start, name === core), 'next'),
    ]),
  );
  const lastTag = new Map<string, string>();
  const pushes: PlannedRelease[][] = [];
  let rest = input.count;

  while (rest > 0) {
    const coreChanged = random.chance(0.55);
    const leads = coreChanged ? [core, ...random.sample(others, random.chance(0.3) ? 1 : 0)] : random.sample(others, 1);
    const followers = coreChanged ? others.filter((name) => !leads.includes(name) && random.chance(0.55)) : [];
    const push: Push = { index: pushes.length, hash: random.hex(7), leads: [] };
    const rows = [...leads, ...followers].slice(0, rest).map((name): PlannedRelease => {
      const isLead = leads.includes(name);
      const walk = walks.get(name) as VersionWalk;
      const version = isLead ? walk.next() : walk.patch();
      if (isLead) push.leads.push({ packageName: name, number: version.number });
      const tag = `${name}@${version.number}`;
      const previousTag = version.previous ? `${name}@${version.previous}` : (lastTag.get(name) ?? null);
      if (version.step !== 'backport') lastTag.set(name, tag);
      return {
        at: 0,
        isDated: true,
        tag,
        number: version.number,
        previousTag,
        step: version.step,
        isPrerelease: version.isPrerelease,
        packageName: name,
        push,
        period: null,
        periodIndex: 0,
      };
    });
    pushes.push(rows);
    rest -= rows.length;
  }

  const dates = drawDates(random, input, pushes.length);
  return pushes.flatMap((rows, index) =>
    // Packages of one push come out seconds apart, the leading one first.
    rows.map((row, place) => ({ ...row, at: (dates[index] ?? input.today) + place * 6_000 })),
  );
}

function startFor(random: Random, start: string, isCore: boolean): string {
  if (isCore) return start;
  const [major = '1'] = start.split('.');
  return `${major}.${random.int(0, 9)}.${random.int(0, 6)}`;
}

// Denser towards today, on working days, ascending.
function drawDates(random: Random, input: TimelineInput, count: number): number[] {
  const newest = Math.max(input.quietDays, input.dayPrecision ? 0 : 1);
  const span = Math.max(1, input.ageDays - newest);
  return Array.from({ length: count }, () => {
    let daysAgo = newest + Math.floor(random.next() ** 1.25 * span);
    const weekday = new Date(input.today - daysAgo * DAY_MS).getUTCDay();
    if ((weekday === 0 || weekday === 6) && random.chance(0.85)) daysAgo += random.int(1, 5) + (weekday === 0 ? 1 : 0);
    const midnight = input.today - daysAgo * DAY_MS;
    return input.dayPrecision ? midnight : midnight + random.int(6 * 60, 19 * 60) * 60_000 + random.int(0, 59) * 1000;
  }).sort((a, b) => a - b);
}

// The longest period of which so many fit into two years.
function periodFor(count: number): Period {
  if (count <= 8) return 'quarter';
  return count <= 24 ? 'month' : 'week';
}

// First days of quarters or months, or Fridays, up to today.
function periodDates(input: TimelineInput): number[] {
  const period = periodFor(input.count);
  const today = new Date(input.today);
  const back = Array.from({ length: input.count }, (_, index) => input.count - 1 - index);
  if (period === 'week') {
    const friday = input.today - ((today.getUTCDay() + 2) % 7) * DAY_MS;
    return back.map((weeks) => friday - weeks * 7 * DAY_MS);
  }
  const months = period === 'quarter' ? 3 : 1;
  const first = today.getUTCMonth() - (today.getUTCMonth() % months);
  return back.map((periods) => Date.UTC(today.getUTCFullYear(), first - periods * months, 1));
}
