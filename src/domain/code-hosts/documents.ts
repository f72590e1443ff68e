// What code hosts answer, in one shape.
import { isRecord } from '../records.ts';
import { MAX_ENTRIES, parseReleasePage } from './github-release.ts';
import type { CodeHostKind } from './hosts.ts';

export interface HostedRelease {
  tag: string;
  title: string;
  body: string;
  prerelease: boolean;
}

export interface HostedReleases {
  releases: HostedRelease[];
  // How many entries the page has, drafts and what cannot be read included.
  entries: number;
}

// Longer texts are no notes that a person reads.
const MAX_BODY = 200_000;
const MAX_TITLE = 500;

// Null when the document is no listing of releases.
export function readHostedReleases(json: unknown, { kind }: { kind: CodeHostKind }): HostedReleases | null {
  if (!Array.isArray(json) || json.length > MAX_ENTRIES) return null;
  const releases = kind === 'gitlab' ? json.flatMap(gitlabRelease) : githubReleases(json);
  // A list of something else.
  return json.length > 0 && releases.length === 0 && !json.some(isDraft) ? null : { releases, entries: json.length };
}

function githubReleases(json: unknown[]): HostedRelease[] {
  const { releases = [] } = parseReleasePage(json) ?? {};
  return releases
    .filter(({ draft }) => draft !== true)
    .map(({ tag_name: tag, name, body, prerelease }) => hosted({ tag, name, body, prerelease }));
}

function gitlabRelease(entry: unknown): HostedRelease[] {
  if (!isRecord(entry) || typeof entry.tag_name !== 'string' || entry.tag_name === '') return [];
  if (entry.upcoming_release === true) return [];
  return [hosted({ tag: entry.tag_name, name: entry.name, body: entry.description, prerelease: null })];
}

function isDraft(entry: unknown): boolean {
  return isRecord(entry) && (entry.draft === true || entry.upcoming_release === true);
}

function hosted({ tag, name, body, prerelease }: Record<'name' | 'body' | 'prerelease', unknown> & { tag: string }) {
  const text = (value: unknown, most: number) => (typeof value === 'string' ? value.slice(0, most).toWellFormed() : '');
  return {
    tag: tag.slice(0, MAX_TITLE),
    title: text(name, MAX_TITLE),
    body: text(body, MAX_BODY),
    prerelease: prerelease === true,
  };
}

// The files of a folder; null when the document is no listing.
export function readFolderListing(json: unknown): { path: string; size: number }[] | null {
  if (!Array.isArray(json) || json.length > 10_000) return null;
  return json.flatMap((entry) => {
    if (!isRecord(entry) || entry.type !== 'file') return [];
    const { path, size } = entry;
    const isFile = typeof path === 'string' && path.length <= 1_000 && typeof size === 'number';
    return isFile ? [{ path, size }] : [];
  });
}
