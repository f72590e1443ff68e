// The notes inside of a published package: what its changelog says of the versions of a range. Few packages bring one.
import { readArchive } from '../../domain/archive/read-archive.ts';
import { parseChangelog } from '../../domain/changelog/entries.ts';
import { deriveNotes } from '../../domain/notes/index.ts';
import { migrationSteps } from '../../domain/notes/steps.ts';
import type { BreakingVerdict } from '../../domain/notes/types.ts';
import { compareVersionKeys, isPrerelease, parseVersion, versionStep } from '../../domain/versions/index.ts';
import {
  CANONICAL_NAMES,
  changelogKind,
  changelogText,
  fileNameOf,
  folderOf,
  formatOf,
} from '../../ingest/adapters/changelog/files.ts';
import { onThread } from '../../threads/documents.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';

export interface PackedNote {
  version: string;
  title: string;
  summary: string;
  breaking: BreakingVerdict;
  migrationNotes: string | null;
  steps: string[];
  security: boolean;
}

interface NotesQuestion {
  archive: Uint8Array;
  name: string;
  // Versions above the first and up to the second are read.
  from: string;
  to: string;
}

const LONGEST_TEXT = 2_000_000;
const MOST_ENTRIES = 300;

// Oldest first; empty for a package without a changelog.
export async function readPackedNotes({ archive, name, from, to }: NotesQuestion): Promise<PackedNote[]> {
  const { files } = await readArchive(archive, { wanted: isChangelog });
  const paths = [...(files ?? new Map<string, Uint8Array>()).keys()].sort((a, b) => preference(a) - preference(b));
  const [path] = paths;
  const text = path === undefined ? null : changelogText(files?.get(path) ?? new Uint8Array());
  if (path === undefined || text === null) return [];
  const [low, high] = [parseVersion(from)?.sortKey ?? '', parseVersion(to)?.sortKey ?? ''];
  const entries = parseChangelog(text, { names: [name], now: new Date(), format: formatOf(path) })
    .flatMap((entry) => {
      const parsed = entry.version === null ? null : parseVersion(entry.version);
      return parsed?.sortKey ? [{ entry, parsed, key: parsed.sortKey }] : [];
    })
    .sort((a, b) => compareVersionKeys(a.key, b.key));
  const inRange = entries.filter(({ key }) => compareVersionKeys(key, low) > 0 && compareVersionKeys(key, high) <= 0);
  return inRange.slice(-MOST_ENTRIES).map(({ entry, parsed, key }) => {
    const before = entries.findLast((one) => !isPrerelease(one.entry.version) && compareVersionKeys(one.key, key) < 0);
    const notes = deriveNotes({
      title: entry.title,
      content: entry.body,
      version: entry.version,
      versionNumbers: parsed.numbers,
      step: versionStep(parsed, before?.parsed ?? null),
      prerelease: isPrerelease(entry.version),
      type: 'feature',
      origin: 'changelog',
      names: [name],
      displayName: name,
    });
    return {
      version: entry.version ?? '',
      title: entry.title,
      summary: notes.summary,
      // A heading without text says nothing.
      breaking: entry.body.trim() === '' ? 'unknown' : notes.breaking,
      migrationNotes: notes.migrationNotes,
      steps: notes.migrationNotes === null ? [] : migrationSteps(notes.migrationNotes),
      security: notes.security,
    };
  });
}

function isChangelog(path: string, size: number): boolean {
  const kind = changelogKind(fileNameOf(path));
  return kind !== null && kind !== 'guide' && folderOf(path) === '' && size <= LONGEST_TEXT;
}

function preference(path: string): number {
  const at = CANONICAL_NAMES.indexOf(path.toLowerCase());
  return at === -1 ? CANONICAL_NAMES.length : at;
}

const PACKED_NOTES = threadTask(import.meta.url, readPackedNotes);

export async function packedNotes(question: NotesQuestion, signal: AbortSignal): Promise<PackedNote[]> {
  try {
    return await onThread(PACKED_NOTES, question, signal);
  } catch (error) {
    if (error instanceof TaskStopped) return [];
    throw error;
  }
}
