// Finds the changelog entry of each tag, and the entries that have no tag.
import { parseVersion, versionIdentity } from '../../../domain/versions/index.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import type { StoredChangelog } from '../contract.ts';
import { type EntryOptions, entryFiles, type FileEntry, fileEntries, lastSegment } from './entries.ts';

export interface PairedEntries {
  byTag: Map<string, FileEntry>;
  // Entries without a tag, one for each version.
  untagged: FileEntry[];
}

export interface PairOptions extends EntryOptions {
  // The name of the repository without its owner.
  repository: string;
}

export function pairWithEntries(
  tags: readonly string[],
  files: readonly StoredChangelog[],
  options: PairOptions,
): PairedEntries {
  const parts = partsOf(tags);
  const index = tagIndex(tags, parts, options.repository);
  const byTag = new Map<string, FileEntry>();
  const untagged = new Map<string, FileEntry>();
  for (const { file, packagePart } of entryFiles(files, parts)) {
    for (const entry of fileEntries(file, packagePart, options)) {
      const key = entry.versionText === null ? `${file.path}#${entry.offset}` : versionIdentity(entry.versionText);
      const tag = entry.versionText === null ? undefined : index.get(key);
      // The first entry of a tag counts: the canonical file comes first, and within a file the upper entry.
      if (tag !== undefined) byTag.set(tag, byTag.get(tag) ?? entry);
      else if (!untagged.has(key)) untagged.set(key, entry);
    }
  }
  return { byTag, untagged: [...untagged.values()] };
}

interface TagPairing {
  tags: readonly string[];
  files: readonly StoredChangelog[];
  options: PairOptions;
}

export function pairEntries({ tags, files, options }: TagPairing): PairedEntries {
  return pairWithEntries(tags, files, options);
}

const PAIRING = threadTask(import.meta.url, pairEntries);

// A tag costs as much as so many characters of a text.
export const TAG_SIZE = 16;

// `pairWithEntries` on a thread where the files are long or the tags many.
export function readPairs(pairing: TagPairing): Promise<PairedEntries> {
  const size = pairing.files.reduce((chars, { content }) => chars + content.length, 0);
  return readDocument(PAIRING, pairing, size + pairing.tags.length * TAG_SIZE);
}

// Package names that the tags use, as the tags spell them.
function partsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.flatMap((tag) => parseVersion(tag)?.packagePart ?? []))];
}

// Maps the names that an entry may use for the version of a tag to the tag: with the package, with the last part of its name,
// and, where the package is the repository itself or the only one, without any.
function tagIndex(tags: readonly string[], parts: readonly string[], repository: string): Map<string, string> {
  const exact = new Map<string, string>();
  const loose = new Map<string, string | null>();
  for (const tag of tags) {
    const identity = versionIdentity(tag);
    if (!exact.has(identity)) exact.set(identity, tag);
    const part = parseVersion(tag)?.packagePart ?? null;
    if (part === null) continue;
    // `curl-8_5_0` is written 8.5.0 everywhere else.
    const number = identity.slice(part.length + 1).replaceAll('_', '.');
    const short = lastSegment(part).toLowerCase();
    note(loose, `${short}@${number}`, tag);
    if (short === repository.toLowerCase() || parts.length === 1) note(loose, number, tag);
  }
  for (const [name, tag] of loose) if (tag !== null && !exact.has(name)) exact.set(name, tag);
  return exact;
}

// A name that two packages share identifies neither of them.
function note(loose: Map<string, string | null>, name: string, tag: string): void {
  loose.set(name, loose.has(name) && loose.get(name) !== tag ? null : tag);
}
