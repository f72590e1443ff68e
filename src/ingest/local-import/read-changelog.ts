// The changelog file of a folder on disk.
import { basename, join } from 'node:path';
import { FileRefused, readRegular, realPathInside } from '../../store/regular-file.ts';
import { readDocument } from '../../threads/documents.ts';
import { TaskStopped } from '../../threads/task.ts';
import { changelogKind } from '../adapters/changelog/files.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { FILE_READING } from '../changelog-files/download.ts';
import { isFile, isFileInside, namesIn } from './find-packages.ts';

export interface LocalFile {
  filename: string;
  text: string;
  hash: string;
  bytes: number;
}

export type FileSkipReason =
  | 'no file'
  | 'unreadable'
  | 'no version heading'
  | 'a link that leaves its folder'
  | 'larger than 10 MB'
  | 'too hard to read';

export type LocalRead = { kind: 'file'; file: LocalFile } | { kind: 'skipped'; reason: FileSkipReason };

// As much as is fetched of a file at once; changelogs are far smaller.
const MAX_BYTES = 10 * 1024 * 1024;

// The changelog of a folder, chosen as it would be chosen in a repository. One that lies outside of `root` is chosen only
// when there is no other, so that it can be reported; it is not read.
export async function changelogPath(folder: string, root: string): Promise<string | null> {
  const tree = (await namesIn(folder)).map((path) => ({ path, hash: null, size: null }));
  const chosen = chooseChangelogFiles(tree).filter(({ path }) => changelogKind(path) !== 'guide');
  const others = tree.filter(({ path }) => isPackagedChangelog(path));
  const paths = [...chosen, ...others].map(({ path }) => join(folder, path));
  for (const path of paths) if (await isFileInside(root, path)) return path;
  for (const path of paths) if (await isFile(path)) return path;
  return null;
}

// Names that packages use beside those that are tracked in repositories.
const PACKAGED =
  /^(?:change-?logs?|changes|history|release[-_ ]?notes?|releases|news|what-?s-?new)(?:\.(?:md|markdown|mdown|mkdn?|mdx|rst|txt|adoc|asciidoc))?$/i;

function isPackagedChangelog(filename: string): boolean {
  return PACKAGED.test(filename);
}

interface ReadOptions {
  // The real path of the folder that the file must lie in; null for a file that a person has named.
  root: string | null;
  signal?: AbortSignal | undefined;
}

export async function readChangelog(path: string | null, { root, signal }: ReadOptions): Promise<LocalRead> {
  if (path === null) return { kind: 'skipped', reason: 'no file' };
  try {
    const real = root === null ? path : await realPathInside(root, path);
    if (real === null) throw new FileRefused('outside');
    const body = await readRegular(real, { most: MAX_BYTES, signal });
    const { text, hash } = await readDocument(FILE_READING, { body }, body.length, signal);
    if (text === null) return { kind: 'skipped', reason: 'unreadable' };
    return { kind: 'file', file: { filename: basename(path), text, hash, bytes: body.length } };
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'skipped', reason: REASONS[error.refusal] ?? 'unreadable' };
    if (error instanceof TaskStopped) return { kind: 'skipped', reason: 'too hard to read' };
    throw error;
  }
}

const REASONS: Partial<Record<FileRefused['refusal'], FileSkipReason>> = {
  outside: 'a link that leaves its folder',
  too_large: 'larger than 10 MB',
};
