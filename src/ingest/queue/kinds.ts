// The kinds of jobs and their priorities. A job moves up one level for each hour that it waits.
export const PRIORITIES = {
  lookup: 0,
  reading: 0,
  fetch: 2,
  changelog: 3,
  embed: 3,
  reapply: 3,
  articles: 4,
  enrich: 4,
  coverage: 4,
  listings: 5,
  'known-packages': 5,
  manifest: 5,
  evidence: 5,
  mapping: 5,
  packages: 5,
  retier: 5,
  stubs: 5,
  summaries: 6,
  overviews: 6,
  ahead: 6,
  backfill: 7,
  media: 8,
} as const satisfies Record<string, number>;

export type JobKind = keyof typeof PRIORITIES;

// The key of a job of which each source has one.
export function jobKey(kind: JobKind, sourceId: string): string {
  return `${kind}:${sourceId}`;
}

// A fetch that a person waits for.
export const MANUAL_PRIORITY = 0;

export const LEVELS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const HOUR_MS = 3_600_000;

// The lower, the sooner.
export function rank({ dueAt, priority }: { dueAt: string; priority: number }): number {
  return Date.parse(dueAt) + priority * HOUR_MS;
}
