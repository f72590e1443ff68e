// A release of the listing as an item.
import { titleLine } from '../../../domain/clean-text.ts';
import type { GithubRelease } from '../../../domain/code-hosts/github-release.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { parseDateTime } from '../../../domain/timestamps.ts';
import { threadTask } from '../../../threads/task.ts';
import type { Item } from '../contract.ts';

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
