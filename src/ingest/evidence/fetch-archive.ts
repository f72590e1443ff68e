// Downloads the archive of a published version and checks that it is the one that is listed.
import { createHash } from 'node:crypto';
import { integrityHolds } from '../../domain/archive/integrity.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import { readableAnswer } from '../adapters/outcomes.ts';
import { archiveToken } from '../registries/addresses.ts';
import type { RegistryAddress } from '../registries/contract.ts';

export interface ListedArchive {
  url: string;
  integrity: string;
}

// `final`: asking again would give the same. `later`: the registry may have it another time.
type FetchedArchive =
  | { kind: 'archive'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'final'; reason: string; isLarge: boolean }
  | { kind: 'later'; reason: string; retryAt: string | null };

// Two such archives and what is unpacked of them fit into the memory of the thread that compares.
const MAX_BYTES = 50_000_000;
const SLOW_MS = 60_000;

interface ArchiveRequest {
  registry: RegistryAddress;
  archive: ListedArchive;
  signal: AbortSignal;
  now: Date;
}

export async function fetchArchive(
  fetch: GuardedFetch,
  { registry, archive: { url, integrity }, signal, now }: ArchiveRequest,
): Promise<FetchedArchive> {
  const token = archiveToken(registry, url);
  const result = await fetch({
    url,
    // The archive is compressed itself, and its hash is that of the bytes as they are.
    codings: 'identity',
    // A token is never sent along a redirect.
    limits: { maxBytes: MAX_BYTES, totalMs: SLOW_MS, ...(token === null ? {} : { maxRedirects: 0 }) },
    ...(token === null ? {} : { headers: { authorization: `Bearer ${token}` } }),
    poolKey: token === null ? 'packages' : `packages ${createHash('sha256').update(token).digest('hex')}`,
    signal,
  });
  if (!result.ok && result.failure === 'too_large') {
    return { kind: 'final', reason: `the archive is above ${MAX_BYTES / 1_000_000} MB`, isLarge: true };
  }
  const answer = readableAnswer(result, now);
  if ('outcome' in answer) {
    const { outcome, detail, retryAt } = answer;
    const isFinal = outcome === 'gone' || outcome === 'blocked';
    return isFinal ? { kind: 'final', reason: detail, isLarge: false } : { kind: 'later', reason: detail, retryAt };
  }
  const bytes = new Uint8Array(answer.body);
  if (await integrityHolds(bytes, integrity)) return { kind: 'archive', bytes };
  return { kind: 'final', reason: 'the archive is not the one that is listed', isLarge: false };
}
