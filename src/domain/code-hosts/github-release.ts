// A release as GitHub's interface writes it, and Gitea's and Forgejo's, which took it over.
import { isRecord } from '../records.ts';

export interface GithubRelease {
  id: number;
  tag_name: string;
  name?: string | null;
  body?: string | null;
  html_url?: string | null;
  draft?: boolean | null;
  prerelease?: boolean | null;
  published_at?: string | null;
  created_at?: string | null;
}

export interface ReleasePage {
  releases: GithubRelease[];
  // Entries that are no release.
  broken: number;
}

// No page is longer.
export const MAX_ENTRIES = 1_000;

// Null when the document is no listing.
export function parseReleasePage(json: unknown): ReleasePage | null {
  if (!Array.isArray(json) || json.length > MAX_ENTRIES) return null;
  const releases = json.flatMap((entry) => parseRelease(entry) ?? []);
  return { releases, broken: json.length - releases.length };
}

const TEXTS = ['name', 'body', 'html_url', 'published_at', 'created_at'] as const;
const FLAGS = ['draft', 'prerelease'] as const;

export function parseRelease(json: unknown): GithubRelease | null {
  if (!isRecord(json) || !Number.isSafeInteger(json.id)) return null;
  const { id, tag_name } = json;
  if (typeof tag_name !== 'string' || tag_name === '') return null;
  const isRead =
    TEXTS.every((key) => json[key] == null || typeof json[key] === 'string') &&
    FLAGS.every((key) => json[key] == null || typeof json[key] === 'boolean');
  if (!isRead) return null;
  const told = [...TEXTS, ...FLAGS].filter((key) => json[key] !== undefined).map((key) => [key, json[key]]);
  return { id: id as number, tag_name, ...Object.fromEntries(told) };
}
