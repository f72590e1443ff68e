// The changelog file of a folder on disk.
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { blobHash, changelogKind, changelogText } from '../adapters/changelog/files.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { isFile, namesIn } from './find-packages.ts';

export interface LocalFile {
  filename: string;
  text: string;
  hash: string;
  bytes: number;
}

export type FileSkipReason = 'no file' | 'unreadable' | 'no version heading';

export type LocalRead = { kind: 'file'; file: LocalFile } | { kind: 'skipped'; reason: FileSkipReason };

// Bounds the memory; changelogs are far smaller.
const MAX_BYTES = 64 * 1024 * 1024;

// The changelog of a folder, chosen as it would be chosen in a repository.
export async function changelogPath(folder: string): Promise<string | null> {
  const tree = (await namesIn(folder)).map((path) => ({ path, hash: null, size: null }));
  const chosen = chooseChangelogFiles(tree).filter(({ path }) => changelogKind(path) !== 'guide');
  const others = tree.filter(({ path }) => isPackagedChangelog(path));
  for (const { path } of [...chosen, ...others]) {
    const found = join(folder, path);
    if (await isFile(found)) return found;
  }
  return null;
}

// Names that packages use beside those that are tracked in repositories.
const PACKAGED =
  /^(?:change-?logs?|changes|history|release[-_ ]?notes?|releases|news|what-?s-?new)(?:\.(?:md|markdown|mdown|mkdn?|mdx|rst|txt|adoc|asciidoc))?$/i;

function isPackagedChangelog(filename: string): boolean {
  return PACKAGED.test(filename);
}

export async function readChangelog(path: string | null): Promise<LocalRead> {
  if (path === null) return { kind: 'skipped', reason: 'no file' };
  const bytes = await readBytes(path);
  const text = bytes && changelogText(bytes);
  if (bytes === null || text === null) return { kind: 'skipped', reason: 'unreadable' };
  return { kind: 'file', file: { filename: basename(path), text, hash: blobHash(bytes), bytes: bytes.length } };
}

async function readBytes(path: string): Promise<Uint8Array | null> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? null : await readFile(path);
  } catch {
    return null;
  }
}
