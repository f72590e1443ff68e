// An answer as bytes, with the headers that belong to these bytes.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  // Everything but ETag, Content-Length, Content-Encoding and what belongs to one request.
  headers: readonly [string, string][];
  vary: readonly string[];
  body: Buffer | null;
  // Opaque part of the tag of the uncoded body.
  digest: string | null;
  weak: boolean;
  // Coded forms, made when first asked for.
  coded: Partial<Record<ContentCoding, Buffer>>;
  // Given the response once its headers are sent; it stays open and has no body of its own.
  open?: (response: ServerResponse) => void;
}

export type ContentCoding = 'gzip' | 'br';

interface AnswerParts {
  status: number;
  headers: readonly [string, string][];
  vary?: readonly string[];
  body: string | Uint8Array | null;
  tagged: boolean;
  // In place of one that is made of the body.
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
