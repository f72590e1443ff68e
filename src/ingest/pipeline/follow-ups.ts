// Follow-up jobs of a fetch, enqueued in its transaction.

import type { WriteContext } from '../../context.ts';
import { failureText, wasRead } from '../../domain/fetching/outcome.ts';
import { factsOf } from '../../domain/source-types.ts';
import { recordFetch } from '../../entities/registry/record-fetch.ts';
import type { TaskStopped } from '../../threads/task.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { stoppedParsing } from '../adapters/outcomes.ts';
import type { ClaimedJob, JobOrder } from '../queue/job.ts';
import { jobKey } from '../queue/kinds.ts';
import type { PipelineRun } from './report.ts';

export interface Finished {
  run: PipelineRun;
  result: AdapterResult;
  host: string;
  inserted: number;
}

export function followUps({ run: { subject, options }, result, host, inserted }: Finished): JobOrder[] {
  const sourceId = subject.source.id;
  const orders: JobOrder[] = [];
  // A backfill with more pages enqueues itself.
  if (result.backfill !== null && options.backfill === undefined && wasRead(result.outcome)) {
    orders.push({
      key: jobKey('backfill', sourceId),
      kind: 'backfill',
      sourceId,
      host,
      payload: { page: result.backfill },
    });
  }
  // Changelogs and manifests are likely to change with a new release. The first fetch also checks them, for repositories that
  // have nothing but a changelog.
  const news = inserted > 0 || (subject.firstFetch && wasRead(result.outcome));
  if (factsOf(subject.reader).isRepository && news && subject.source.fetch_priority !== 'paused') {
    orders.push({ key: jobKey('changelog', sourceId), kind: 'changelog', sourceId, host });
    orders.push({ key: jobKey('packages', sourceId), kind: 'packages', sourceId, host });
  }
  return orders;
}

// The log row of a job beside the fetch of a source, such as the one of its changelog files, that met a document which took
// too long or too much memory to read.
export async function recordStopped(
  ctx: WriteContext,
  { sourceId, kind }: ClaimedJob,
  error: TaskStopped,
): Promise<void> {
  if (sourceId === null) return;
  const { outcome, detail } = stoppedParsing(error, kind);
  await recordFetch(ctx, {
    sourceId,
    trigger: 'schedule',
    result: outcome,
    error: failureText(outcome, detail),
    isFollowUp: true,
    releasesFound: 0,
    releasesInserted: 0,
  });
}
