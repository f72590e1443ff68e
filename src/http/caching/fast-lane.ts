// Answers hits of the byte cache straight from node's request and response: no router, no parsing, no serialising.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS } from '../../contract/caller.ts';
import { etagMatches, negotiate } from '../../domain/accept.ts';
import { type Coding, etagOf } from '../kernel/answer.ts';
import type { ExchangeParts } from '../kernel/exchange.ts';
import { isPersonal, SECURITY_HEADERS } from '../kernel/headers.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { limitHeaders } from '../kernel/limits.ts';
import type { Series } from '../kernel/request-meter.ts';
import type { ByteCache, Kept, Slot } from './byte-cache.ts';
import { chooseCoding } from './compression.ts';

// False: the request needs the whole way. Nothing was written or counted then.
type FastLane = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createFastLane(kernel: Kernel, parts: ExchangeParts): FastLane {
  const { cache } = kernel;
  if (cache === null) return () => false;
  return (request, response) => {
    const startedAt = performance.now();
    const hit = findHit(cache, request, startedAt);
    if (hit === null) return false;
    const { kept, coding, body } = hit;
    const allowance = kernel.tiers.take(ANONYMOUS, parts.addressOf(request));
    if (allowance && !allowance.allowed) return false;

    const lines = headerLines(kept, coding, body).slice();
    lines.push('X-Request-Id', parts.requestId(request.headers['x-request-id']));
    if (kept.told) lines.push('X-Cache', 'HIT');
    if (allowance) for (const [name, value] of limitHeaders([allowance])) lines.push(name, value);
    const { origin } = request.headers;
    if (origin !== undefined) addCors(lines, parts.cors(origin));

    const status = isUnchanged(request, kept) ? 304 : 200;
    response.writeHead(status, status === 304 ? withoutBodyHeaders(lines) : lines);
    response.end(status === 304 || request.method === 'HEAD' ? undefined : body);
    kernel.meter.cacheHits += 1;
    kernel.meter.observe(seriesOf(kernel, request, kept, status), (performance.now() - startedAt) / 1000);
    return true;
  };
}

function seriesOf({ meter }: Kernel, request: IncomingMessage, kept: Kept, status: number): Series {
  if (status !== 200 || request.method !== 'GET') return meter.seriesOf(request.method ?? '', kept.route, status);
  kept.series ??= meter.seriesOf('GET', kept.route, 200);
  return kept.series;
}

interface Hit {
  kept: Kept;
  coding: Coding | null;
  body: Buffer;
}

function findHit(cache: ByteCache, request: IncomingMessage, now: number): Hit | null {
  const { method, url, headers } = request;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return null;
  const slot = cache.peek(url);
  if (slot === undefined || isPersonal(headers)) return null;
  const kept = freshest(cache, { url, slot, accept: headers.accept, now });
  if (kept === null) return null;
  const coding = chooseCoding(kept.answer, headers['accept-encoding']);
  const body = coding === null ? kept.answer.body : kept.answer.coded[coding];
  return body ? { kept, coding, body } : null;
}

// A database that cannot be asked is a matter for the whole way, which knows how to tell it.
function freshest(
  cache: ByteCache,
  { url, slot, accept, now }: { url: string; slot: Slot; accept: string | undefined; now: number },
): Kept | null {
  const wantsMarkdown =
    slot.negotiated &&
    accept !== undefined &&
    accept !== '*/*' &&
    negotiate(accept, ['application/json', 'text/markdown']) === 'text/markdown';
  try {
    cache.versionOfTurn(now);
    return cache.find(url, wantsMarkdown ? 'markdown' : 'json');
  } catch {
    return null;
  }
}

function headerLines(kept: Kept, coding: Coding | null, body: Buffer): string[] {
  const known = kept.lines[coding ?? 'identity'];
  if (known) return known;
  const { answer } = kept;
  const pairs: [string, string][] = [
    ...answer.headers,
    ['Vary', answer.vary.join(', ')],
    ['ETag', etagOf(answer, coding) ?? ''],
    ...SECURITY_HEADERS,
    ['Content-Length', String(body.length)],
  ];
  if (coding !== null) pairs.push(['Content-Encoding', coding]);
  const lines = pairs.flat();
  kept.lines[coding ?? 'identity'] = lines;
  return lines;
}

function addCors(lines: string[], cors: readonly [string, string][]): void {
  const at = lines.indexOf('Vary') + 1;
  lines[at] = `${lines[at]}, Origin`;
  lines.push(...cors.flat());
}

function isUnchanged(request: IncomingMessage, { answer }: Kept): boolean {
  const given = request.headers['if-none-match'];
  return given !== undefined && etagMatches(given, `"${answer.digest}"`);
}

const BODY_HEADERS = new Set(['Content-Type', 'Content-Length', 'Content-Encoding']);

function withoutBodyHeaders(lines: readonly string[]): string[] {
  const left: string[] = [];
  for (let i = 0; i < lines.length; i += 2) {
    if (!BODY_HEADERS.has(lines[i] as string)) left.push(lines[i] as string, lines[i + 1] as string);
  }
  return left;
}
