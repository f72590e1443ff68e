// A feed that fails for good is looked for at the page of its source, and read in the same run where it is found.
import type { Context } from '../../context.ts';
import { type FetchOutcome, wasRead } from '../../domain/fetching/outcome.ts';
import { TaskStopped } from '../../threads/task.ts';
import { createAdapterContext, toolsOf } from '../adapters/adapter-context.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { isRediscoveryDue } from '../adapters/discovery/rediscover.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import type { Rediscovery, SourceTypeDescriptor } from '../adapters/source-type.ts';
import { inputFor, readSource } from './read-source.ts';
import type { PipelineRun } from './report.ts';

// Together with the run that has just failed, enough to decide.
const EARLIER_RUNS = 2;

// The result at the new address; the failure itself when there is none.
export async function rediscover(ctx: Context, run: PipelineRun, failed: AdapterResult): Promise<AdapterResult> {
  const { subject, options } = run;
  const { rediscover: find } = SOURCE_TYPE_DESCRIPTORS[subject.reader];
  if (!find || options.dryRun || options.signal?.aborted || wasRead(failed.outcome)) return failed;
  const outcomes = [failed.outcome, ...(await lastOutcomes(ctx, subject.source.id))];
  if (!isRediscoveryDue(outcomes)) return failed;
  const { found, spent } = await search(ctx, run, find);
  const tried = withSpent(failed, spent);
  if (found === null) return { ...tried, notes: [...failed.notes, 'no other feed of this source was found'] };
  const source = { ...subject.source, ...found.sourceChanges };
  const result = await readSource(ctx, { ...run, subject: { ...subject, source } });
  if (!wasRead(result.outcome)) return tried;
  return {
    ...withSpent(result, { requests: tried.requests, bytes: tried.bytes }),
    sourceChanges: { ...found.sourceChanges, ...result.sourceChanges },
    notes: [found.note, ...result.notes],
  };
}

type Find = NonNullable<SourceTypeDescriptor['rediscover']>;
type Spent = Pick<AdapterResult, 'requests' | 'bytes'>;

async function search(
  ctx: Context,
  run: PipelineRun,
  find: Find,
): Promise<{ found: Rediscovery | null; spent: Spent }> {
  const { subject, options } = run;
  const { model } = options.tools ?? toolsOf(ctx);
  const adapterCtx = createAdapterContext(ctx, { model, signal: options.signal });
  const dates = subject.stored.rows.flatMap((row) => row.published_at ?? []);
  const newestStored = dates.reduce<string | null>((newest, date) => (newest && newest > date ? newest : date), null);
  const found = await find(adapterCtx, { ...inputFor(subject, options), newestStored }).catch((error: unknown) => {
    // A page that takes too long to read shows no other feed, and the failure of this run stays what it is.
    if (error instanceof TaskStopped) return null;
    throw error;
  });
  return { found, spent: adapterCtx.meter };
}

function withSpent(result: AdapterResult, { requests, bytes }: Spent): AdapterResult {
  return { ...result, requests: result.requests + requests, bytes: result.bytes + bytes };
}

// Newest first.
async function lastOutcomes(ctx: Context, sourceId: string): Promise<FetchOutcome[]> {
  const rows = await ctx.store.read
    .selectFrom('fetch_log')
    .select('error_category')
    .where('source_id', '=', sourceId)
    .where('status', 'not in', ['skipped', 'dry_run'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(EARLIER_RUNS)
    .execute();
  return rows.map((row) => row.error_category ?? 'success');
}
