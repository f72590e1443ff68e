// The end of a fetch: releases, validators, counters, log row, follow-up jobs and the job itself, committed together.

import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { changelogKind, fileNameOf } from '../../domain/changelog/files.ts';
import { type FetchOutcome, failureText, wasRead } from '../../domain/fetching/outcome.ts';
import { type ItemKeys, identityKeySteps } from '../../domain/release-identity.ts';
import { factsOf } from '../../domain/source-types.ts';
import { recordAndMove } from '../../entities/registry/record-fetch.ts';
import { findSource } from '../../entities/resolve.ts';
import { prepareTexts } from '../../releases/write/prepare-texts.ts';
import { ownAddresses, type WriteDrafts, writeDrafts } from '../../releases/write/write-drafts.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { inTurns } from '../../threads/turns.ts';
import type { AdapterResult, OriginalFile } from '../adapters/contract.ts';
import { hostOf, SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import { fillGuideNotes } from '../changelog-files/guide-notes.ts';
import { prepareRefresh } from '../changelog-files/prepare-files.ts';
import { storeReadFiles } from '../changelog-files/write-files.ts';
import { enqueueMedia } from '../media/job.ts';
import { enqueue } from '../queue/enqueue.ts';
import { PRIORITIES } from '../queue/kinds.ts';
import { complete, confirmLease, type NextRun } from '../queue/lease.ts';
import { enqueueListings } from '../registries/due-packages.ts';
import { planFetch } from '../schedule/plan.ts';
import { noteBudget } from '../state/budget.ts';
import { storeMemory } from '../state/memory.ts';
import { storeValidators } from '../state/validators.ts';
import { enqueueArticles } from './articles-job.ts';
import { followUps } from './follow-ups.ts';
import { floodOfRun, holdRun, noteGains } from './hold-run.ts';
import { type Prepared, prepareRun } from './prepare.ts';
import type { PipelineRun, RunReport } from './report.ts';
import { storeLearned, storeListingEnd } from './store-run.ts';
import { withdrawReleases } from './withdraw.ts';

// Guides come with the changelog of a published package; what they say stands beside the releases at once.
async function storeFiles(ctx: WriteContext, sourceId: string, files: readonly OriginalFile[]): Promise<void> {
  await storeReadFiles(ctx, sourceId, files);
  if (!files.some(({ path }) => changelogKind(fileNameOf(path)) === 'guide')) return;
  const sourceInOrg = await findSource(ctx, { src: sourceId });
  if (sourceInOrg) await fillGuideNotes(ctx, sourceInOrg);
}

// Pauses a source that keeps failing in the same way, until an operator resumes it.

// Outcomes that a retry does not change.
const DETERMINISTIC: ReadonlySet<string> = new Set<FetchOutcome>(['gone', 'blocked', 'malformed', 'empty']);
const FAILURES = 6;

// Called after the run was recorded. Adapters look for a new address before the sixth failure.
export async function pauseAfterFailures(ctx: WriteContext, source: SourceRow): Promise<boolean> {
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

export async function commitRun(ctx: Context, run: PipelineRun, result: AdapterResult): Promise<RunReport> {
  const { subject, options } = run;
  const prepared = await prepareRun(subject, result, options.max);
  const flood = await floodOfRun(ctx, run, prepared);
  if (flood) return holdRun(ctx, run, result, flood);
  const batches = await inBatches(prepared, subject.source);
  const last = batches.pop() ?? { drafts: [], keys: [] };
  const mayBeStored = (keys: ItemKeys) => subject.stored.find(keys) !== null;
  const prepareBatch = (batch: IdentifiedDrafts) => prepareTexts(ctx, { sourceInOrg: subject, mayBeStored, ...batch });
  let tally = new WriteTally();
  // PostgreSQL repeats a transaction after a deadlock, so each batch counts on a copy of the committed tally.
  for (const batch of batches) {
    tally = await transact(
      await prepareBatch(batch),
      async (ctx) => {
        const next = await writeBatch(ctx, { ...writeOptions(run, prepared), ...batch }, tally.copy());
        if (options.lease) await confirmLease(ctx, options.lease);
        return next;
      },
      'derived',
    );
  }
  const ahead = await prepareBatch(last);
  const files = result.files ?? [];
  if (files.length > 0) await prepareRefresh(ahead, subject, { files, canonical: files[0]?.path });
  return transact(
    ahead,
    async (ctx) => {
      const total = await writeBatch(ctx, { ...writeOptions(run, prepared), ...last }, tally.copy());
      return finish(ctx, run, result, prepared, total);
    },
    'derived',
  );
}

function writeOptions({ subject, options }: PipelineRun, { identityLost }: Prepared): Omit<WriteDrafts, 'drafts'> {
  const { announce, backfill, trigger } = options;
  // What an operator had to accept is no news.
  const silent = options.silent || subject.accepted;
  const writtenBy = trigger === 'lookup' ? 'lookup' : backfill === undefined ? 'fetch' : 'backfill';
  return { sourceInOrg: subject, writtenBy, announce, silent, firstFetch: subject.firstFetch, identityLost };
}

async function finish(
  ctx: WriteContext,
  run: PipelineRun,
  result: AdapterResult,
  prepared: Prepared,
  tally: WriteTally,
): Promise<RunReport> {
  const { subject, options } = run;
  const sourceId = subject.source.id;
  const { withdrawn = [], restored = [] } = result;
  const moved = await withdrawReleases(ctx, { sourceId, withdrawn, restored, seenAgain: prepared.seenAgain });
  const updated = tally.updated + moved;
  const outcome = outcomeOf(result, tally.insertedIds.length + updated);
  await storeLearned(ctx, subject.source, result.sourceChanges);
  // Validators are stored only when everything was, so that the server sends the rest again.
  if (wasRead(outcome) && !tally.heldBack && !prepared.cut) {
    await storeValidators(ctx, sourceId, result.validators);
    await storeMemory(ctx, sourceId, result.memory ?? {});
  }
  if (wasRead(outcome) && result.files) await storeFiles(ctx, sourceId, result.files);
  if (wasRead(outcome) && reachedEnd(run, result)) await storeListingEnd(ctx, sourceId);
  await noteGains(ctx, run, { outcome, inserted: tally.insertedIds.length });
  const { log, source } = await recordRun(ctx, run, { outcome, result, inserted: tally.insertedIds.length, updated });
  if (await pauseAfterFailures(ctx, source)) source.fetch_priority = 'paused';
  const host = hostOf(source, ctx.config.upstream);
  const { sharesBudget } = SOURCE_TYPE_DESCRIPTORS[subject.reader];
  await noteBudget(ctx, { ...result, host, outcome: sharesBudget ? outcome : 'no_change' });
  const finished = { run, result, host, inserted: tally.insertedIds.length };
  await enqueue(ctx, followUps(finished));
  if (finished.inserted > 0 && subject.isMapped) await enqueueListings(ctx, sourceId);
  if (tally.insertedIds.length + tally.updated > 0) {
    await enqueueArticles(ctx, finished);
    await enqueueMedia(ctx, sourceId, run.startedAt);
  }
  if (options.lease) {
    const next = options.nextRun ? options.nextRun({ outcome, result }) : await scheduledRun(ctx, source);
    await complete(ctx, options.lease, next);
  }
  return {
    status: log.status,
    releasesFound: log.releases_found,
    releasesInserted: log.releases_inserted,
    releasesUpdated: log.releases_updated,
    insertedIds: tally.insertedIds,
    announced: tally.announced,
    durationMs: log.duration_ms ?? 0,
    error: log.error,
    errorCategory: wasRead(outcome) ? null : outcome,
    fetchLogId: log.id,
  };
}

// One run has read the whole listing, or this is the last run of a backfill.
function reachedEnd({ subject, options }: PipelineRun, { complete, backfill }: AdapterResult): boolean {
  return complete || (factsOf(subject.reader).isRepository && options.backfill !== undefined && backfill === null);
}

// A document that was read is `success` or `no_change`; a failure stays as it is.
function outcomeOf(result: AdapterResult, changes: number): FetchOutcome {
  if (!wasRead(result.outcome)) return result.outcome;
  return changes > 0 ? 'success' : 'no_change';
}

interface RunFigures {
  outcome: FetchOutcome;
  result: AdapterResult;
  inserted: number;
  updated: number;
}

function recordRun(ctx: WriteContext, run: PipelineRun, { outcome, result, inserted, updated }: RunFigures) {
  const at = ctx.clock().getTime();
  const wait = result.retryAt === null ? undefined : Math.max(0, Date.parse(result.retryAt) - at) / 1000;
  return recordAndMove(ctx, {
    sourceId: run.subject.source.id,
    trigger: run.options.trigger,
    result: outcome,
    error: wasRead(outcome) ? null : failureText(outcome, result.detail ?? 'no detail'),
    releasesFound: result.items.length,
    releasesInserted: inserted,
    releasesUpdated: updated,
    durationMs: at - run.startedAt,
    httpStatus: result.httpStatus,
    requests: result.requests,
    bytes: result.bytes,
    retryAfterSeconds: wait,
    // The quota belongs to the token, whichever source used it up.
    sharedBudget: SOURCE_TYPE_DESCRIPTORS[run.subject.reader].sharesBudget || result.sharedBudget === true,
  });
}

// Null when the source is not polled any more.
export async function scheduledRun(ctx: Context, source: SourceRow): Promise<NextRun | null> {
  const org = source.org_id
    ? ((await queries(ctx).selectFrom('orgs').selectAll().where('id', '=', source.org_id).executeTakeFirst()) ?? null)
    : null;
  const plan = planFetch({ source, org, pollHours: ctx.config.pollHours });
  return plan && { ...plan, priority: PRIORITIES.fetch, payload: {}, host: hostOf(source, ctx.config.upstream) };
}

// Writes drafts through the write path of the catalog, in batches that fit a transaction.

const MAX_IN_A_TRANSACTION = 500;

type IdentifiedDrafts = Pick<WriteDrafts, 'drafts'> & { keys: readonly ItemKeys[] };

// Batches in order. A document whose items can only be identified together is not split.
export async function inBatches({ drafts, keys }: IdentifiedDrafts, source: SourceRow): Promise<IdentifiedDrafts[]> {
  if (drafts.length <= MAX_IN_A_TRANSACTION) return [{ drafts, keys }];
  const batches: IdentifiedDrafts[] = [];
  for (let start = 0; start < drafts.length; start += MAX_IN_A_TRANSACTION) {
    const end = start + MAX_IN_A_TRANSACTION;
    batches.push({ drafts: drafts.slice(start, end), keys: keys.slice(start, end) });
  }
  const own = ownAddresses(source);
  const apart: ItemKeys[] = [];
  for (const batch of batches) apart.push(...(await inTurns(identityKeySteps(batch.drafts, own))));
  return keys.every(({ key }, index) => key === apart[index]?.key) ? batches : [{ drafts, keys }];
}

class WriteTally {
  updated = 0;
  announced = 0;
  heldBack = false;
  insertedIds: string[] = [];

  copy(): WriteTally {
    return Object.assign(new WriteTally(), this, { insertedIds: [...this.insertedIds] });
  }
}

// Adds the results to the tally.
async function writeBatch(ctx: WriteContext, write: WriteDrafts, tally: WriteTally): Promise<WriteTally> {
  const written = await writeDrafts(ctx, write);
  tally.insertedIds.push(...written.insertedIds);
  tally.updated += written.updated;
  tally.announced += written.announced;
  tally.heldBack ||= written.heldBack;
  return tally;
}
