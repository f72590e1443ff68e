// A page of `/tags`, and the date of the commit that a tag points at.
import { z } from 'zod';
import { MAX_ENTRIES } from '../../../domain/code-hosts/github-release.ts';
import { parseDateTime } from '../../../domain/timestamps.ts';
import { jsonReader } from '../../../threads/json.ts';

const tag = z.object({ name: z.string().min(1), commit: z.object({ sha: z.string().regex(/^[0-9a-f]{7,64}$/i) }) });

export interface GithubTag {
  name: string;
  commit: string;
}

// Null when the document is no listing.
export function parseTagPage(json: unknown): GithubTag[] | null {
  if (!Array.isArray(json) || json.length > MAX_ENTRIES) return null;
  return json.flatMap((entry) => {
    const { data } = tag.safeParse(entry);
    return data ? { name: data.name, commit: data.commit.sha.toLowerCase() } : [];
  });
}

export const TAG_PAGE = jsonReader(import.meta.url, parseTagPage);

const signed = z.object({ date: z.string().nullish() }).nullish();
const commit = z.object({ commit: z.object({ committer: signed, author: signed }) });

// The committer date: rebasing moves it, and releases follow the rebased commit.
export function parseCommitDate(json: unknown): string | null {
  const { data } = commit.safeParse(json);
  const date = parseDateTime(data?.commit.committer?.date ?? data?.commit.author?.date ?? '');
  return date === null ? null : new Date(date.ms).toISOString();
}

export const COMMIT_DATE = jsonReader(import.meta.url, parseCommitDate);
