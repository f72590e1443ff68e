import { recordFetch } from '../../catalog/registry/record-fetch.ts';
import type { WriteContext } from '../../context.ts';
import { failureText } from '../../domain/fetching/outcome.ts';
import type { TaskStopped } from '../../threads/task.ts';
import { stoppedParsing } from '../adapters/outcomes.ts';
import type { ClaimedJob } from '../queue/job.ts';

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
