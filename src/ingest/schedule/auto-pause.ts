// Pauses a source that keeps failing in the same way, until an operator resumes it.
import type { WriteContext } from '../../context.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

// Outcomes that a retry does not change.
const DETERMINISTIC: ReadonlySet<string> = new Set<FetchOutcome>(['gone', 'blocked', 'malformed', 'empty']);
const FAILURES = 6;

// Called after the run was recorded. Adapters look for a new address before the sixth failure.
export async function pauseHopeless(ctx: WriteContext, source: SourceRow): Promise<boolean> {
  // The counter is reset when an operator resumes a source, the log is not.
  if (source.fetch_priority === 'paused' || source.consecutive_errors < FAILURES) return false;
  if (!DETERMINISTIC.has(source.last_outcome ?? '')) return false;
  const runs = await ctx.tx
    .selectFrom('fetch_log')
    .select('error_category')
    .where('source_id', '=', source.id)
    .where('status', 'not in', ['skipped', 'dry_run'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(FAILURES)
    .execute();
  if (runs.length < FAILURES || !runs.every((run) => DETERMINISTIC.has(run.error_category ?? ''))) return false;
  await ctx.tx.updateTable('sources').set({ fetch_priority: 'paused' }).where('id', '=', source.id).execute();
  return true;
}
