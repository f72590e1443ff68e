// Records a finished fetch: one log row, and the counters and times of the source that follow from its outcome.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { FetchLogItem, FetchReport, FetchTrigger } from '../../contract/admin-logs.ts';
import type { FetchStatus } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import { cutText } from '../../domain/clean-text.ts';
import { countersAfter, type FetchOutcome, logStatusOf, wasRead } from '../../domain/fetching/outcome.ts';
import { nextFetchAfter } from '../../domain/fetching/schedule.ts';
import { newId } from '../../domain/ids.ts';
import { addToCounter } from '../../store/counters.ts';
import type { FetchLogRow } from '../../store/schema/jobs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { recordAudit } from '../audit.ts';
import { resolveSource } from '../resolve.ts';
import { fetchLogItem } from './fetch-log.ts';

const MAX_ERROR = 500;
// The prefix of a counter's name, followed by the outcome; the metrics read it.
export const FETCH_COUNTER = 'fetches:';

export interface FetchRun {
  sourceId: string;
  trigger: FetchTrigger;
  // Skipped runs and dry runs are logged but change no counter or time of the source.
  result: FetchOutcome | 'skipped' | 'dry_run';
  // The status in the log, where a reporter's differs from that of the outcome.
  status?: FetchStatus;
  error?: string | null;
  releasesFound: number;
  releasesInserted: number;
  releasesUpdated?: number;
  durationMs?: number | null;
  httpStatus?: number | null;
  requests?: number | null;
  bytes?: number | null;
  // The delay that a throttling host requested.
  retryAfterSeconds?: number;
  // Throttled because a budget that is shared with other sources ran out.
  sharedBudget?: boolean;
  // The run fetched other documents than the source itself, such as its changelog files. It says nothing about whether
  // the source can be read, so its counters and times do not change.
  isFollowUp?: boolean;
}

export async function recordFetch(ctx: WriteContext, run: FetchRun): Promise<FetchLogRow> {
  return (await recordAndMove(ctx, run)).log;
}

// Also returns the source as it is afterwards.
export async function recordAndMove(
  ctx: WriteContext,
  run: FetchRun,
): Promise<{ log: FetchLogRow; source: SourceRow }> {
  // Two concurrent runs of one source must both be counted.
  await ctx.store.dialect.lock(ctx.tx, `fetch:${run.sourceId}`);
  const source = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', run.sourceId).executeTakeFirst();
  if (!source) throw notFound('source', run.sourceId, { field: 'sourceId' });
  const { result } = run;
  const isMoved = result !== 'skipped' && result !== 'dry_run' && !run.isFollowUp;
  const moved = isMoved ? await moveSource(ctx, source, { ...run, outcome: result }) : source;
  await addToCounter(ctx.tx, `${FETCH_COUNTER}${result}`, 1);
  return { log: await insertLogRow(ctx, run), source: moved };
}

async function moveSource(
  ctx: WriteContext,
  source: SourceRow,
  run: FetchRun & { outcome: FetchOutcome },
): Promise<SourceRow> {
  const { outcome } = run;
  const at = now(ctx);
  const before = { errors: source.consecutive_errors, noChange: source.consecutive_no_change };
  const counters = countersAfter(outcome, before, { ownFault: !run.sharedBudget });
  const polled = outcome !== 'model_not_configured' && run.requests !== 0;
  const { fetch_priority: priority, median_gap_days: medianGapDays } = source;
  const { pollHours } = ctx.config;
  const changes: Partial<SourceRow> = {
    consecutive_errors: counters.errors,
    consecutive_no_change: counters.noChange,
    last_outcome: outcome,
    failing_since: failingSince(source, run, at),
    next_fetch_after: nextFetchAfter({ ...run, at, counters, priority, medianGapDays, pollHours }),
    ...(polled ? { last_polled_at: at } : {}),
    ...(wasRead(outcome) ? { last_fetched_at: at, change_detected_at: null } : {}),
  };
  await ctx.tx.updateTable('sources').set(changes).where('id', '=', source.id).execute();
  return { ...source, ...changes };
}

function failingSince(source: SourceRow, run: FetchRun & { outcome: FetchOutcome }, at: string): string | null {
  if (wasRead(run.outcome)) return null;
  const blameless = run.outcome === 'throttled' && run.sharedBudget;
  return blameless ? source.failing_since : (source.failing_since ?? at);
}

async function insertLogRow(ctx: WriteContext, run: FetchRun): Promise<FetchLogRow> {
  const { result } = run;
  const failed = result !== 'skipped' && result !== 'dry_run' && !wasRead(result);
  const row: FetchLogRow = {
    id: newId('fl', ctx.randomBytes),
    source_id: run.sourceId,
    trigger: run.trigger,
    status: run.status ?? (result === 'skipped' || result === 'dry_run' ? result : logStatusOf(result)),
    error_category: failed ? result : null,
    error: run.error ? cutText(run.error, MAX_ERROR) : null,
    releases_found: run.releasesFound,
    releases_inserted: run.releasesInserted,
    releases_updated: run.releasesUpdated ?? 0,
    total_releases: await countReleases(ctx, run.sourceId),
    duration_ms: run.durationMs ?? null,
    http_status: run.httpStatus ?? null,
    requests: run.requests ?? null,
    bytes: run.bytes ?? null,
    created_at: now(ctx),
  };
  await ctx.tx.insertInto('fetch_log').values(row).execute();
  return row;
}

async function countReleases(ctx: WriteContext, sourceId: string): Promise<number> {
  const figures = await ctx.tx
    .selectFrom('source_figures')
    .select('release_count')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return figures?.release_count ?? 0;
}

// Records the run of an external fetcher like one of the service.
export async function reportFetch(ctx: Context, report: FetchReport): Promise<FetchLogItem> {
  return transact(ctx, async (ctx) => {
    const { source, org } = await resolveSource(ctx, { src: report.sourceId }, { field: 'sourceId' });
    const row = await recordFetch(ctx, {
      ...report,
      sourceId: source.id,
      trigger: 'agent',
      // Every log status is also the name of an outcome, or of a run without one.
      result: report.errorCategory ?? report.status,
    });
    const after = fetchLogItem({
      ...row,
      sourceSlug: source.slug,
      sourceName: source.name,
      orgSlug: org?.slug ?? null,
      orgName: org?.name ?? null,
    });
    await recordAudit(ctx, { action: 'fetch_log.create', targetType: 'source', targetId: source.id, after });
    return after;
  });
}
