// Writes an answer: compression, conditional requests, HEAD.
import type { IncomingHttpHeaders } from 'node:http';
import { etagMatches } from '../../domain/content-negotiation.ts';
import { parseHttpDate } from '../../domain/net/http-date.ts';
import { chooseCoding, codedBody } from '../caching/compression.ts';
import { type Answer, type ContentCoding, etagOf } from './answer.ts';
import type { HttpExchange } from './kernel.ts';

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
