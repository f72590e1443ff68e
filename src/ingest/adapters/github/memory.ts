// What a repository's poll remembers, as validators: they are committed together with the data they speak of.
import { createHash } from 'node:crypto';
import type { Validator } from '../contract.ts';

// `tagsRead` and `commitDates` name no address; they are facts that the next run needs.
export const ENDPOINTS = {
  releases: 'releases',
  atom: 'releases.atom',
  tags: 'tags',
  repository: 'repository',
  tagsRead: 'tags-read',
  commitDates: 'commit-dates',
} as const;

/** Tells tokens apart without giving one away. */
export function tokenFingerprint(token: string | null): string | null {
  return token === null ? null : createHash('sha256').update(token).digest('hex').slice(0, 16);
}

/** The ETag to send; one that was received under another token says nothing. */
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

/** Every page of the tags was read at this time, with the changelog files in this state. */
export interface TagsRead {
  at: string;
  changelog: string;
}

/** Null while the repository lives on Release objects. */
export function readTagsMark(validators: readonly Validator[]): TagsRead | null {
  const mark = findValidator(validators, ENDPOINTS.tagsRead);
  return mark?.lastModified ? { at: mark.lastModified, changelog: mark.contentHash ?? '' } : null;
}

export function tagsMark(read: TagsRead | null): Validator {
  return { ...blank(ENDPOINTS.tagsRead), lastModified: read?.at ?? null, contentHash: read?.changelog ?? null };
}

/** Dates of commits by hash: a commit never changes its date, so none is asked for twice. */
export function readCommitDates(validators: readonly Validator[]): Map<string, string> {
  const text = findValidator(validators, ENDPOINTS.commitDates)?.contentHash ?? '';
  const pairs = text.split(' ').flatMap((pair): [string, string][] => {
    const [hash, seconds] = pair.split(':');
    const at = Number.parseInt(seconds ?? '', 36);
    return hash && Number.isFinite(at) ? [[hash, new Date(at * 1000).toISOString()]] : [];
  });
  return new Map(pairs);
}

export function commitDates(dates: ReadonlyMap<string, string>): Validator {
  const pairs = [...dates].map(([hash, at]) => `${hash}:${Math.floor(Date.parse(at) / 1000).toString(36)}`);
  return { ...blank(ENDPOINTS.commitDates), contentHash: pairs.join(' ') };
}

function blank(endpoint: string): Validator {
  return { endpoint, etag: null, lastModified: null, contentHash: null, tokenFingerprint: null };
}
