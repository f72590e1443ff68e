// POST /lookups: permission, one shared run for all concurrent callers, and an answer within a time limit.

import type { Context } from '../../context.ts';
import { holdsScope, SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LookupAnswer } from '../../contract/lookup-run.ts';
import { findSource } from '../../entities/resolve.ts';
import { sourceItems } from '../../entities/sources/source-fields.ts';
import { sourceFeed } from '../../releases/details/source.ts';
import { wholeRows } from '../../releases/feeds/feed.ts';
import { releaseItems } from '../../releases/release-items.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Store } from '../../store/store.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { type LookupRequest, readRequest } from './asked.ts';
import { runNameLookup, storedPackageSource, visibilityOf } from './by-name.ts';
import { findRelatedOrg } from './related-org.ts';
import { type LookupContext, type LookupFinding, runLookup, storedSource } from './run.ts';

const RELEASES = 20;

export async function lookUp(ctx: LookupContext, request: LookupRequest): Promise<LookupAnswer> {
  requireOpen(ctx);
  const wanted = readRequest(request);
  if ('coordinate' in wanted) {
    const { coordinate } = wanted;
    const run = { key: coordinate, work: runLookup, known: storedSource, subject: coordinate };
    return toAnswer(ctx, coordinate, await sharedRun(ctx, run));
  }
  const visibility = await visibilityOf(ctx, wanted.asked);
  if (visibility === null) return { status: 'not_found', relatedOrg: null };
  const subject = { ...wanted.asked, isPrivate: visibility === 'private' };
  const key = `${subject.ecosystem}:${subject.spelling}`;
  return toAnswer(ctx, null, await sharedRun(ctx, { key, work: runNameLookup, known: storedPackageSource, subject }));
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

// One lookup, whatever it is of.
interface SharedRun<Subject> {
  key: string;
  subject: Subject;
  work(ctx: LookupContext, subject: Subject): Promise<LookupFinding>;
  // The source that is known of it when the caller has waited long enough.
  known(ctx: LookupContext, subject: Subject): Promise<SourceRow | 'hidden' | null>;
}

async function sharedRun<Subject>(ctx: LookupContext, shared: SharedRun<Subject>): Promise<LookupFinding> {
  // Other writers would wait for the end of that transaction.
  requireNoTransaction(ctx);
  const { key, subject, work, known } = shared;
  const runs = running.get(ctx.store) ?? new Map<string, Promise<LookupFinding>>();
  running.set(ctx.store, runs);
  let run = runs.get(key);
  if (!run) {
    // The run belongs to no request, so it continues when its caller disconnects.
    run = work({ ...ctx, caller: SYSTEM }, subject).finally(() => runs.delete(key));
    run.catch((error) => {
      if (!(error instanceof ApiError)) ctx.log.error({ err: error, coordinate: key }, 'lookup failed');
    });
    runs.set(key, run);
  }
  const { over, cancel } = ctx.lookups.patience();
  const whatIsKnown = async (): Promise<LookupFinding> => {
    const stored = await known(ctx, subject);
    return { status: 'deferred', sourceId: stored === 'hidden' || stored === null ? null : stored.id };
  };
  try {
    return await Promise.race([run, over.then(whatIsKnown)]);
  } finally {
    cancel();
  }
}

// `coordinate` is null for a package: its source may have one.
async function toAnswer(
  ctx: LookupContext,
  coordinate: string | null,
  { status, sourceId }: LookupFinding,
): Promise<LookupAnswer> {
  const found = sourceId === null ? null : await findSource(ctx, { src: sourceId });
  const repository = coordinate ?? found?.source.github_coordinate ?? null;
  const relatedOrg = repository === null ? null : await findRelatedOrg(ctx, repository);
  if (!found) return { status, relatedOrg };
  const [source] = await sourceItems(ctx, [found.source]);
  if (!source || status === 'empty') return { status, ...(source ? { source } : {}), relatedOrg };
  const { branches, hidden } = sourceFeed(found);
  const filter = { hidden, includePrereleases: true };
  const rows = await wholeRows(ctx, { branches, filter, page: { limit: RELEASES }, after: null });
  return { status, source, releases: await releaseItems(ctx, rows), relatedOrg };
}
