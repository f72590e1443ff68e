import { type Context, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { foldName } from '../../domain/clean-text.ts';
import { failureText, wasRead } from '../../domain/fetching/outcome.ts';
import { checkName, checkSteps } from '../../domain/release-check.ts';
import { isHttpUrl } from '../../domain/urls.ts';
import { recordFetch } from '../../entities/registry/record-fetch.ts';
import { itemFilter } from '../../releases/write/item-filters.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { TaskStopped } from '../../threads/task.ts';
import { inTurns } from '../../threads/turns.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { stoppedParsing } from '../adapters/outcomes.ts';
import { LeaseLost } from '../queue/job.ts';
import { complete, handBack } from '../queue/lease.ts';
import { commitRun } from './commit-run.ts';
import { prepareRun } from './prepare.ts';
import { kindOf, readSource } from './read-source.ts';
import { rediscover } from './rediscover.ts';
import { NOTHING_DONE, type PipelineRun, type RunOptions, type RunReport } from './report.ts';
import { loadSubject } from './subject.ts';

// One fetch of one source, which ends in exactly one outcome. Throws only when the outcome cannot be recorded.
export async function fetchSource(caller: Context, sourceId: string, options: RunOptions): Promise<RunReport> {
  const ctx: Context = { ...caller, caller: SYSTEM };
  const startedAt = ctx.clock().getTime();
  const subject = await loadSubject(ctx, sourceId);
  if (!subject) return endWithoutSource(ctx, options);
  const run: PipelineRun = { subject, options, startedAt };
  if (subject.org?.fetch_paused && options.trigger === 'schedule') return skipRun(ctx, run, 'the org is paused');

  const result = await checkResult(ctx, await rediscover(ctx, run, await readSource(ctx, run)));
  for (const note of result.notes) ctx.log.info({ source: sourceId, note }, 'noted by an adapter');
  // An aborted run says nothing about the source.
  if (options.signal?.aborted && !wasRead(result.outcome)) return giveUp(ctx, options);
  if (options.dryRun) return previewRun(ctx, run, result);
  return store(ctx, run, result);
}

async function store(ctx: Context, run: PipelineRun, result: AdapterResult): Promise<RunReport> {
  try {
    return await commitRun(ctx, run, result);
  } catch (err) {
    if (err instanceof LeaseLost) return skipRun(ctx, withoutLease(run), 'the lease was lost');
    if (!(await loadSubject(ctx, run.subject.source.id))) return endWithoutSource(ctx, run.options);
    ctx.log.error({ err, source: run.subject.source.id }, 'a fetch could not be stored');
    const failed: AdapterResult = {
      ...result,
      ...(err instanceof TaskStopped
        ? stoppedParsing(err)
        : { outcome: 'error', detail: `not stored: ${kindOf(err)}` }),
      items: [],
      validators: [],
      memory: {},
      withdrawn: [],
      restored: [],
      backfill: null,
      sourceChanges: {},
    };
    return commitRun(ctx, run, failed);
  }
}

function withoutLease(run: PipelineRun): PipelineRun {
  return { ...run, options: { ...run.options, lease: undefined } };
}

// A skipped run is logged and changes nothing else.
async function skipRun(ctx: Context, { subject, options, startedAt }: PipelineRun, why: string): Promise<RunReport> {
  const log = await transact(
    ctx,
    async (ctx) => {
      // The scheduler creates a new job when the source resumes; only a backfill waits here.
      const next = options.backfill === undefined ? null : { dueAt: tomorrow(ctx) };
      if (options.lease) await complete(ctx, options.lease, next);
      return recordFetch(ctx, {
        sourceId: subject.source.id,
        trigger: options.trigger,
        result: 'skipped',
        error: `skipped: ${why}`,
        releasesFound: 0,
        releasesInserted: 0,
        durationMs: ctx.clock().getTime() - startedAt,
      });
    },
    'derived',
  );
  return { ...NOTHING_DONE, status: 'skipped', durationMs: log.duration_ms ?? 0, error: log.error, fetchLogId: log.id };
}

function tomorrow(ctx: Context): string {
  return new Date(ctx.clock().getTime() + 24 * 3_600_000).toISOString();
}

async function giveUp(ctx: Context, { lease }: RunOptions): Promise<RunReport> {
  if (lease) await handBack(ctx, lease);
  return { ...NOTHING_DONE, status: 'skipped', durationMs: 0, error: 'skipped: stopped' };
}

async function endWithoutSource(ctx: Context, { lease }: RunOptions): Promise<RunReport> {
  if (lease) {
    await transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping').catch((error) => {
      // Jobs are deleted with their source, so the lease can be gone.
      if (!(error instanceof LeaseLost)) throw error;
    });
  }
  return { ...NOTHING_DONE, status: 'skipped', durationMs: 0, error: failureText('gone', 'the source is deleted') };
}

// What an adapter has read is checked like what operators send, whatever the type of the source.

const MAX_SOURCE_NAME = 200;

// A document of which nothing can be stored was not read.
async function checkResult(ctx: Context, result: AdapterResult): Promise<AdapterResult> {
  const { releases, refused } = await inTurns(checkSteps(result.items, ctx.clock()));
  const items = releases.map((item) => (item.publishedAt === null ? { ...item, datePrecision: null } : item));
  const notes = refused === 0 ? result.notes : [...result.notes, `${refused} entries have no title that can be shown`];
  const sourceChanges = checkLearned(result.sourceChanges);
  const checked = { ...result, items, notes, sourceChanges };
  if (refused === 0 || items.length > 0 || !wasRead(result.outcome)) return checked;
  const detail = `none of ${refused} entries has a title that can be shown`;
  return { ...checked, outcome: 'malformed', detail, validators: [], memory: {}, withdrawn: [], restored: [] };
}

const ADDRESSES = ['url', 'feed_url', 'changelog_url', 'app_icon_url', 'video_feed'] as const;

function checkLearned(learned: Partial<SourceRow>): Partial<SourceRow> {
  const changes = { ...learned };
  if (changes.name !== undefined) {
    changes.name = checkName(changes.name, MAX_SOURCE_NAME);
    changes.name_key = foldName(changes.name);
    if (changes.name === '') {
      delete changes.name;
      delete changes.name_key;
    }
  }
  for (const column of ADDRESSES) {
    const address = changes[column];
    if (typeof address === 'string' && !isHttpUrl(address)) delete changes[column];
  }
  if (changes.url === undefined) delete changes.url_key;
  return changes;
}

// A dry run: returns what a fetch would store, and stores nothing.

const SAMPLE = 10;

async function previewRun(ctx: Context, run: PipelineRun, result: AdapterResult): Promise<RunReport> {
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
