import { recordFetch } from '../../catalog/registry/record-fetch.ts';
import { type Context, transact } from '../../context.ts';
import { failureText } from '../../domain/fetch-outcome.ts';
import type { ClaimedJob } from '../queue/job.ts';
import { complete } from '../queue/lease.ts';

const LOST_WAIT_MS = 24 * 3_600_000;

/** Whatever this job does, it ends every worker that tries. */
export async function reportLost(ctx: Context, job: ClaimedJob): Promise<void> {
  const { lease, sourceId, key, kind, attempts } = job;
  const dueAt = new Date(ctx.clock().getTime() + LOST_WAIT_MS).toISOString();
  ctx.log.error({ job: key, attempts }, 'every worker that took this job was lost');
  await transact(
    ctx,
    async (inner) => {
      if (sourceId !== null && (kind === 'fetch' || kind === 'backfill')) {
        await recordFetch(inner, {
          sourceId,
          trigger: 'schedule',
          result: 'error',
          error: failureText('error', 'worker_lost'),
          releasesFound: 0,
          releasesInserted: 0,
          requests: 0,
        });
        await inner.tx.updateTable('sources').set({ next_fetch_after: dueAt }).where('id', '=', sourceId).execute();
      }
      await complete(inner, lease, { dueAt });
    },
    'derived',
  );
}
