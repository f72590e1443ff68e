// A reading brings one package up to what a question needs, part by part, in the order that helps soonest.

export const READING_PARTS = ['listing', 'comparison', 'notes', 'repository', 'steps'] as const;

// `nothing`: there is none, such as no changelog in the package.
export const PART_STATES = ['waiting', 'running', 'done', 'nothing', 'failed', 'off'] as const;

export const READING_STATES = ['waiting', 'running', 'done', 'failed', 'refused'] as const;

export function hasEnded({ state }: { state: (typeof READING_STATES)[number] }): boolean {
  return state !== 'waiting' && state !== 'running';
}

// The lower, the sooner: a person who waits, then programs, then lists of packages, then what is kept up to date for somebody,
// then what a new registry begins with.
const ASKERS = ['person', 'api', 'list', 'stack', 'starter'] as const;
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
  // In an hour.
  packages: number;
  comparisons: number;
  megabytes: number;
  // Rows of lockfiles and stacks in a day; they count as nothing else.
  rows: number;
}

// Null: no limit.
export function allowanceOf({ kind, account }: AskingCaller): AskAllowance | null {
  if (kind === 'anonymous') return { packages: 60, comparisons: 120, megabytes: 500, rows: 500 };
  return account ? { packages: 300, comparisons: 1200, megabytes: 2000, rows: 5000 } : null;
}

export function isListAsker(asker: Asker): boolean {
  return asker === 'list' || asker === 'stack';
}

// Everybody together may order as many in a day, and those without a credential half of them.
export function dailyAllowance(daily: number, isAnonymous: boolean): number {
  return isAnonymous ? Math.floor(daily / 2) : daily;
}

const ADDRESS = 'ip:';

// Under which name somebody takes turns and pays; null for callers without limits.
export function payerName({ kind, account }: AskingCaller, address: string): string | null {
  if (kind === 'anonymous') return `${ADDRESS}${address}`;
  return account?.userId ?? null;
}

// How much may be downloaded for a payer in an hour.
export function megabytesOf(payer: string): number {
  const kind = payer.startsWith(ADDRESS) ? 'anonymous' : 'user_key';
  return allowanceOf({ kind, account: { userId: payer } })?.megabytes ?? 0;
}
