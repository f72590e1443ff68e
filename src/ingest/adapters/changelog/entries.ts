// The entries of stored changelog files, each under the name of the package that its file is about.

import { parseChangelog } from '../../../domain/changelog/entries.ts';
import { changelogKind, fileNameOf, folderOf, formatOf } from '../../../domain/changelog/files.ts';
import type { ChangelogEntry } from '../../../domain/changelog/types.ts';
import { titleLine } from '../../../domain/clean-text.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { parseVersion, versionIdentity } from '../../../domain/versions/index.ts';
import type { Draft } from '../../../releases/write/draft.ts';
import type { StoredChangelog } from '../contract.ts';

export interface FileEntry extends ChangelogEntry {
  // The version with the package in front, as a tag would spell it.
  versionText: string | null;
  // The address of the entry; null when the host gives its heading no anchor.
  url: string | null;
}

export interface EntryOptions {
  names: readonly string[];
  now: Date;
}

// Entries of one file. `packagePart` is for entries whose heading names no package itself.
export function fileEntries(
  file: Pick<StoredChangelog, 'path' | 'url' | 'content'>,
  packagePart: string | null,
  { names, now }: EntryOptions,
): FileEntry[] {
  const known = packagePart === null ? names : [...names, packagePart];
  const entries = parseChangelog(file.content, { names: known, now, format: formatOf(file.path) });
  return entries.map((entry) => locateEntry(entry, file.url, packagePart));
}

// An entry under its package and at its address; null for a file that is shown nowhere.
export function locateEntry(entry: ChangelogEntry, fileUrl: string | null, packagePart: string | null): FileEntry {
  const { version, anchor } = entry;
  const part = entry.packagePart ?? packagePart;
  return {
    ...entry,
    packagePart: part,
    versionText: version === null || part === null ? version : `${part}@${version}`,
    url: anchor === null || fileUrl === null ? null : `${fileUrl}#${encodeURI(anchor)}`,
  };
}

interface PackageChangelog {
  file: StoredChangelog;
  // Null when the file is about the whole repository.
  packagePart: string | null;
}

const NO_PACKAGE = new Set(['doc', 'docs', 'documentation', '.github', 'meta']);

// The files to read entries from: the canonical one, then those of packages. `tagParts` are the package names that the
// repository's tags use; a file belongs to the one that is named like its title or its folder.
export function entryFiles(files: readonly StoredChangelog[], tagParts: readonly string[]): PackageChangelog[] {
  const readable = files.filter(({ path }) => changelogKind(fileNameOf(path)) !== 'guide');
  const main = readable.find(({ canonical }) => canonical) ?? readable.find(({ path }) => folderOf(path) === '');
  const inPackages = readable.filter(({ path, packagePart }) => packagePart === undefined && !isForRepository(path));
  const several = inPackages.length > 1;
  return readable.flatMap((file): PackageChangelog[] => {
    if (file.packagePart !== undefined) return [{ file, packagePart: file.packagePart }];
    const own = isForRepository(file.path) ? null : packagePartOf(file, tagParts, several);
    return file === main || own !== null ? [{ file, packagePart: own }] : [];
  });
}

export function isForRepository(path: string): boolean {
  const folder = folderOf(path);
  return folder === '' || NO_PACKAGE.has(folder.toLowerCase());
}

function packagePartOf(file: StoredChangelog, tagParts: readonly string[], several: boolean): string | null {
  const folder = folderOf(file.path);
  const last = lastSegment(folder);
  const title = titleName(file.content);
  const names = [title, folder, last].flatMap((name) => (name === null ? [] : name.toLowerCase()));
  const exact = tagParts.find((part) => names.includes(part.toLowerCase()));
  const alike = exact ?? tagParts.find((part) => names.includes(lastSegment(part).toLowerCase()));
  return alike ?? (several ? (title ?? last) : null);
}

export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

const TITLE = /^\s{0,3}#[ \t]+(?<name>@?[\w.-]+(?:\/[\w.-]+)?)[ \t]*$/m;
const PLAIN_TITLES = /^(?:change-?logs?|changes|history|news|releases?|release-?notes|unreleased)(?:\.md)?$/i;

// The package that a file names as its title, as release tools write it.
function titleName(content: string): string | null {
  const name = TITLE.exec(content.slice(0, 2000))?.groups?.name;
  if (name === undefined || PLAIN_TITLES.test(name)) return null;
  return (parseVersion(name)?.numbers.length ?? 0) > 0 ? null : name;
}

// One entry for each version. Entries of one name are joined: the upper one with the text of both.
export function distinctEntries(entries: readonly FileEntry[]): FileEntry[] {
  const byVersion = new Map<string, FileEntry>();
  for (const entry of entries) {
    const key = entry.versionText === null ? `#${entry.offset}` : versionIdentity(entry.versionText);
    const upper = byVersion.get(key);
    byVersion.set(key, upper ? withTextOf(upper, entry) : entry);
  }
  return [...byVersion.values()];
}

function withTextOf(upper: FileEntry, lower: FileEntry): FileEntry {
  const text = lower.body.trim();
  if (text === '' || upper.body.includes(text)) return upper;
  return { ...upper, body: [upper.body.trimEnd(), text].filter(Boolean).join('\n\n'), joined: upper.joined + 1 };
}

// Files begin with the newest entry, while releases are inserted from the oldest on.
export function oldestFirst(entries: readonly FileEntry[]): FileEntry[] {
  const dated = entries.flatMap(({ date }) => (date ? date.at : []));
  const rises = dated.length > 1 && (dated[0] ?? '') < (dated.at(-1) ?? '');
  return rises ? [...entries] : entries.toReversed();
}

export function entryDraft(entry: FileEntry): Draft {
  const content = tidyMarkdown(entry.body);
  return {
    title: titleLine(entry.title) || titleLine(entry.versionText ?? entry.heading),
    content,
    version: entry.versionText,
    url: entry.url,
    guid: null,
    publishedAt: entry.date?.at ?? null,
    media: bodyMedia(content),
    origin: 'changelog',
    ...(entry.yanked ? { suppressedReason: 'yanked' } : {}),
  };
}
