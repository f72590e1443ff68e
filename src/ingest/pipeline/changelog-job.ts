// Refreshes the changelog files of a repository once a day, and after a new release.

import { type Context, transact, type WriteContext } from '../../context.ts';
import { outsideTotal } from '../../domain/changelog/outside-text.ts';
import { wasRead } from '../../domain/fetching/outcome.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import { findSource, type SourceInOrg } from '../../entities/resolve.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import { type ChangelogRefresh, refreshChangelogFiles } from '../changelog-files/refresh.ts';
import { refreshPackageNotes } from '../package-notes/refresh-notes.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { ClaimedJob, JobSurroundings } from '../queue/job.ts';
import { complete, handBack } from '../queue/lease.ts';
import { fetchKey } from '../schedule/fetch-jobs.ts';
import { noteBudget } from '../state/budget.ts';

const HOUR_MS = 3_600_000;
const REFRESH_HOURS = 24;
const NO_NOTES = { stored: [], removed: [] };

export async function runChangelog(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const sourceInOrg = job.sourceId === null ? null : await findSource(ctx, { src: job.sourceId });
  if (!sourceInOrg || !factsOf(readerOf(sourceInOrg.source)).isRepository) {
    return transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
  }
  if (sourceInOrg.source.fetch_priority === 'paused' || sourceInOrg.org?.fetch_paused) {
    return transact(ctx, (ctx) => complete(ctx, lease, inHours(ctx, REFRESH_HOURS)), 'bookkeeping');
  }
  const adapterCtx = createAdapterContext(ctx, { model: tools.model, signal });
  const result = await refreshChangelogFiles(ctx, adapterCtx, sourceInOrg.source);
  if (signal.aborted && !wasRead(result.outcome)) return handBack(ctx, lease);
  // What the throttled host has is not known, so nothing stands in for it.
  const isThrottled = result.outcome === 'throttled';
  const packed = isThrottled ? NO_NOTES : await refreshPackageNotes(ctx, adapterCtx, sourceInOrg.source);
  const stored = [...result.stored, ...packed.stored];
  const removed = [...result.removed, ...packed.removed];
  if (stored.length + removed.length > 0) {
    const { filled, outside } = result;
    const outsideCharacters = outsideTotal(outside);
    ctx.log.info({ source: sourceInOrg.source.id, stored, removed, filled, outsideCharacters }, 'changelog files read');
  }
  await transact(
    ctx,
    async (ctx) => {
      await noteBudget(ctx, { ...result, host: lease.host });
      if (stored.length + removed.length > 0) await readEntries(ctx, sourceInOrg, job);
      await complete(ctx, lease, inHours(ctx, wasRead(result.outcome) ? REFRESH_HOURS : retryHours(result)));
    },
    'bookkeeping',
  );
}

// After throttling the queue holds the host and this job with it, so the job may be due soon.
function retryHours({ outcome }: ChangelogRefresh): number {
  return outcome === 'throttled' ? 1 : REFRESH_HOURS;
}

function inHours(ctx: Context, hours: number): { dueAt: string } {
  return { dueAt: new Date(ctx.clock().getTime() + hours * HOUR_MS).toISOString() };
}

// The releases of a repository without Release objects come from its changelog, so a changed file triggers a fetch.
async function readEntries(ctx: WriteContext, { source }: SourceInOrg, { lease }: ClaimedJob): Promise<void> {
  const released = await ctx.tx
    .selectFrom('releases')
    .select('id')
    .where('source_id', '=', source.id)
    .where('origin', '=', 'release')
    .limit(1)
    .executeTakeFirst();
  if (released) return;
  const { id: sourceId } = source;
  await enqueue(ctx, { key: fetchKey(sourceId), kind: 'fetch', sourceId, host: lease.host, payload: { anyway: true } });
}
