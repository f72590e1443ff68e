// The changelog inside of a published package.
import { integrityHolds } from '../../domain/archive/integrity.ts';
import { readArchive } from '../../domain/archive/read-archive.ts';
import { readDocument } from '../../threads/documents.ts';
import { changelogKind, fileNameOf, folderOf, isIgnoredFolder } from '../adapters/changelog/files.ts';
import { chooseChangelogFiles } from '../changelog-files/choose.ts';
import { FILE_READING } from '../changelog-files/download.ts';

export interface PackedFile {
  // Below the top folder of the package.
  path: string;
  text: string;
  hash: string;
  bytes: number;
}

// `file` is null when the package has no changelog.
export type PackedNotes = { file: PackedFile | null; refused?: never } | { refused: string; file?: never };

const MAX_TEXT = 8_000_000;

export async function readNotes(archive: Uint8Array<ArrayBuffer>, integrity: string | null): Promise<PackedNotes> {
  if (!(await integrityHolds(archive, integrity))) return { refused: 'the archive is not the one that is listed' };
  const { files, refusal } = await readArchive(archive, { wanted: isNotes });
  if (refusal) return { refused: refusal.text };
  const tree = [...files].map(([path, { length }]) => ({ path, hash: null, size: length }));
  for (const { path } of chooseChangelogFiles(tree)) {
    const body = files.get(path) ?? new Uint8Array();
    const { text, hash } = await readDocument(FILE_READING, { body }, body.length);
    if (text?.trim()) return { file: { path, text, hash, bytes: body.length } };
  }
  return { file: null };
}

// Upgrade guides hold no entries, and nobody's changelog is larger.
function isNotes(path: string, size: number): boolean {
  const kind = changelogKind(fileNameOf(path));
  if (kind === null || kind === 'guide' || size > MAX_TEXT) return false;
  return !folderOf(path).split('/').some(isIgnoredFolder);
}
