// A page of the release listing, and a release as an item.
import { z } from 'zod';
import { titleLine } from '../../../domain/clean-text.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { parseDateTime } from '../../../domain/timestamps.ts';
import { jsonReader } from '../../../threads/json.ts';
import { threadTask } from '../../../threads/task.ts';
import type { Item } from '../contract.ts';

const release = z.object({
  id: z.int(),
  tag_name: z.string().min(1),
  name: z.string().nullish(),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().nullish(),
  published_at: z.string().nullish(),
  created_at: z.string().nullish(),
});

export type GithubRelease = z.infer<typeof release>;

export interface ReleasePage {
  releases: GithubRelease[];
  // Entries that are no release.
  broken: number;
}

// Null when the document is no listing.
export const MAX_ENTRIES = 1_000;

// Null when the document is no listing.
export function parseReleasePage(json: unknown): ReleasePage | null {
  if (!Array.isArray(json) || json.length > MAX_ENTRIES) return null;
  const releases = json.flatMap((entry) => release.safeParse(entry).data ?? []);
  return { releases, broken: json.length - releases.length };
}

export const RELEASE_PAGE = jsonReader(import.meta.url, parseReleasePage);

export function parseRelease(json: unknown): GithubRelease | null {
  return release.safeParse(json).data ?? null;
}

export const RELEASE = jsonReader(import.meta.url, parseRelease);

export function releaseItem(found: GithubRelease): Item {
  const content = tidyMarkdown(found.body ?? '');
  const date = parseDateTime(found.published_at ?? found.created_at ?? '');
  return {
    title: titleLine(found.name ?? '') || titleLine(found.tag_name),
    content,
    version: found.tag_name,
    url: found.html_url ?? null,
    guid: String(found.id),
    publishedAt: date === null ? null : new Date(date.ms).toISOString(),
    datePrecision: date === null ? null : 'time',
    dateFromUpdated: false,
    prereleaseHint: found.prerelease ?? undefined,
    media: bodyMedia(content),
    categories: [],
    links: [],
    origin: 'release',
    confidence: 1,
  };
}

export function readReleases(releases: readonly GithubRelease[]): Item[] {
  return releases.map(releaseItem);
}

export const RELEASE_READING = threadTask(import.meta.url, readReleases);
