// GET: path and query rules, kept bytes, negotiation, `run`.
import type { Context } from '../../context.ts';
import { negotiate } from '../../domain/accept.ts';
import type { Representation } from '../caching/byte-cache.ts';
import type { Answer } from './answer.ts';
import type { CompiledRoute } from './compile.ts';
import type { Exchange } from './exchange.ts';
import { queryFailure } from './issues.ts';
import type { Kernel } from './kernel.ts';
import { checkPathIds } from './path-ids.ts';
import { renderMarkdown, renderReply, toReply } from './render.ts';
import type { StreamWish } from './stream.ts';
import { readQuery } from './target.ts';
import { verifyReply } from './verify.ts';

// Without the clock a kept answer would hide figures and windows that move with it.
const KEPT_SECONDS = 60;

export interface ReadRequest {
  ctx: Context;
  route: CompiledRoute;
  exchange: Exchange;
  params: Record<string, string>;
}

export async function executeRead(kernel: Kernel, request: ReadRequest): Promise<Answer> {
  const { ctx, route, exchange } = request;
  const { declaration } = route;
  const representation = representationFor(route, exchange.request.headers.accept);
  const input = {
    params: checkPathIds(request.params),
    query: readQueryInput(route, exchange.target.query),
    body: undefined,
  };
  if (declaration.live) {
    const wish = (await declaration.run(ctx, input as never)) as StreamWish;
    return kernel.streams.answer(ctx, exchange, wish);
  }
  const place = placeOf(kernel, request, input.query);
  const version = place?.cache.version() ?? 0;
  const kept = place?.cache.find(place.url, representation);
  if (declaration.storedAnswer) {
    const isDefault = declaration.storedAnswer.isDefault(input.query);
    exchange.response.setHeader('X-Cache', kept ? 'HIT' : isDefault ? 'MISS' : 'BYPASS');
  }
  if (kept) return kept.answer;
  const reply = toReply(await declaration.run(ctx, input as never));
  if (kernel.verifyAnswers) verifyReply(declaration, reply);
  const answer =
    representation === 'markdown' && reply.status === 200
      ? renderMarkdown(ctx, route, exchange, { reply, input })
      : renderReply(ctx, route, exchange, reply);
  if (place && answer.status === 200 && !ctx.answer.containsHidden && !ctx.answer.degraded) {
    const { template } = route;
    const told = declaration.storedAnswer !== undefined;
    const negotiated = declaration.markdown !== undefined;
    const { seconds } = place;
    place.cache.keep(place.url, { representation, negotiated, version, seconds, answer, route: template, told });
  }
  return answer;
}

export function readQueryInput(route: CompiledRoute, query: string): Record<string, never> {
  const given = readQuery(query, route.declaration.lenientQuery);
  const values = Object.fromEntries(Object.keys(route.query.shape).map((name) => [name, given.get(name)]));
  const result = route.query.safeParse(values);
  if (!result.success) throw queryFailure(result.error);
  return result.data as Record<string, never>;
}

function representationFor(route: CompiledRoute, accept: string | undefined): Representation {
  if (!route.declaration.markdown) return 'json';
  return negotiate(accept, ['application/json', 'text/markdown']) === 'text/markdown' ? 'markdown' : 'json';
}

// Where the answer may be kept. All spellings of a default request share one place.
function placeOf({ cache }: Kernel, { route, exchange }: ReadRequest, query: Record<string, never>) {
  const { cache: rule, keepBytes, storedAnswer } = route.declaration;
  if (cache === null || !rule || keepBytes === false || exchange.personal) return null;
  if (!storedAnswer) return { cache, url: exchange.request.url ?? '', seconds: KEPT_SECONDS };
  if (!storedAnswer.isDefault(query)) return null;
  return { cache, url: exchange.target.path, seconds: storedAnswer.seconds };
}
