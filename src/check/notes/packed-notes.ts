// The notes inside of a published package: what its changelog says of the versions of a range. Few packages bring one.
import { readArchive } from '../../domain/archive/read-archive.ts';
import { parseChangelog } from '../../domain/changelog/entries.ts';
import {
  CANONICAL_NAMES,
  changelogKind,
  changelogText,
  fileNameOf,
  folderOf,
  formatOf,
  isIgnoredFolder,
} from '../../domain/changelog/files.ts';
import { deriveNotes } from '../../domain/notes/index.ts';
import { guideSteps } from '../../domain/notes/steps.ts';
import type { BreakingVerdict } from '../../domain/notes/types.ts';
import { type GuideSection, type GuideText, sectionsOfGuides } from '../../domain/upgrade/guide.ts';
import { compareVersionKeys, isPrerelease, parseVersion, versionStep } from '../../domain/versions/index.ts';
import type { ParsedVersion, VersionStep } from '../../domain/versions/parse.ts';
import { onThread } from '../../threads/documents.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';

export interface PackedNote {
  version: string;
  title: string;
  summary: string;
  breaking: BreakingVerdict;
  // The verdict rests on the number of the version alone.
  judgedBy?: 'version';
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

// Raised whenever the same archive may give other notes.
export const READING_VERSION = 3;

const MAX_TEXT_LENGTH = 2_000_000;
const MAX_GUIDE_LENGTH = 1_000_000;
const MAX_ENTRIES = 300;
const MAX_GUIDES = 12;

// Oldest first; empty for a package with neither a changelog nor a guide.
export async function readPackedNotes({ archive, name, from, to }: NotesQuestion): Promise<PackedNote[]> {
  const { files = new Map<string, Uint8Array>() } = await readArchive(archive, { wanted: isNotes });
  const texts = [...files].flatMap(([path, bytes]) => {
    const text = changelogText(bytes);
    return text === null ? [] : [{ path, text }];
  });
  const [low, high] = [parseVersion(from)?.sortKey ?? '', parseVersion(to)?.sortKey ?? ''];
  const guides = texts
    .filter(({ path }) => isGuide(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
    .slice(0, MAX_GUIDES)
    .map(({ path, text }) => ({ text, names: namesOf(name), filename: fileNameOf(path) }));
  const [changelog] = texts
    .filter(({ path }) => !isGuide(path))
    .sort((a, b) => preference(a.path) - preference(b.path));
  const entries = changelog ? entriesOf(changelog, name) : [];
  const inRange = entries.filter(({ key }) => compareVersionKeys(key, low) > 0 && compareVersionKeys(key, high) <= 0);
  const stepBefore = (parsed: ParsedVersion, key: string) => {
    const before = entries.findLast((one) => !isPrerelease(one.entry.version) && compareVersionKeys(one.key, key) < 0);
    return versionStep(parsed, before?.parsed ?? null);
  };
  const notes = inRange.slice(-MAX_ENTRIES).map(({ entry, parsed, key }) => {
    const { version, title, body } = entry;
    return { key, note: readNote(name, { version: version ?? '', title, body, step: stepBefore(parsed, key) }) };
  });
  return withGuides(notes, {
    guides,
    low,
    high,
    read: ({ version, text }) => readNote(name, { version, title: version, body: text, step: 'major' }),
  });
}

function entriesOf({ path, text }: { path: string; text: string }, name: string) {
  return parseChangelog(text, { names: [name], now: new Date(), format: formatOf(path) })
    .flatMap((entry) => {
      const parsed = entry.version === null ? null : parseVersion(entry.version);
      return parsed?.sortKey ? [{ entry, parsed, key: parsed.sortKey }] : [];
    })
    .sort((a, b) => compareVersionKeys(a.key, b.key));
}

interface NoteText {
  version: string;
  title: string;
  body: string;
  step: VersionStep | null;
}

function readNote(name: string, { version, title, body, step }: NoteText): PackedNote {
  const notes = deriveNotes({
    title,
    content: body,
    version,
    versionNumbers: parseVersion(version)?.numbers ?? [],
    step,
    prerelease: isPrerelease(version),
    type: 'feature',
    origin: 'changelog',
    names: [name],
    displayName: name,
  });
  return {
    version,
    title,
    summary: notes.summary,
    // A heading without text says nothing.
    breaking: body.trim() === '' ? 'unknown' : notes.breaking,
    ...(body.trim() !== '' && notes.byVersion ? { judgedBy: 'version' } : {}),
    migrationNotes: notes.migrationNotes,
    steps: notes.upgradeSteps ?? [],
    security: notes.security,
  };
}

function isNotes(path: string, size: number): boolean {
  const kind = changelogKind(fileNameOf(path));
  if (kind === null || folderOf(path).split('/').some(isIgnoredFolder)) return false;
  return kind === 'guide' ? size <= MAX_GUIDE_LENGTH : folderOf(path) === '' && size <= MAX_TEXT_LENGTH;
}

function isGuide(path: string): boolean {
  return changelogKind(fileNameOf(path)) === 'guide';
}

// What a guide may call the package: `@acme/forms` is "Forms".
function namesOf(name: string): string[] {
  return [name, name.slice(name.lastIndexOf('/') + 1)];
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

// The upgrade guides inside of a published package: what each asks of who comes to a version is told with that version.

interface KeyedNote {
  key: string;
  note: PackedNote;
}

interface GuidedRange {
  guides: readonly GuideText[];
  // Keys of versions; the first lies outside.
  low: string;
  high: string;
  // What a section says when the changelog has no entry for its version.
  read: (section: GuideSection) => PackedNote;
}

// Oldest first, as the notes are.
function withGuides(notes: readonly KeyedNote[], { guides, low, high, read }: GuidedRange): PackedNote[] {
  const sections = [...sectionsOfGuides(guides)].filter(
    ([key]) => compareVersionKeys(key, low) > 0 && compareVersionKeys(key, high) <= 0,
  );
  const told = new Map(notes.map((one) => [one.key, one]));
  for (const [key, section] of sections) {
    // A guide says what breaks.
    const { judgedBy: _, ...note } = told.get(key)?.note ?? read(section);
    told.set(key, { key, note: { ...note, steps: [...note.steps, ...guideSteps(section.text)] } });
  }
  return [...told.values()].sort((one, other) => compareVersionKeys(one.key, other.key)).map(({ note }) => note);
}
