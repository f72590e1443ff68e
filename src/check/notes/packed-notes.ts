// The notes inside of a published package: what its changelog says of the versions of a range. Few packages bring one.
import { readArchive } from '../../domain/archive/read-archive.ts';
import {
  CANONICAL_NAMES,
  changelogKind,
  changelogText,
  fileNameOf,
  folderOf,
  isIgnoredFolder,
} from '../../domain/changelog/files.ts';
import { isRecord } from '../../domain/records.ts';
import { repositoryUrl } from '../../domain/registries/repository-url.ts';
import { parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { onThread } from '../../threads/documents.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';
import { type NotedRange, notesOfTexts, type PackedNote } from './text-notes.ts';

interface NotesQuestion extends NotedRange {
  archive: Uint8Array;
}

// Where the package says that it is developed.
export interface NamedRepository {
  url: string;
  // The folder of the package in it; empty at its root.
  folder: string;
}

interface PackedReading {
  // Oldest first; empty for a package with neither a changelog nor a guide.
  notes: PackedNote[];
  repository: NamedRepository | null;
  changelogName: string | null;
}

// Raised whenever the same archive may give another reading.
export const READING_VERSION = 4;

const MAX_TEXT_LENGTH = 2_000_000;
const MAX_GUIDE_LENGTH = 1_000_000;
const MAX_MANIFEST_LENGTH = 1_000_000;
const MAX_GUIDES = 12;
const MANIFEST = 'package.json';

export async function readPackedNotes({ archive, ...range }: NotesQuestion): Promise<PackedReading> {
  const { files = new Map<string, Uint8Array>() } = await readArchive(archive, { wanted: isRead });
  const texts = [...files].flatMap(([path, bytes]) => {
    const text = path === MANIFEST ? null : changelogText(bytes);
    return text === null ? [] : [{ path, text }];
  });
  const guides = texts
    .filter(({ path }) => isGuide(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
    .slice(0, MAX_GUIDES);
  const changelogs = texts
    .filter(({ path }) => !isGuide(path))
    .sort((a, b) => preference(a.path) - preference(b.path))
    .slice(0, 1);
  const manifest = parseObject(new TextDecoder().decode(files.get(MANIFEST) ?? new Uint8Array()));
  return {
    notes: notesOfTexts({ changelogs, guides }, range),
    repository: namedRepository(manifest?.repository),
    changelogName: changelogs[0]?.path ?? null,
  };
}

function namedRepository(value: unknown): NamedRepository | null {
  const url = repositoryUrl(isRecord(value) ? value.url : value);
  if (url === null) return null;
  const folder = isRecord(value) && typeof value.directory === 'string' ? value.directory : '';
  const plain = folder.replace(/^(?:\.?\/)+|\/+$/g, '');
  return { url, folder: /^[\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,9}$/.test(plain) && !plain.includes('..') ? plain : '' };
}

function isRead(path: string, size: number): boolean {
  if (path === MANIFEST) return size <= MAX_MANIFEST_LENGTH;
  const kind = changelogKind(fileNameOf(path));
  if (kind === null || folderOf(path).split('/').some(isIgnoredFolder)) return false;
  return kind === 'guide' ? size <= MAX_GUIDE_LENGTH : folderOf(path) === '' && size <= MAX_TEXT_LENGTH;
}

export function isGuide(path: string): boolean {
  return changelogKind(fileNameOf(path)) === 'guide';
}

// The lower, the more likely it is the changelog of its folder.
export function preference(path: string): number {
  const at = CANONICAL_NAMES.indexOf(fileNameOf(path).toLowerCase());
  return at === -1 ? CANONICAL_NAMES.length : at;
}

const PACKED_NOTES = threadTask(import.meta.url, readPackedNotes);

export async function packedNotes(question: NotesQuestion, signal: AbortSignal): Promise<PackedReading> {
  try {
    return await onThread(PACKED_NOTES, question, signal);
  } catch (error) {
    if (error instanceof TaskStopped) return { notes: [], repository: null, changelogName: null };
    throw error;
  }
}
