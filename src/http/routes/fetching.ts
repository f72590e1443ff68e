import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import {
  type FetchInput,
  type FetchResultBody,
  fetchInput,
  fetchQueued,
  fetchResult,
  MAX_RELEASES,
} from '../../contract/fetching.ts';
import { param } from '../../contract/parameters.ts';
import { integerIn } from '../../contract/query.ts';
import { factsOf } from '../../domain/source-types.ts';
import { resolveSource, type SourcePath, sourcePath } from '../../entities/resolve.ts';
import type { FetchTools } from '../../ingest/adapters/adapter-context.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import { Reply } from '../kernel/reply.ts';
import { bothPaths, type RouteDeclaration } from '../kernel/route.ts';

const PATIENCE_MS = 30_000;

interface Fetching {
  // Tests pass their own.
  tools?: FetchTools;
  timers: Timers;
}

export function createFetchingRoutes({ tools, timers = systemTimers }: Partial<Fetching> = {}) {
  return bothPaths('sources', '/fetch', {
    method: 'POST',
    summary: 'Fetch a source now; a fetch that takes longer than 30 seconds goes on by itself',
    description:
      'Reads the source right away and answers what was found. After 30 seconds the answer is 202 and the fetch goes on. Options may stand in the query or in the body.',
    tag: 'Ingest',
    access: 'write',
    query: {
      dryRun: param.dryRun,
      max: integerIn(1, MAX_RELEASES).describe('At most so many releases are taken in.'),
      announce: param.announce,
      silent: param.silent,
    },
    body: fetchInput,
    answers: { 200: fetchResult, 202: fetchQueued },
    errors: ['not_found', 'bad_request', 'busy', 'rate_limited'],
    limiters: ['outbound'],
    outbound: true,
    // Options in the body take precedence over the query.
    run: (ctx, { params, query, body }) =>
      fetchNow(ctx, {
        path: sourcePath(params),
        requested: { ...query, ...body },
        fetching: { tools, timers },
      }),
  });
}

export const fetchingRoutes: RouteDeclaration[] = createFetchingRoutes();

async function fetchNow(
  ctx: Context,
  { path, requested, fetching }: { path: SourcePath; requested: FetchInput; fetching: Fetching },
): Promise<FetchResultBody | Reply> {
  if (requested.announce && requested.silent) {
    const reason = 'announce and silent exclude each other';
    throw new ApiError('bad_request', reason, { field: 'silent', reason });
  }
  const found = await resolveSource(ctx, path);
  const { enqueueFetch, flagSource, runOrdered, toolsOf } = await import('../../ingest/on-request.ts');
  const { tools = toolsOf(ctx), timers } = fetching;
  if (factsOf(found.source.type).needsModel && tools.model === null) {
    await flagSource(ctx, found);
    return queued('flagged');
  }
  const key = await enqueueFetch(ctx, found, requested);
  const late = new AbortController();
  const run = runOrdered(ctx, key, { signal: late.signal, timers, tools });
  const report = await patiently(run, timers);
  if (report) return { fetched: true, ...report };
  late.abort();
  // The client already has its 202, so a failure is only logged.
  run.catch((err) => ctx.log.error({ err, job: key }, 'a fetch failed'));
  return queued();
}

// Null when it takes too long.
function patiently<T>(run: Promise<T>, timers: Timers): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const cancel = timers.after(PATIENCE_MS, () => resolve(null));
  return Promise.race([run, promise]).finally(cancel);
}

function queued(type?: 'flagged'): Reply {
  return new Reply(202, { queued: true, ...(type && { type }) });
}
