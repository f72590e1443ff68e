// A dry run: returns what a fetch would store, and stores nothing.
import { recordFetch } from '../../catalog/registry/record-fetch.ts';
import { itemFilter } from '../../catalog/releases/item-filters.ts';
import { type Context, transact } from '../../context.ts';
import { failureText, wasRead } from '../../domain/fetching/outcome.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { complete } from '../queue/lease.ts';
import { prepareRun } from './prepare.ts';
import { NOTHING_DONE, type PipelineRun, type RunReport } from './report.ts';

const SAMPLE = 10;

export async function previewRun(ctx: Context, run: PipelineRun, result: AdapterResult): Promise<RunReport> {
  const { subject, options } = run;
  const { drafts } = await prepareRun(subject, result, options.max);
  const refused = await itemFilter(ctx, subject, drafts);
  const sample = drafts
    .filter((draft) => refused(draft) === null)
    .slice(-SAMPLE)
    .reverse()
    .map(({ title, version, url, publishedAt }) => ({ title, version, url, publishedAt }));
  const failed = wasRead(result.outcome) ? null : result.outcome;
  const error = failed && failureText(failed, result.detail ?? 'no detail');
  const log = await transact(
    ctx,
    async (ctx) => {
      if (options.lease) await complete(ctx, options.lease, null);
      return recordFetch(ctx, {
        sourceId: subject.source.id,
        trigger: options.trigger,
        result: 'dry_run',
        error,
        releasesFound: result.items.length,
        releasesInserted: 0,
        durationMs: ctx.clock().getTime() - run.startedAt,
        httpStatus: result.httpStatus,
        requests: result.requests,
        bytes: result.bytes,
      });
    },
    'derived',
  );
  return {
    ...NOTHING_DONE,
    status: 'dry_run',
    releasesFound: result.items.length,
    durationMs: log.duration_ms ?? 0,
    error,
    errorCategory: failed,
    fetchLogId: log.id,
    sample,
  };
}
