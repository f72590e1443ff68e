// Computes the next fetch of a source from its tier and its last runs, spread by a stable jitter.
import { dueAt, jitterMs, type PollHours, tierMs } from '../../domain/fetching/schedule.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

interface Plan {
  dueAt: string;
  // The inputs of the plan as text; a plan with another basis is computed again.
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
  // A "not before" of the server is never undercut by the jitter.
  const earliest = notBefore === null ? spread : Math.max(spread, Date.parse(notBefore));
  return { dueAt: new Date(earliest).toISOString(), basis };
}

// The same text as `basisSql` of the scheduler's query.
function basisOf({ fetch_priority, last_polled_at, next_fetch_after }: Planned, pollHours: PollHours): string {
  return `${basisOfTier(fetch_priority, pollHours)} ${last_polled_at ?? ''} ${next_fetch_after ?? ''}`;
}

// The interval is part of the basis: jobs that were planned under another setting are planned again.
export function basisOfTier(priority: string, pollHours: PollHours): string {
  return `${priority} ${tierMs(priority, pollHours)}`;
}
