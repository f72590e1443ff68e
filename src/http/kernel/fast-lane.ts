// Answers hits of the byte cache directly from node's request and response, without router, parsing and serialization.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS } from '../../contract/caller.ts';
import { etagMatches } from '../../domain/content-negotiation.ts';
import {
  type ByteCache,
  type CachedAnswer,
  type CachedResponse,
  type CacheSlot,
  chooseCoding,
} from '../caching/byte-cache.ts';
import { hitHeaders } from '../caching/tell-cache.ts';
import { type ContentCoding, etagOf } from './answer.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { type ExchangeParts, isPersonal, type Kernel, type Series } from './kernel.ts';
import { limitHeaders } from './limits.ts';
import { negotiated } from './router.ts';

// Returns false when the request needs the full path through the kernel. In that case nothing was written or counted.
type FastLane = (request: IncomingMessage, response: ServerResponse) => boolean;

// Null when the cache is switched off.
export function createFastLane(kernel: Kernel, parts: ExchangeParts): FastLane | null {
  const { cache } = kernel;
  if (cache === null) return null;
  return (request, response) => {
    const startedAt = performance.now();
    const hit = findHit(cache, request, startedAt);
    if (hit === null) return false;
    const { cached, sent } = hit;
    const allowance = cached.isCounted ? kernel.tiers.take(ANONYMOUS, parts.addressOf(request)) : null;
    if (allowance && !allowance.allowed) return false;

    const lines = sent.lines.slice();
    lines[lines.length - 1] = parts.requestId(request.headers['x-request-id']);
    if (allowance) for (const [name, value] of limitHeaders([allowance])) lines.push(name, value);
    const { origin } = request.headers;
    if (origin !== undefined) addCors(lines, parts.cors(origin));

    const status = isUnchanged(request, cached) ? 304 : 200;
    response.writeHead(status, status === 304 ? withoutBodyHeaders(lines) : lines);
    if (status === 304 || request.method === 'HEAD') response.end();
    else if (typeof sent.body === 'string') response.end(sent.body, 'latin1');
    else response.end(sent.body);
    kernel.meter.cacheHits += 1;
    kernel.meter.observe(seriesOf(kernel, request, cached, status), (performance.now() - startedAt) / 1000);
    return true;
  };
}

function seriesOf({ meter }: Kernel, request: IncomingMessage, cached: CachedAnswer, status: number): Series {
  if (status !== 200 || request.method !== 'GET') return meter.seriesOf(request.method ?? '', cached.route, status);
  cached.series ??= meter.seriesOf('GET', cached.route, 200);
  return cached.series;
}

interface CacheHit {
  cached: CachedAnswer;
  sent: CachedResponse;
}

function findHit(cache: ByteCache, request: IncomingMessage, now: number): CacheHit | null {
  const { method, url, headers } = request;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return null;
  const slot = cache.peek(url);
  if (slot === undefined || isPersonal(headers)) return null;
  // `If-Modified-Since` alone is handled by the full path; an ETag takes precedence where both are sent.
  if (headers['if-modified-since'] !== undefined && headers['if-none-match'] === undefined) return null;
  const cached = freshest(cache, { url, slot, accept: headers.accept, now });
  if (cached === null) return null;
  const coding = chooseCoding(cached.answer, headers['accept-encoding']);
  const body = coding === null ? cached.answer.body : cached.answer.coded[coding];
  if (!body) return null;
  const sent = cachedResponse(cached, coding, body);
  cache.countHit(slot, cached, sent);
  return { cached, sent };
}

// When the database is not reachable, the request takes the full path, which reports the outage.
function freshest(
  cache: ByteCache,
  { url, slot, accept, now }: { url: string; slot: CacheSlot; accept: string | undefined; now: number },
): CachedAnswer | null {
  const isDefault = accept === undefined || accept === '*/*';
  const format = isDefault ? slot.offered.formats[0] : negotiated(slot.offered, accept);
  try {
    cache.refreshOncePerTurn(now);
    return cache.find(url, format);
  } catch {
    return null;
  }
}

function cachedResponse(cached: CachedAnswer, coding: ContentCoding | null, body: Buffer): CachedResponse {
  const { version } = cached;
  const known = cached.responses[coding ?? 'identity'];
  if (known?.version === version) return known;
  const lines = headerLines(cached, coding, body.length);
  const response = known ? Object.assign(known, { lines, version }) : { lines, version, body, hits: 0 };
  cached.responses[coding ?? 'identity'] = response;
  return response;
}

function headerLines(cached: CachedAnswer, coding: ContentCoding | null, length: number): string[] {
  const { answer } = cached;
  const pairs: [string, string][] = [
    ...answer.headers,
    ['Vary', answer.vary.join(', ')],
    ['ETag', etagOf(answer, coding) ?? ''],
    ...SECURITY_HEADERS,
    ['Content-Length', String(length)],
  ];
  if (coding !== null) pairs.push(['Content-Encoding', coding]);
  pairs.push(...hitHeaders(cached), ['X-Request-Id', '']);
  return pairs.flat();
}

function addCors(lines: string[], cors: readonly [string, string][]): void {
  const at = lines.indexOf('Vary') + 1;
  lines[at] = `${lines[at]}, Origin`;
  lines.push(...cors.flat());
}

function isUnchanged(request: IncomingMessage, { answer }: CachedAnswer): boolean {
  const given = request.headers['if-none-match'];
  return given !== undefined && etagMatches(given, `"${answer.tag}"`);
}

const BODY_HEADERS = new Set(['Content-Type', 'Content-Length', 'Content-Encoding']);

function withoutBodyHeaders(lines: readonly string[]): string[] {
  return lines.filter((_, index) => !BODY_HEADERS.has(lines[index - (index % 2)] ?? ''));
}
