// What a poll of a repository stores for the next one: validators of its listings and named values.
import { createHash } from 'node:crypto';
import type { Validator } from '../contract.ts';
import { type Memory, memoryKey, recall, remember } from '../memory.ts';

export const ENDPOINTS = {
  releases: 'releases',
  atom: 'releases.atom',
  tags: 'tags',
  repository: 'repository',
} as const;

// Distinguishes tokens without revealing one.
export function tokenFingerprint(token: string | null): string | null {
  return token === null ? null : createHash('sha256').update(token).digest('hex').slice(0, 16);
}

// The ETag to send; one that was received under another token says nothing.
export function storedEtag(
  validators: readonly Validator[],
  endpoint: string,
  fingerprint: string | null,
): string | null {
  const stored = findValidator(validators, endpoint);
  return stored && stored.tokenFingerprint === fingerprint ? stored.etag : null;
}

export function findValidator(validators: readonly Validator[], endpoint: string): Validator | undefined {
  return validators.find((validator) => validator.endpoint === endpoint);
}

// Every page of the tags was read at this time, with the changelog files in this state.
export interface TagsRead {
  at: string;
  changelog: string;
}

const TAGS_READ = memoryKey<TagsRead>('tags-read');
const COMMIT_DATES = memoryKey<Record<string, string>>('commit-dates');

// Null while the repository has Release objects.
export function recallTagsRead(memory?: Memory): TagsRead | null {
  return recall(memory, TAGS_READ);
}

export function rememberTagsRead(read: TagsRead | null): Memory {
  return remember(TAGS_READ, read);
}

// Dates of commits by hash. A commit never changes its date, so none is requested twice.
export function recallCommitDates(memory?: Memory): Map<string, string> {
  return new Map(Object.entries(recall(memory, COMMIT_DATES) ?? {}));
}

export function rememberCommitDates(dates: ReadonlyMap<string, string>): Memory {
  return remember(COMMIT_DATES, Object.fromEntries(dates));
}
