import { type Context, now, queries, transact } from '../../context.ts';
import { wasRead } from '../../domain/fetching/outcome.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { complete, type NextRun } from '../queue/lease.ts';
import { scheduledRun } from './commit-run.ts';
import { fetchSource } from './fetch-source.ts';
import type { RunEnd } from './report.ts';
import { readFetchOptions } from './report.ts';

export async function runFetch(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { sourceId, lease } = job;
  if (sourceId === null) return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  const { anyway, ...options } = readFetchOptions(job.payload);
  // The due time of a job is a copy, so the plan of the source is checked again.
  if (options.trigger === 'schedule' && !anyway && (await moveIfEarly(ctx, job, sourceId))) return;
  await fetchSource(ctx, sourceId, { ...options, lease, signal, tools });
}

async function moveIfEarly(ctx: Context, { lease }: ClaimedJob, sourceId: string): Promise<boolean> {
  const at = now(ctx);
  const isDue = (next: NextRun | null) => next !== null && next.dueAt <= at;
  // Nearly every job is due, and then there is nothing to write.
  if (isDue(await planOf(ctx, sourceId))) return false;
  return transact(
    ctx,
    async (ctx) => {
      const next = await planOf(ctx, sourceId);
      if (isDue(next)) return false;
      await complete(ctx, lease, next);
      return true;
    },
    'bookkeeping',
  );
}

async function planOf(ctx: Context, sourceId: string): Promise<NextRun | null> {
  const source = await queries(ctx).selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst();
  return source ? scheduledRun(ctx, source) : null;
}

const HOUR_MS = 3_600_000;
const BACKFILL_TRIES = 6;

export async function runBackfill(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { page, failures = 0 } = job.payload;
  if (job.sourceId === null || typeof page !== 'string') {
    return transact(ctx, (ctx) => complete(ctx, job.lease, null), 'bookkeeping');
  }
  const nextRun = ({ outcome, result }: RunEnd): NextRun | null => {
    const at = ctx.clock().getTime();
    if (wasRead(outcome) && result.backfill === null) return null;
    if (wasRead(outcome)) return { dueAt: now(ctx), payload: { page: result.backfill } };
    if (failures + 1 >= BACKFILL_TRIES) return null;
    const dueAt = new Date(at + 2 ** failures * HOUR_MS).toISOString();
    return { dueAt, payload: { page, failures: failures + 1 } };
  };
  const { lease, sourceId } = job;
  await fetchSource(ctx, sourceId, { trigger: 'schedule', backfill: page, lease, nextRun, signal, tools });
}
