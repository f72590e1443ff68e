// Request bodies: bytes up to a limit, then a media type, then JSON.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../contract/errors.ts';

export const DEFAULT_BODY_LIMIT = 64 * 1024;

// The caller hung up; nobody is left to answer.
export class ClientGone extends Error {}

// Refuses as soon as the size is known to be too large. What still arrives is dropped.
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(() => reject(tooLarge(limit)));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new ClientGone()));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `the body is larger than ${limit} bytes`, { limit });
}

// The fields of a form; null: the body is none. The text of an uploaded file stands under the name of its field, and the
// name of the file under that name with `.filename`.
export async function readForm(bytes: Buffer, headers: IncomingMessage['headers']): Promise<URLSearchParams | null> {
  const type = mediaTypeOf(headers);
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(bytes.toString('utf8'));
  if (type !== 'multipart/form-data') return null;
  const fields = new URLSearchParams();
  for (const [name, value] of await multipartFields(bytes, headers['content-type'] ?? '')) {
    if (typeof value === 'string') fields.append(name, value);
    else if (value.size > 0) {
      fields.append(name, await value.text());
      fields.append(`${name}.filename`, value.name);
    }
  }
  return fields;
}

async function multipartFields(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    const body = new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } });
    return await body.formData();
  } catch {
    throw new ApiError('bad_request', 'the form cannot be read');
  }
}

function mediaTypeOf(headers: IncomingMessage['headers']): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

const DEEPEST = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseJson(bytes: Buffer, headers: IncomingMessage['headers']): unknown {
  if (bytes.length === 0) return {};
  const type = mediaTypeOf(headers);
  if (type && type !== 'application/json' && !/^[^/\s]+\/[^/\s]+\+json$/.test(type)) throw unsupported(type);
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding && coding !== 'identity') throw unsupported(`content coding ${coding}`);
  const value = readJson(bytes);
  if (!isWithin(value, DEEPEST)) throw new ApiError('invalid_json', `the body is nested deeper than ${DEEPEST} levels`);
  return value;
}

function readJson(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes);
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', 'the body is not JSON text in UTF-8');
  }
}

// Whatever walks a body afterwards may do so by recursion.
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isWithin(item, levels - 1));
}

function unsupported(what: string): ApiError {
  return new ApiError('unsupported_media_type', `the body must be application/json, not ${what}`);
}
