// From what `run` returned to an answer with its cache rules.
import type { Context } from '../../context.ts';
import { type Answer, createAnswer, JSON_TYPE, MARKDOWN_TYPE } from './answer.ts';
import type { CompiledRoute } from './compile.ts';
import type { Exchange } from './exchange.ts';
import { PRIVATE } from './headers.ts';
import { Reply, type RouteInput } from './route.ts';

type Input = RouteInput<never, never>;

export function toReply(result: unknown): Reply {
  return result instanceof Reply ? result : new Reply(200, result);
}

export function renderReply(ctx: Context, route: CompiledRoute, exchange: Exchange, reply: Reply): Answer {
  const { 'Content-Type': ownType, 'Cache-Control': ownCache, ...own } = reply.headers;
  const raw = ownType !== undefined && (typeof reply.body === 'string' || reply.body instanceof Uint8Array);
  const body = raw ? (reply.body as string | Uint8Array) : jsonBody(reply);
  const headers = Object.entries(own);
  if (body !== null) headers.unshift(['Content-Type', ownType ?? JSON_TYPE]);
  headers.push(['Cache-Control', cacheControl(ctx, route, exchange, ownCache)]);
  return createAnswer({ status: reply.status, headers, vary: route.vary, body, tagged: isTagged(route, reply) });
}

export function renderMarkdown(
  ctx: Context,
  route: CompiledRoute,
  exchange: Exchange,
  { reply, input }: { reply: Reply; input: unknown },
): Answer {
  const write = route.declaration.markdown as unknown as (answer: unknown, input: Input) => string;
  const text = write(reply.body, input as Input);
  const headers: [string, string][] = [
    ['Content-Type', MARKDOWN_TYPE],
    ['X-Markdown-Tokens', String(Math.ceil(text.length / 4))],
    ['Cache-Control', cacheControl(ctx, route, exchange, reply.headers['Cache-Control'])],
  ];
  return createAnswer({ status: 200, headers, vary: route.vary, body: text, tagged: true });
}

function jsonBody(reply: Reply): string | null {
  const empty = reply.status === 204 || (reply.status >= 300 && reply.body == null);
  return empty ? null : JSON.stringify(reply.body ?? null);
}

function isTagged(route: CompiledRoute, reply: Reply): boolean {
  return route.declaration.method === 'GET' && reply.status === 200;
}

function cacheControl(ctx: Context, route: CompiledRoute, exchange: Exchange, own: string | undefined): string {
  if (own?.includes('no-store')) return own;
  if (exchange.personal || ctx.answer.containsHidden) return PRIVATE;
  return ctx.answer.degraded ? 'no-store' : (own ?? route.publicCache);
}
