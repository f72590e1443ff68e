// An answer as bytes, with the headers that describe these bytes.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  // All headers except ETag, Content-Length, Content-Encoding and those of a single request.
  headers: readonly [string, string][];
  vary: readonly string[];
  body: Buffer | null;
  // The opaque part of the ETag of the uncompressed body.
  digest: string | null;
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
    digest: tagged && bytes ? (tag ?? digestOf(bytes)) : null,
    weak: isPage,
    coded: {},
  };
}

export function etagOf(answer: Answer, coding: ContentCoding | null): string | null {
  if (answer.digest === null) return null;
  return `${answer.weak ? 'W/' : ''}"${answer.digest}${coding ? `-${coding}` : ''}"`;
}

function toBuffer(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}
