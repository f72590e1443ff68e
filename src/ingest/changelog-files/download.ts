// Downloads one file from the raw host: the whole file, or the part of a very large one that will be stored.

import { blobHash, changelogText } from '../../domain/changelog/files.ts';
import { headingIndex, isOldestFirst } from '../../domain/changelog/headings.ts';
import { MAX_CHANGELOG_BYTES } from '../../domain/changelog/truncate-newest.ts';
import type { FetchResult, FetchSuccess } from '../../net/result.ts';
import type { FetchRequest } from '../../net/trip.ts';
import { readDocument } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { type Failure, readableAnswer } from '../adapters/outcomes.ts';

interface Downloaded {
  kind: 'text';
  text: string;
  // The git hash of the bytes; of a part, the hash from the listing.
  hash: string;
  // Size of the whole file.
  bytes: number;
  // How far into the file the text begins.
  startsAt: number;
}

export type Download = Downloaded | { kind: 'failure'; failure: Failure };

interface WantedFile {
  rawUrl: string;
  hash: string | null;
  size: number | null;
}

const MAX_WHOLE = 10 * 1024 * 1024;
// A little more than is stored, so that the cut can be at a heading.
const PART = MAX_CHANGELOG_BYTES + 64 * 1024;

export async function downloadFile(ctx: AdapterContext, file: WantedFile): Promise<Download> {
  if ((file.size ?? 0) > MAX_WHOLE) return downloadPart(ctx, file);
  const result = await request(ctx, file.rawUrl, {});
  // A listing without sizes can lead to a file of any size.
  if (!result.ok && result.failure === 'too_large') return downloadPart(ctx, file);
  const answer = answerOf(ctx, result);
  if ('outcome' in answer) return { kind: 'failure', failure: answer };
  const { body } = answer;
  const { text, hash } = await readDocument(FILE_READING, { body }, body.length);
  return textOr(text, { hash, bytes: body.length, startsAt: 0 });
}

async function downloadPart(ctx: AdapterContext, file: WantedFile): Promise<Download> {
  const first = answerOf(ctx, await requestRange(ctx, file.rawUrl, `bytes=0-${PART - 1}`));
  if ('outcome' in first) return { kind: 'failure', failure: first };
  const size = file.size ?? sizeOf(first) ?? first.body.length;
  const read = await readDocument(FILE_READING, { body: first.body, isPart: true }, first.body.length);
  const whole = { hash: file.hash ?? read.hash, bytes: size };
  const beginning = textOr(read.text, { ...whole, startsAt: 0 });
  if (!read.isOldestFirst) return beginning;

  const last = answerOf(ctx, await requestRange(ctx, file.rawUrl, `bytes=-${PART}`));
  // A host without range support has sent the beginning again.
  if ('outcome' in last || last.status !== 206) return beginning;
  const end = await readDocument(FILE_READING, { body: last.body, isPart: true }, last.body.length);
  return textOr(end.text, { ...whole, startsAt: Math.max(0, size - end.bytes) });
}

interface FileReading {
  text: string | null;
  // Of the bytes as they came.
  hash: string;
  // Without the halves of characters at the ends of a part.
  bytes: number;
  // Only a part is checked for this; a whole file is false.
  isOldestFirst: boolean;
}

export function readFileBytes({ body, isPart = false }: { body: Uint8Array; isPart?: boolean }): FileReading {
  const whole = isPart ? wholeCharacters(body) : body;
  const text = changelogText(whole);
  const isRising = isPart && text !== null && isOldestFirst(headingIndex(text));
  return { text, hash: blobHash(body), bytes: whole.length, isOldestFirst: isRising };
}

export const FILE_READING = threadTask(import.meta.url, readFileBytes);

function textOr(text: string | null, facts: Pick<Downloaded, 'hash' | 'bytes' | 'startsAt'>): Download {
  if (text !== null) return { kind: 'text', text, ...facts };
  return { kind: 'failure', failure: { outcome: 'malformed', detail: 'not a text', httpStatus: 200, retryAt: null } };
}

function request(ctx: AdapterContext, url: string, more: Partial<FetchRequest>): Promise<FetchResult> {
  const { githubToken } = ctx.settings;
  const headers = { ...more.headers, ...(githubToken === null ? {} : { authorization: `Bearer ${githubToken}` }) };
  return ctx.fetch({ url, ...more, headers });
}

// Ranges count bytes of the sent body, so it must not be compressed.
function requestRange(ctx: AdapterContext, url: string, range: string): Promise<FetchResult> {
  return request(ctx, url, { headers: { range }, codings: 'identity', overflow: 'cut', limits: { maxBytes: PART } });
}

// A missing file is left to the next listing, and a challenge page is no changelog.
function answerOf(ctx: AdapterContext, result: FetchResult): FetchSuccess | Failure {
  const answer = readableAnswer(result, ctx.now);
  if ('outcome' in answer || answer.status !== 304) return answer;
  return { outcome: 'malformed', detail: '304 that was not asked for', httpStatus: 304, retryAt: null };
}

function sizeOf({ headers }: FetchSuccess): number | null {
  const total = /\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

// A part without the halves of characters at its ends.
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  let end = bytes.length;
  while (end > bytes.length - 3 && isContinuation(bytes[end - 1])) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  const isWhole = bytes.length - end + 1 === length || length === 1;
  return bytes.subarray(start, isWhole ? bytes.length : end - 1);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
