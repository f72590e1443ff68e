// Executes a GET: parses path and query, looks into the cache, negotiates the format, calls `run`.

import type { Context } from '../../context.ts';
import type { Dependencies } from '../../store/changes/change-feed.ts';
import { admit, type Execution } from './admit.ts';
import type { Answer } from './answer.ts';
import { runRoute, verifyReply } from './compile.ts';
import { readQueryInput } from './input.ts';
import { giveBackRead } from './limits.ts';
import { checkPathIds } from './path-ids.ts';
import { renderReply } from './render.ts';
import { toReply } from './reply.ts';
import type { RouteDeclaration } from './route.ts';
import { isUnchanged } from './send.ts';
import type { StreamRequest } from './stream.ts';

// Cached answers expire even without a commit, because some figures and windows move with the clock.
const CACHED_SECONDS = 60;

export async function executeRead(execution: Execution): Promise<Answer> {
  const { kernel, exchange, match } = execution;
  const { route } = match;
  const { declaration } = route;
  const { ctx, request } = await admit(execution);
  const offered = match.format === null ? route.offered : null;
  const { format } = request;
  const input = {
    params: checkPathIds(match.params),
    query: readQueryInput(route, exchange.target.query),
    body: undefined,
  };
  if (declaration.live) {
    const streamRequest = (await runRoute(declaration, { ctx, input, request })) as StreamRequest;
    const reply = await kernel.streams.open(ctx, exchange, streamRequest);
    return renderReply(ctx, { route, exchange, reply, written: null });
  }
  const slot = cacheSlotOf(execution, input.query);
  const mark = slot?.cache.refresh() ?? 0;
  const cached = slot?.cache.find(slot.url, format);
  if (declaration.storedAnswer) {
    const isDefault = declaration.storedAnswer.isDefault(input.query);
    exchange.response.setHeader('X-Cache', cached ? 'HIT' : isDefault ? 'MISS' : 'BYPASS');
  }
  if (cached) return cached.answer;
  if (declaration.counts) request.takeReads(1);
  const reply = toReply(await runRoute(declaration, { ctx, input, request }));
  if (kernel.verifyAnswers) verifyReply(declaration, reply);
  const answer = renderReply(ctx, { route, exchange, reply, written: { format, input } });
  if (declaration.counts && isUnchanged(exchange, answer)) giveBackRead(kernel.tiers, { caller: ctx.caller, exchange });
  const isCacheable = answer.status === 200 && !answer.open && !ctx.answer.containsHidden && !ctx.answer.degraded;
  if (slot && isCacheable && reply.cookies.length === 0) {
    slot.cache.store(slot.url, {
      format,
      offered: offered ?? { formats: [format], types: [''] },
      mark,
      dependencies: dependenciesOf(ctx, declaration),
      seconds: slot.seconds,
      answer,
      route: route.template,
      showsXCache: declaration.storedAnswer !== undefined,
      isCounted: route.group.isApi ?? false,
    });
  }
  return answer;
}

// An answer that resolved no entity depends on the whole registry, whatever its declaration says.
function dependenciesOf({ answer }: Context, { dependsOn }: RouteDeclaration): Dependencies {
  const { shows, showsRegistry } = answer;
  return dependsOn === 'resolved' && !showsRegistry && shows !== null && shows.size > 0 ? shows : null;
}

// The cache key of the answer, or null when it must not be cached. All spellings of a default request share one key.
function cacheSlotOf({ kernel: { cache }, match: { route }, exchange }: Execution, query: Record<string, never>) {
  const { cache: rule, cacheBytes, storedAnswer } = route.declaration;
  if (cache === null || !rule || rule === 'never' || cacheBytes === false || exchange.personal) return null;
  if (!storedAnswer) return { cache, url: exchange.request.url ?? '', seconds: CACHED_SECONDS };
  if (!storedAnswer.isDefault(query)) return null;
  return { cache, url: exchange.target.path, seconds: storedAnswer.seconds };
}
