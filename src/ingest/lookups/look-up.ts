// POST /lookups: permission, one shared run for all concurrent callers, and an answer within a time limit.
import { wholeRows } from '../../catalog/releases/feed.ts';
import { releaseItems } from '../../catalog/releases/release-items.ts';
import { findSource } from '../../catalog/resolve.ts';
import { sourceFeed } from '../../catalog/sources/detail.ts';
import { sourceItems } from '../../catalog/sources/source-fields.ts';
import type { Context } from '../../context.ts';
import { holdsScope, SYSTEM } from '../../contract/caller.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import type { LookupAnswer } from '../../contract/lookup-run.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { Store } from '../../store/store.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { findRelatedOrg } from './related-org.ts';
import { type LookupContext, type LookupFinding, runLookup, storedSource } from './run.ts';

const FORM = /^(?:github:)?[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/i;
const RELEASES = 20;

export async function lookUp(
  ctx: LookupContext,
  input: { provider?: unknown; coordinate?: unknown },
): Promise<LookupAnswer> {
  requireOpen(ctx);
  if (input.provider !== 'github') throw badRequest('provider', 'must be github');
  const text = typeof input.coordinate === 'string' ? input.coordinate : '';
  const coordinate = FORM.test(text) ? githubCoordinate(text) : null;
  if (coordinate === null) throw badRequest('coordinate', 'must be owner/repo or github:owner/repo');
  return toAnswer(ctx, coordinate, await sharedRun(ctx, coordinate));
}

function requireOpen({ config, caller }: Context): void {
  const { access } = config.lookups;
  if (access === 'off') throw new ApiError('forbidden', 'lookups are switched off');
  if (access === 'public' || holdsScope(caller, 'write')) return;
  if (caller.kind === 'anonymous') throw new ApiError('unauthorized', 'lookups need a token with write scope');
  throw new ApiError('insufficient_scope', 'lookups need write scope', { required: 'write' });
}

// Concurrent callers in this process share one run; other processes meet at the row of the source.
const running = new WeakMap<Store, Map<string, Promise<LookupFinding>>>();

async function sharedRun(ctx: LookupContext, coordinate: string): Promise<LookupFinding> {
  // Other writers would wait for the end of that transaction.
  requireNoTransaction(ctx);
  const runs = running.get(ctx.store) ?? new Map<string, Promise<LookupFinding>>();
  running.set(ctx.store, runs);
  let run = runs.get(coordinate);
  if (!run) {
    // The run belongs to no request, so it continues when its caller disconnects.
    run = runLookup({ ...ctx, caller: SYSTEM }, coordinate).finally(() => runs.delete(coordinate));
    run.catch((error) => {
      if (!(error instanceof ApiError)) ctx.log.error({ err: error, coordinate }, 'lookup failed');
    });
    runs.set(coordinate, run);
  }
  const { over, cancel } = ctx.lookups.patience();
  try {
    return await Promise.race([run, over.then(() => whatIsKnown(ctx, coordinate))]);
  } finally {
    cancel();
  }
}

async function whatIsKnown(ctx: LookupContext, coordinate: string): Promise<LookupFinding> {
  const stored = await storedSource(ctx, coordinate);
  return { status: 'deferred', sourceId: stored === 'hidden' || stored === null ? null : stored.id };
}

async function toAnswer(
  ctx: LookupContext,
  coordinate: string,
  { status, sourceId }: LookupFinding,
): Promise<LookupAnswer> {
  const relatedOrg = await findRelatedOrg(ctx, coordinate);
  const found = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  if (!found) return { status, relatedOrg };
  const [source] = await sourceItems(ctx, [found.source]);
  if (!source || status === 'empty') return { status, ...(source ? { source } : {}), relatedOrg };
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, includePrereleases: true };
  const rows = await wholeRows(ctx, { branches, filter, page: { limit: RELEASES }, after: null });
  return { status, source, releases: await releaseItems(ctx, rows), relatedOrg };
}
