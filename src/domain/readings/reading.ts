// A reading brings one package up to what a question needs, part by part, in the order that helps soonest.

export const READING_PARTS = ['listing', 'comparison', 'notes', 'repository', 'steps'] as const;

// `nothing`: there is none, such as no changelog in the package.
export const PART_STATES = ['waiting', 'running', 'done', 'nothing', 'failed', 'off'] as const;

export const READING_STATES = ['waiting', 'running', 'done', 'failed', 'refused'] as const;

// The lower, the sooner: a person who waits, then programs, then lists of packages, then what a new registry begins with.
const ASKERS = ['person', 'api', 'list', 'starter'] as const;
export type Asker = (typeof ASKERS)[number];

export function askerPriority(asker: Asker): number {
  return ASKERS.indexOf(asker);
}

// A reading that takes longer has failed.
export const MAX_READING_MS = 120_000;

const DAY_MS = 24 * 3_600_000;
const AGAIN_AFTER_MS = 10 * 60_000;

// What a question lacks.
export interface Missing {
  listing: boolean;
  comparison: boolean;
  notes: boolean;
}

export function isListingDue(listedAt: string | null, at: Date): boolean {
  return listedAt === null || Date.parse(listedAt) + DAY_MS <= at.getTime();
}

// A question whose reading has ended a moment ago does not order the same once more.
export function endedLately(endedAt: string, at: Date): boolean {
  return Date.parse(endedAt) + AGAIN_AFTER_MS > at.getTime();
}

interface AskingCaller {
  kind: string;
  account?: { userId: string };
  passive?: true;
  unread?: true;
}

// Whether a question of this caller may order a reading. The service itself asks much, and waits for nothing.
export function mayOrderReadings(access: 'off' | 'accounts' | 'on', { kind, passive, unread }: AskingCaller): boolean {
  if (access === 'off' || kind === 'system' || unread) return false;
  if (kind !== 'anonymous') return true;
  return access === 'on' && !passive;
}

interface AskAllowance {
  packages: number;
  comparisons: number;
}

// In an hour; null: no limit.
export function hourlyAllowance({ kind, account }: AskingCaller): AskAllowance | null {
  if (kind === 'anonymous') return { packages: 60, comparisons: 120 };
  return account ? { packages: 300, comparisons: 1200 } : null;
}

// Everybody together may order as many in a day, and those without a credential half of them.
export function dailyAllowance(daily: number, isAnonymous: boolean): number {
  return isAnonymous ? Math.floor(daily / 2) : daily;
}
