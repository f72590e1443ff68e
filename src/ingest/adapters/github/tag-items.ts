// Tags and changelog entries as items: one for each package and version.
import { titleLine } from '../../../domain/clean-text.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import { inTurns } from '../../../threads/turns.ts';
import type { FileEntry } from '../changelog/entries.ts';
import type { PairedEntries } from '../changelog/pair-tags.ts';
import type { Item } from '../contract.ts';
import type { GithubTag } from './parse-tags.ts';
import type { GithubRun } from './run.ts';
import { tagFilter, tagSpellings } from './tag-patterns.ts';

interface TagsAndEntries extends PairedEntries {
  tags: readonly GithubTag[];
  // Of commits, by hash; a date in the changelog is the better one.
  dates: ReadonlyMap<string, string>;
  // The address below which the host shows a tag.
  pages: string;
  settings: SourceRow['settings'];
}

// So many tags without an entry take a millisecond or two.
const STEP = 200;

// With pauses, because a repository may have ten thousand tags.
function* itemSteps({ tags, byTag, untagged, dates, pages, settings }: TagsAndEntries): Generator<void, Item[]> {
  const wanted = tagFilter(settings);
  const items: Item[] = [];
  for (const [index, { name, commit }] of tags.entries()) {
    if (index % STEP === STEP - 1) yield;
    if (!wanted([name])) continue;
    const entry = byTag.get(name);
    const url = `${pages}/${encodeTag(name)}`;
    const at = dates.get(commit) ?? null;
    items.push(entry ? entryItem(entry, name, url, at) : tagItem(name, url, at));
  }
  const written = untagged
    .filter(({ versionText }) => versionText === null || wanted(tagSpellings(versionText)))
    .map((entry) => entryItem(entry, entry.versionText, entry.url, null));
  return [...items, ...written];
}

export function tagAndEntryItems(read: TagsAndEntries): Promise<Item[]> {
  return inTurns(itemSteps(read));
}

const ITEMS = threadTask(import.meta.url, tagAndEntryItems);

// On a thread where the entries are long. Tags alone are cheaper to read here than to hand over.
export async function readTagItems(
  { ctx, input, coordinate }: GithubRun,
  read: Omit<TagsAndEntries, 'pages' | 'settings'>,
): Promise<Item[]> {
  const pages = `${ctx.settings.githubWebUrl.replace(/\/+$/, '')}/${coordinate}/releases/tag`;
  const entries = [...read.byTag.values(), ...read.untagged];
  const size = entries.reduce((chars, { body }) => chars + body.length, 0);
  return readDocument(ITEMS, { ...read, pages, settings: input.source.settings }, size);
}

// As the host writes it: a slash of the tag stays one.
function encodeTag(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@');
}

function tagItem(name: string, url: string, at: string | null): Item {
  return {
    title: titleLine(name),
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
    title: titleLine(entry.title) || titleLine(version ?? entry.heading),
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
