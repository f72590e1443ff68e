// Request bodies: reads bytes up to a limit, checks the media type, parses JSON.
import type { IncomingMessage } from 'node:http';
import { ClientGone } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { onRequestThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';

export const DEFAULT_BODY_LIMIT = 64 * 1024;

// Refuses as soon as the size is known to be too large. The remaining bytes are discarded.
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(length);
    let size = 0;
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(() => reject(tooLarge(limit)));
      else body.add(chunk);
    };
    const onEnd = () => settle(() => resolve(body.bytes()));
    const onGone = () => settle(() => reject(new ClientGone()));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

// A long body of a known length is collected where threads can read it, so that it is copied once, as it arrives.
class ArrivingBody {
  readonly #shared: Buffer | null;
  readonly #chunks: Buffer[] = [];
  #end = 0;

  constructor(length: number) {
    this.#shared = length > DEFAULT_BODY_LIMIT ? Buffer.from(new SharedArrayBuffer(length)) : null;
  }

  add(chunk: Buffer): void {
    if (this.#shared) this.#end += chunk.copy(this.#shared, this.#end);
    else this.#chunks.push(chunk);
  }

  bytes(): Buffer {
    return this.#shared?.subarray(0, this.#end) ?? Buffer.concat(this.#chunks);
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `the body is larger than ${limit} bytes`, { limit });
}

// The fields of a form; null when the body is not a form. The text of an uploaded file has the name of its field, and
// the name of the file has that name with `.filename`.
export async function readForm(bytes: Buffer, headers: IncomingMessage['headers']): Promise<URLSearchParams | null> {
  const type = mediaTypeOf(headers);
  if (type !== FORM && type !== MULTIPART) return null;
  const form = { bytes, contentType: headers['content-type'] ?? '' };
  const read = isLong(bytes) ? await onRequestThread(FORM_READING, form) : await readFields(form);
  if ('problem' in read) throw new ApiError('bad_request', read.problem);
  return new URLSearchParams(read.fields);
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
// No form of a page has this many fields.
const MAX_FIELDS = 1_000;

interface SentForm {
  bytes: Uint8Array;
  contentType: string;
}

type FormReading = { fields: [string, string][] } | { problem: string };

export async function readFields({ bytes, contentType }: SentForm): Promise<FormReading> {
  const isPlain = contentType.toLowerCase().startsWith(FORM);
  const fields = isPlain ? plainFields(bytes) : await multipartFields(bytes, contentType);
  if (fields === null) return { problem: 'the form cannot be read' };
  return fields.length > MAX_FIELDS ? { problem: `the form has more than ${MAX_FIELDS} fields` } : { fields };
}

const FORM_READING = threadTask(import.meta.url, readFields);

function plainFields(bytes: Uint8Array): [string, string][] {
  return [...new URLSearchParams(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))];
}

async function multipartFields(bytes: Uint8Array, contentType: string): Promise<[string, string][] | null> {
  const fields: [string, string][] = [];
  try {
    const body = new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } });
    for (const [name, value] of await body.formData()) {
      if (typeof value === 'string') fields.push([name, value]);
      else if (value.size > 0) fields.push([name, await value.text()], [`${name}.filename`, value.name]);
    }
    return fields;
  } catch {
    return null;
  }
}

function mediaTypeOf(headers: IncomingMessage['headers']): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

const DEEPEST = 64;
// The limit is far above a batch of releases; every value costs time in each step that walks the body.
const MAX_VALUES = 50_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export async function parseJson(bytes: Buffer, headers: IncomingMessage['headers']): Promise<unknown> {
  if (bytes.length === 0) return {};
  const type = mediaTypeOf(headers);
  if (type && type !== 'application/json' && !/^[^/\s]+\/[^/\s]+\+json$/.test(type)) throw unsupported(type);
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding && coding !== 'identity') throw unsupported(`content coding ${coding}`);
  const read = isLong(bytes) ? await onRequestThread(JSON_READING, bytes) : readJson(bytes);
  if ('problem' in read) throw new ApiError('invalid_json', read.problem);
  return read.value;
}

// A body below the usual limit takes only a few milliseconds to parse.
function isLong(bytes: Buffer): boolean {
  return bytes.length > DEFAULT_BODY_LIMIT;
}

export function readJson(bytes: Uint8Array): { value: unknown } | { problem: string } {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (!isWithin(value, DEEPEST)) return { problem: `the body is nested deeper than ${DEEPEST} levels` };
    return countValues(value) > MAX_VALUES ? { problem: `the body holds more than ${MAX_VALUES} values` } : { value };
  } catch {
    return { problem: 'the body is not JSON text in UTF-8' };
  }
}

const JSON_READING = threadTask(import.meta.url, readJson);

// Later steps walk the body recursively, so its depth is limited here.
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isWithin(item, levels - 1));
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const item of Object.values(value)) count += countValues(item);
  return count;
}

function unsupported(mediaType: string): ApiError {
  return new ApiError('unsupported_media_type', `the body must be application/json, not ${mediaType}`);
}
