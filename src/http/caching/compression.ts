import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { preferredEncoding } from '../../domain/content-negotiation.ts';
import type { Answer, ContentCoding } from '../kernel/answer.ts';

const gzipBytes = promisify(gzip);
const brotliBytes = promisify(brotliCompress);

const SMALLEST_CODED = 1024;
// Above level 5 brotli costs far more time than it saves bytes.
const BROTLI_LEVEL = 5;

const remembered = new Map<string, ContentCoding | null>();
const MAX_REMEMBERED = 500;

// Clients send few different values of this header and it is read on every request, so the result is memoized.
function codingFor(header: string | undefined): ContentCoding | null {
  if (header === undefined) return null;
  let coding = remembered.get(header);
  if (coding === undefined) {
    coding = preferredEncoding(header);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(header, coding);
  }
  return coding;
}

export function chooseCoding(answer: Answer, acceptEncoding: string | string[] | undefined): ContentCoding | null {
  if (answer.body === null || answer.body.length <= SMALLEST_CODED) return null;
  return codingFor(acceptEncoding?.toString());
}

export async function codedBody(answer: Answer, coding: ContentCoding | null): Promise<Buffer | null> {
  if (answer.body === null || coding === null) return answer.body;
  const body = answer.coded[coding] ?? (await compress(answer.body, coding));
  answer.coded[coding] = body;
  return body;
}

function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return gzipBytes(body, { level: 6 });
  const params = { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length };
  return brotliBytes(body, { params });
}
