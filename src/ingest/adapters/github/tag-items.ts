// Tags and changelog entries as items: one for each package and version.
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { FileEntry } from '../changelog/entries.ts';
import type { PairedEntries } from '../changelog/pair-tags.ts';
import type { Item } from '../contract.ts';
import { oneLine } from './parse-releases.ts';
import type { GithubTag } from './parse-tags.ts';
import type { GithubRun } from './run.ts';
import { tagFilter, tagSpellings } from './tag-patterns.ts';

interface TagsAndEntries {
  tags: readonly GithubTag[];
  paired: PairedEntries;
  // Dates of commits by hash. A date in the changelog is the better one.
  dates: ReadonlyMap<string, string>;
}

export function tagAndEntryItems(
  { ctx, input, coordinate }: GithubRun,
  { tags, paired: { byTag, untagged }, dates }: TagsAndEntries,
): Item[] {
  const wanted = tagFilter(input.source.settings);
  const pages = `${ctx.settings.githubWebUrl.replace(/\/+$/, '')}/${coordinate}/releases/tag`;
  const tagged = tags
    .filter(({ name }) => wanted([name]))
    .map(({ name, commit }) => {
      const entry = byTag.get(name);
      const url = `${pages}/${encodeTag(name)}`;
      const at = dates.get(commit) ?? null;
      return entry ? entryItem(entry, name, url, at) : tagItem(name, url, at);
    });
  const written = untagged
    .filter(({ versionText }) => versionText === null || wanted(tagSpellings(versionText)))
    .map((entry) => entryItem(entry, entry.versionText, entry.url, null));
  return [...tagged, ...written];
}

// The host leaves slashes of a tag unescaped.
function encodeTag(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@');
}

function tagItem(name: string, url: string, at: string | null): Item {
  return {
    title: oneLine(name),
    content: '',
    version: name,
    url,
    guid: null,
    publishedAt: at,
    datePrecision: at === null ? null : 'time',
    dateFromUpdated: false,
    media: [],
    categories: [],
    links: [],
    origin: 'tag',
    confidence: 1,
  };
}

function entryItem(entry: FileEntry, version: string | null, url: string | null, at: string | null): Item {
  const content = tidyMarkdown(entry.body);
  return {
    title: oneLine(entry.title) || oneLine(version ?? entry.heading),
    content,
    version,
    url,
    guid: null,
    publishedAt: entry.date?.at ?? at,
    datePrecision: entry.date?.precision ?? (at === null ? null : 'time'),
    dateFromUpdated: false,
    media: bodyMedia(content),
    categories: [],
    links: [],
    origin: 'changelog',
    confidence: 1,
    ...(entry.yanked ? { suppressedReason: 'yanked' } : {}),
  };
}
