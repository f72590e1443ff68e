// The ports of a lookup in the running service.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { wasRead } from '../../domain/fetching/outcome.ts';
import { isUnlisted } from '../../entities/resolve.ts';
import { sleep, systemTimers } from '../../net/timers.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { hostOf } from '../adapters/index.ts';
import { createProofs } from '../adapters/probe.ts';
import { runChangelog } from '../pipeline/changelog-job.ts';
import { runFetch } from '../pipeline/fetch-job.ts';
import { runOrdered } from '../pipeline/fetch-now.ts';
import { runJobWith } from '../pipeline/run-job.ts';
import { claimKey } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import { holdLease } from '../queue/hold-lease.ts';
import { lockHost, readHost } from '../queue/host-state.ts';
import { jobKey, MANUAL_PRIORITY } from '../queue/kinds.ts';
import { fetchKey } from '../schedule/fetch-jobs.ts';
import { describePackage } from './describe.ts';
import type { LookupContext, LookupPorts } from './run.ts';

const PATIENCE_MS = 20_000;
const HANDLERS = { fetch: runFetch, changelog: runChangelog };
const LOOK_AGAIN_MS = 250;

export function withLookups(ctx: Context): LookupContext {
  const { repository } = createProofs(ctx);
  const lookups: LookupPorts = { repository, describe: describePackage, notes, read, refresh, patience };
  return { ...ctx, lookups };
}

function refresh(ctx: WriteContext, source: SourceRow): Promise<void> {
  return enqueue(ctx, {
    key: fetchKey(source.id),
    kind: 'fetch',
    sourceId: source.id,
    host: hostOf(source, ctx.config.upstream),
    // Releases of a visible source are announced, whoever triggered the fetch.
    payload: isUnlisted(source) ? { trigger: 'lookup', silent: true } : { trigger: 'manual' },
    priority: MANUAL_PRIORITY,
  });
}

// Claims the job out of turn, so that other processes find it taken.
async function read(ctx: Context, source: SourceRow): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (await transact(ctx, (ctx) => order(ctx, source), 'bookkeeping')) {
    const report = await runOrdered(ctx, fetchKey(source.id), { signal });
    if (report) {
      const isRead = report.status === 'success' || report.status === 'no_change';
      return isRead && report.releasesFound === 0 ? readChangelog(ctx, source, signal) : isRead;
    }
  }
  return readElsewhere(ctx, source, signal);
}

// A repository without releases and tags may still have a changelog, which the next fetch reads. False when that is left to a
// worker.
async function readChangelog(ctx: Context, { id }: SourceRow, signal: AbortSignal): Promise<boolean> {
  for (const key of [jobKey('changelog', id), fetchKey(id)]) {
    const job = await claimKey(ctx, key);
    if (job === 'gone') continue;
    if (typeof job === 'string') return false;
    await holdLease(ctx, {
      lease: job.lease,
      work: (ended) => runJobWith(HANDLERS, ctx, { job, signal: ended }),
      signal,
    });
  }
  return !signal.aborted;
}

// The changelogs inside of its packages are read with the files of the repository.
async function notes(ctx: Context, source: SourceRow): Promise<void> {
  const order = { sourceId: source.id, host: hostOf(source, ctx.config.upstream), priority: MANUAL_PRIORITY };
  await transact(
    ctx,
    (ctx) => enqueue(ctx, { ...order, key: jobKey('changelog', source.id), kind: 'changelog', dueAt: now(ctx) }),
    'bookkeeping',
  );
  await readChangelog(ctx, source, AbortSignal.timeout(PATIENCE_MS));
}

// False when another process reads the source now, or has read it since the caller looked it up.
async function order(ctx: WriteContext, source: SourceRow): Promise<boolean> {
  const host = hostOf(source, ctx.config.upstream);
  await lockHost(ctx.tx, host);
  await readHost(ctx.tx, host, now(ctx));
  const running = await ctx.tx
    .selectFrom('jobs')
    .select('key')
    .where('key', '=', fetchKey(source.id))
    .where('lease_until', '>', now(ctx))
    .executeTakeFirst();
  const stored = await ctx.tx
    .selectFrom('sources')
    .select('last_polled_at')
    .where('id', '=', source.id)
    .executeTakeFirst();
  if (running || stored?.last_polled_at !== source.last_polled_at) return false;
  await refresh(ctx, source);
  return true;
}

async function readElsewhere(ctx: Context, source: SourceRow, signal: AbortSignal): Promise<boolean> {
  while (await sleep(systemTimers, LOOK_AGAIN_MS, signal)) {
    const row = await ctx.store.read
      .selectFrom('sources')
      .select(['last_polled_at', 'last_outcome'])
      .where('id', '=', source.id)
      .executeTakeFirst();
    if (!row) return false;
    if (row.last_polled_at !== source.last_polled_at) return row.last_outcome !== null && wasRead(row.last_outcome);
  }
  return false;
}

function patience(): { over: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PATIENCE_MS);
  return { over: promise, cancel: () => clearTimeout(timer) };
}
