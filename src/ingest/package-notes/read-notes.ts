// The changelog and the upgrade guides inside of a published package.
import { integrityHolds } from '../../domain/archive/integrity.ts';
import { readArchive } from '../../domain/archive/read-archive.ts';
import { changelogKind, fileNameOf, folderOf, isIgnoredFolder } from '../../domain/changelog/files.ts';
import { readDocument } from '../../threads/documents.ts';
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
export type PackedNotes =
  | { file: PackedFile | null; guides: PackedFile[]; refused?: never }
  | { refused: string; file?: never; guides?: never };

const MAX_TEXT = 8_000_000;
const MAX_GUIDE = 1_000_000;
const MAX_GUIDES = 12;

export async function readNotes(archive: Uint8Array<ArrayBuffer>, integrity: string | null): Promise<PackedNotes> {
  if (!(await integrityHolds(archive, integrity))) return { refused: 'the archive is not the one that is listed' };
  const { files, refusal } = await readArchive(archive, { wanted: isNotes });
  if (refusal) return { refused: refusal.text };
  const tree = [...files].map(([path, { length }]) => ({ path, hash: null, size: length }));
  const chosen = chooseChangelogFiles(tree).map(({ path }) => path);
  const read = async (path: string): Promise<PackedFile | null> => {
    const body = files.get(path) ?? new Uint8Array();
    const { text, hash } = await readDocument(FILE_READING, { body }, body.length);
    return text?.trim() ? { path, text, hash, bytes: body.length } : null;
  };
  let file: PackedFile | null = null;
  for (const path of chosen.filter((one) => !isGuide(one))) {
    file = await read(path);
    if (file) break;
  }
  const guides: PackedFile[] = [];
  for (const path of chosen.filter(isGuide).slice(0, MAX_GUIDES)) guides.push(...[(await read(path)) ?? []].flat());
  return { file, guides };
}

function isGuide(path: string): boolean {
  return changelogKind(fileNameOf(path)) === 'guide';
}

// Nobody's changelog is larger, and no guide that a person reads.
function isNotes(path: string, size: number): boolean {
  if (changelogKind(fileNameOf(path)) === null || size > (isGuide(path) ? MAX_GUIDE : MAX_TEXT)) return false;
  return !folderOf(path).split('/').some(isIgnoredFolder);
}
