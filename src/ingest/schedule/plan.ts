// When a source is fetched next: the rule of its tier and its last runs, spread by a jitter that is the same each time.
import { dueAt, jitterMs, type PollHours, tierMs } from '../../domain/fetch-schedule.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

interface Plan {
  dueAt: string;
  // What it was worked out from.
  basis: string;
}

export type Planned = Pick<
  SourceRow,
  'id' | 'fetch_priority' | 'last_polled_at' | 'next_fetch_after' | 'is_hidden' | 'discovery' | 'deleted_at'
>;

export interface PlanInput {
  source: Planned;
  org: Pick<OrgRow, 'fetch_paused' | 'deleted_at'> | null;
  pollHours: PollHours;
}

// Null for a source that is not polled: paused, deleted, paused with its org, or made by a lookup and hidden.
export function planFetch({ source, org, pollHours }: PlanInput): Plan | null {
  const { last_polled_at: lastPolledAt, next_fetch_after: notBefore } = source;
  const unlisted = source.is_hidden === 1 && source.discovery === 'on_demand';
  if (source.deleted_at || unlisted || org?.fetch_paused || org?.deleted_at) return null;
  const due = dueAt({ priority: source.fetch_priority, lastPolledAt, nextFetchAfter: notBefore, pollHours });
  if (due === null) return null;
  const basis = basisOf(source, pollHours);
  if (lastPolledAt === null) return { dueAt: due, basis };
  const intervalMs = Date.parse(due) - Date.parse(lastPolledAt);
  const spread = Date.parse(due) + jitterMs({ sourceId: source.id, run: lastPolledAt, intervalMs });
  // What says "not before" is not undercut, least of all where a host has asked for it.
  const earliest = notBefore === null ? spread : Math.max(spread, Date.parse(notBefore));
  return { dueAt: new Date(earliest).toISOString(), basis };
}

// The same text as `basisSql` of the scheduler's query.
function basisOf({ fetch_priority, last_polled_at, next_fetch_after }: Planned, pollHours: PollHours): string {
  return `${basisOfTier(fetch_priority, pollHours)} ${last_polled_at ?? ''} ${next_fetch_after ?? ''}`;
}

// The interval belongs to the basis: jobs that were planned under another setting are planned anew.
export function basisOfTier(priority: string, pollHours: PollHours): string {
  return `${priority} ${tierMs(priority, pollHours)}`;
}
