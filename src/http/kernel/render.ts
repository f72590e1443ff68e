// Turns the result of `run` into an answer with its cache headers.
import type { Context } from '../../context.ts';
import { type Answer, createAnswer } from './answer.ts';
import type { CompiledRoute } from './compile.ts';
import type { HttpExchange } from './exchange.ts';
import { PRIVATE } from './headers.ts';
import { pageHeaders } from './page-headers.ts';
import { FORMAT_TYPES, type Format, HTML_TYPE, JSON_TYPE, Reply } from './reply.ts';

interface Rendering {
  route: CompiledRoute;
  exchange: HttpExchange;
  reply: Reply;
  // The requested format and the input for its writer; null when the reply is sent unchanged.
  written: { format: Format; input: unknown } | null;
}

export function renderReply(ctx: Context, rendering: Rendering): Answer {
  const { route, exchange } = rendering;
  const reply = writtenReply(ctx, rendering);
  if (reply.cookies.length > 0) exchange.response.setHeader('Set-Cookie', reply.cookies);
  const { 'Content-Type': ownType, 'Cache-Control': ownCache, Vary: ownVary, ...own } = reply.headers;
  const body = bodyOf(reply);
  const type = ownType ?? (reply.body instanceof Uint8Array ? undefined : JSON_TYPE);
  const headers = Object.entries({
    ...(type !== undefined && (body !== null || reply.open) ? { 'Content-Type': type } : {}),
    ...(type === HTML_TYPE ? pageHeaders() : {}),
    ...own,
    'Cache-Control': cacheControl(ctx, { route, exchange, own: ownCache }),
  });
  const tagged = isTagged(route, reply);
  const vary = ownVary?.split(', ') ?? route.vary;
  const answer = createAnswer({ status: reply.status, headers, vary, body, tagged, tag: reply.tag });
  return reply.open ? { ...answer, open: reply.open } : answer;
}

// Writes the reply in the requested format, unless it already has a content type.
export function writtenReply(
  ctx: Context,
  { route, reply, written }: Pick<Rendering, 'route' | 'reply' | 'written'>,
): Reply {
  if (written === null || reply.status !== 200 || reply.headers['Content-Type'] !== undefined) return reply;
  const { format, input } = written;
  const write = route.writers[format];
  if (!write) return reply;
  const made: unknown = write(reply.body as never, input as never, ctx);
  const headers = {
    'Content-Type': FORMAT_TYPES[format],
    ...(format === 'markdown' ? { 'X-Markdown-Tokens': String(Math.ceil(lengthOf(made) / 4)) } : {}),
    ...reply.headers,
  };
  if (made instanceof Reply) return new Reply(made.status, made.body, { ...headers, ...made.headers });
  return new Reply(200, format === 'json' ? JSON.stringify(made) : made, headers);
}

function lengthOf(made: unknown): number {
  return String(made instanceof Reply ? made.body : made).length;
}

function bodyOf(reply: Reply): string | Uint8Array | null {
  if (reply.open) return null;
  if (reply.body instanceof Uint8Array) return reply.body;
  if (reply.headers['Content-Type'] !== undefined && typeof reply.body === 'string') return reply.body;
  const isEmpty = reply.status === 204 || (reply.status >= 300 && reply.body == null);
  return isEmpty ? null : JSON.stringify(reply.body ?? null);
}

function isTagged({ declaration }: CompiledRoute, reply: Reply): boolean {
  return declaration.method === 'GET' && reply.status === 200 && declaration.cache !== 'never';
}

function cacheControl(
  { answer }: Context,
  { route, exchange, own }: { route: CompiledRoute; exchange: HttpExchange; own: string | undefined },
): string {
  if (own?.includes('no-store')) return own;
  if (exchange.personal || answer.containsHidden) return PRIVATE;
  return answer.degraded ? 'no-store' : (own ?? route.publicCache);
}
