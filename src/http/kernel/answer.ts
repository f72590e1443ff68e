// An answer as bytes, with the headers that describe these bytes: how the result of `run` becomes one, and how it is sent.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { etagMatches } from '../../domain/content-negotiation.ts';
import { parseHttpDate } from '../../domain/net/http-date.ts';
import { chooseCoding, codedBody } from '../caching/byte-cache.ts';
import { PAGE_HEADERS, PRIVATE } from './headers.ts';
import type { HttpExchange } from './kernel.ts';
import { FORMAT_TYPES, type Format, HTML_TYPE, JSON_TYPE, Reply } from './reply.ts';
import type { CompiledRoute } from './router.ts';

export interface Answer {
  status: number;
  // All headers except ETag, Content-Length, Content-Encoding and those of a single request.
  headers: readonly [string, string][];
  vary: readonly string[];
  body: Buffer | null;
  // The opaque part of the ETag of the uncompressed body.
  tag: string | null;
  weak: boolean;
  // The compressed bodies, made when they are first requested.
  coded: Partial<Record<ContentCoding, Buffer>>;
  // Called with the response after its headers are sent; the response stays open and has no body of its own.
  open?: (response: ServerResponse) => void;
}

export type ContentCoding = 'gzip' | 'br';

interface AnswerParts {
  status: number;
  headers: readonly [string, string][];
  vary?: readonly string[];
  body: string | Uint8Array | null;
  tagged: boolean;
  // The opaque part of the ETag; by default it is a hash of the body.
  tag?: string | undefined;
}

export function createAnswer({ status, headers, vary = [], body, tagged, tag }: AnswerParts): Answer {
  const bytes = body === null ? null : toBuffer(body);
  const isPage = headers.some(([name, value]) => name === 'Content-Type' && value.startsWith('text/html'));
  return {
    status,
    headers,
    vary,
    body: bytes,
    tag: tagged && bytes ? (tag ?? hashOf(bytes)) : null,
    weak: isPage,
    coded: {},
  };
}

export function etagOf(answer: Answer, coding: ContentCoding | null): string | null {
  if (answer.tag === null) return null;
  return `${answer.weak ? 'W/' : ''}"${answer.tag}${coding ? `-${coding}` : ''}"`;
}

function toBuffer(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}

// Turns the result of `run` into an answer with its cache headers.

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
    ...(type === HTML_TYPE ? PAGE_HEADERS : {}),
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

// Compression, conditional requests, HEAD.
export async function sendAnswer(exchange: HttpExchange, answer: Answer): Promise<void> {
  const { request, response } = exchange;
  const coding = chooseCoding(answer, request.headers['accept-encoding']);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  const vary = [...new Set([...answer.vary, ...exchange.vary])];
  if (vary.length > 0) response.setHeader('Vary', vary.join(', '));
  const etag = etagOf(answer, coding);
  if (etag !== null) response.setHeader('ETag', etag);
  if (isUnchanged(exchange, answer)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  if (answer.open && request.method !== 'HEAD') {
    response.writeHead(answer.status).flushHeaders();
    answer.open(response);
    return;
  }
  const body = await codedBody(answer, coding);
  if (response.destroyed) return;
  writeBody(exchange, answer.status, body, coding);
}

export function isUnchanged({ request }: HttpExchange, answer: Answer): boolean {
  const plain = etagOf(answer, null);
  if (answer.status !== 200 || plain === null) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const modified = answer.headers.find(([name]) => name === 'Last-Modified')?.[1];
  return holdsCurrent(request.headers, { tag: plain.replace(/^W\//, ''), modified });
}

interface Validators {
  // The ETag with its quotes.
  tag: string;
  modified?: string | undefined;
}

// Whether the client already has the current version. An ETag is more precise than a date and takes precedence.
export function holdsCurrent(headers: IncomingHttpHeaders, { tag, modified }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return etagMatches(tags, tag);
  if (since === undefined || modified === undefined) return false;
  const sinceDate = parseHttpDate(since, new Date());
  return sinceDate !== null && Date.parse(modified) <= sinceDate.getTime();
}

function writeBody(
  { request, response }: HttpExchange,
  status: number,
  body: Buffer | null,
  coding: ContentCoding | null,
): void {
  if (body === null) {
    response.writeHead(status).end();
    return;
  }
  if (coding !== null) response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Length', body.length);
  response.writeHead(status);
  response.end(request.method === 'HEAD' ? undefined : body);
}
