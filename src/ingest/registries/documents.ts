// How every adapter fetches and reads a document: bounded, with the validators of the last one, parsed on a thread when it
// is long, and with one name for each failure.
import { createHash } from 'node:crypto';
import { cutText } from '../../domain/clean-text.ts';
import { MAX_STATEMENT_LENGTH } from '../../domain/published-package.ts';
import type { FetchResult, FetchSuccess } from '../../net/result.ts';
import type { ListingValidators } from '../../store/schema/packages.ts';
import { type JsonReader, readJsonDocument } from '../../threads/json.ts';
import { TaskStopped } from '../../threads/task.ts';
import { fetchFailureOf } from '../adapters/outcomes.ts';
import type { ListingFailure, RegistryAddress, RegistryContext } from './contract.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const SLOW_MS = 60_000;

interface DocumentRequest {
  registry: RegistryAddress;
  url: string;
  accept: string;
  validators: ListingValidators | null;
}

interface RegistryDocument {
  kind: 'document';
  body: Uint8Array;
  validators: ListingValidators;
}

export async function fetchDocument(
  { fetch, now, signal }: RegistryContext,
  { registry: { token }, url, accept, validators }: DocumentRequest,
): Promise<RegistryDocument | { kind: 'unchanged' } | ListingFailure> {
  const result = await fetch({
    url,
    headers: {
      accept,
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.lastModified ? { 'if-modified-since': validators.lastModified } : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    // A token is never sent along a redirect, not even to another path of the same host.
    limits: { maxBytes: MAX_BYTES, totalMs: SLOW_MS, ...(token === null ? {} : { maxRedirects: 0 }) },
    poolKey: token === null ? 'packages' : `packages ${createHash('sha256').update(token).digest('hex')}`,
    ...(signal ? { signal } : {}),
  });
  const failure = failureOf(result, now);
  if (failure) return failure;
  const { status, headers, body } = result as FetchSuccess;
  if (status === 304) return validators ? { kind: 'unchanged' } : unreadable('http 304 for an unconditional request');
  const contentHash = createHash('sha256').update(body).digest('base64');
  if (validators?.contentHash === contentHash) return { kind: 'unchanged' };
  const [etag = null, lastModified = null] = [headers.etag, headers['last-modified']];
  return { kind: 'document', body, validators: { etag, lastModified, contentHash } };
}

function failureOf(result: FetchResult, now: Date): ListingFailure | null {
  if (!result.ok && result.failure === 'too_large') {
    return failed('too_large', `more than ${MAX_BYTES / 1024 / 1024} MB`);
  }
  if (result.ok && result.status >= 300 && result.status < 400 && result.status !== 304) {
    return failed('refused', `http ${result.status}: redirects are not followed with a token`);
  }
  const failure = fetchFailureOf(result, now);
  if (failure === null) return null;
  const { httpStatus, detail, retryAt } = failure;
  if (failure.outcome === 'throttled') return failed('rate_limited', detail, retryAt);
  if (failure.outcome === 'gone') return failed('not_found', detail);
  if (failure.outcome === 'blocked') return failed('refused', detail);
  if (failure.outcome === 'malformed') return unreadable(detail);
  return httpStatus !== null && httpStatus < 500 ? unreadable(detail) : failed('unreachable', detail);
}

function failed(outcome: ListingFailure['outcome'], reason: string, retryAt: string | null = null): ListingFailure {
  return { kind: 'failure', outcome, reason: cutText(reason, MAX_STATEMENT_LENGTH), retryAt };
}

export function unreadable(reason: string): ListingFailure {
  return failed('unreadable', reason);
}

// What a reader makes of a document; a text that is no JSON, or that takes too long, is unreadable.
export async function readDocument<Output, Options>(
  reader: JsonReader<Output, Options>,
  body: Uint8Array,
  options: Options,
): Promise<Output | ListingFailure> {
  try {
    return (await readJsonDocument(reader, body, options)) ?? unreadable('the answer is no JSON');
  } catch (error) {
    if (error instanceof TaskStopped) return unreadable(`reading the answer was stopped: ${error.message}`);
    throw error;
  }
}
