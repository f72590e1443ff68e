// The list of small background tasks. A new task is one line here.
import { createMailer } from '../accounts/auth/mail.ts';
import { composeDigests } from '../accounts/digest/compose.ts';
import { sendNextDigest } from '../accounts/digest/send.ts';
import { forgetOldRows } from '../accounts/retention.ts';
import { judgeStale } from '../accounts/stacks/judge-stale.ts';
import { type Context, now, transact } from '../context.ts';
import { purgeDeleted } from '../entities/registry/purge-deleted.ts';
import { rereadNextSource } from '../ingest/changelog-files/reread.ts';
import { purgeReports } from '../packages/reports/make.ts';
import { forgetLeastAsked, judgeShown } from '../packages/shown-upgrades/judge.ts';
import { fillChunks } from '../releases/indexing/fill-chunks.ts';
import { surfaceDueReleases } from '../releases/write/pending.ts';
import { repairFigures } from '../releases/write/repair.ts';
import { checkNames } from '../search/entities/check-names.ts';
import { fillWords } from '../search/lexical/fill-words.ts';
import { takeNamedLease } from '../store/lease.ts';
import { forgetOldDeliveries } from '../webhooks/log/retention.ts';
import type { BackgroundTask, Pass } from './worker.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const MERGE_PAGES = 200;

export const MAINTENANCE: readonly BackgroundTask[] = [
  { name: 'surface', everyMs: 20 * SECOND, run: async (ctx) => pass((await surfaceDueReleases(ctx)) > 0) },
  { name: 'merge', everyMs: 30 * SECOND, run: mergeIndex },
  { name: 'words', everyMs: 5 * SECOND, run: async (ctx) => pass(await fillWords(ctx)) },
  { name: 'reread', everyMs: 60 * SECOND, run: async (ctx) => pass(await rereadNextSource(ctx)) },
  { name: 'stacks', everyMs: 60 * SECOND, run: judgeMissed },
  { name: 'stack-changes', everyMs: 2 * SECOND, run: createStackWatch() },
  { name: 'upgrades', everyMs: 4 * SECOND, run: async (ctx, signal) => pass(await judgeShown(ctx, signal)) },
  { name: 'digest', everyMs: 30 * SECOND, run: sendDigests },
  { name: 'chunks', everyMs: HOUR, run: cutFiles },
  { name: 'upgrade-retention', everyMs: HOUR, run: dropLeastAsked },
  { name: 'names', everyMs: HOUR, run: checkEntityNames },
  { name: 'repair', everyMs: HOUR, run: checkFigures },
  { name: 'retention', everyMs: HOUR, run: async (ctx) => pass(await forgetOldRows(ctx)) },
  { name: 'reports', everyMs: HOUR, run: async (ctx) => pass((await purgeReports(ctx)) > 0) },
  { name: 'delivery-retention', everyMs: HOUR, run: async (ctx) => pass(await forgetOldDeliveries(ctx)) },
  { name: 'purge', everyMs: HOUR, run: async (ctx) => pass(await purgeDeleted(ctx)) },
];

async function judgeMissed(ctx: Context, signal: AbortSignal): Promise<Pass> {
  return pass(await judgeStale(ctx, { signal, isThorough: true }));
}

// What is corrected, hidden or deleted shows in stacks as soon as elsewhere.
function createStackWatch(): BackgroundTask['run'] {
  let since: Date | undefined;
  return async (ctx, signal) => {
    const at = ctx.clock();
    const more = await judgeStale(ctx, { signal, ...(since && { since }) });
    if (!more) since = at;
    return 'idle';
  };
}

async function dropLeastAsked(ctx: Context): Promise<Pass> {
  await forgetLeastAsked(ctx);
  return 'idle';
}

// What is due becomes mails that wait, and those are sent.
async function sendDigests(ctx: Context, signal: AbortSignal): Promise<Pass> {
  const mailer = createMailer(ctx);
  if (!mailer.available) return 'idle';
  const made = await composeDigests(ctx);
  while (!signal.aborted && (await sendNextDigest(ctx, mailer)));
  return pass(made > 0);
}

// Merges in small steps, so that other writers get their turn in between.
async function mergeIndex(ctx: Context): Promise<Pass> {
  const { store } = ctx;
  return pass(await store.transaction((tx) => store.dialect.mergeFullText(tx, MERGE_PAGES), 'bookkeeping'));
}

async function cutFiles(ctx: Context, signal: AbortSignal): Promise<Pass> {
  await fillChunks(ctx, signal);
  return 'idle';
}

async function checkEntityNames(ctx: Context): Promise<Pass> {
  if (await claimDay(ctx, 'names')) await checkNames(ctx);
  return 'idle';
}

async function checkFigures(ctx: Context): Promise<Pass> {
  if (await claimDay(ctx, 'figures')) await repairFigures(ctx);
  return 'idle';
}

function pass(more: boolean): Pass {
  return more ? 'more' : 'idle';
}

const DAY_MS = 86_400_000;

// True for one process a day: the lease is never renewed, so no other process gets it until it has expired.
async function claimDay(ctx: Context, task: string): Promise<boolean> {
  const holder = Buffer.from(ctx.randomBytes(12)).toString('hex');
  const lease = { name: `daily:${task}`, holder, at: now(ctx), ms: DAY_MS };
  return transact(ctx, ({ tx, store }) => takeNamedLease(store, tx, lease), 'bookkeeping');
}
