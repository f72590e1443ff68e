// The notes of a package by texts about it: a changelog, upgrade guides, releases of its repository. They are read by the
// same rules wherever the texts come from.
import { parseChangelog } from '../../domain/changelog/entries.ts';
import { fileNameOf, formatOf } from '../../domain/changelog/files.ts';
import { tidyMarkdown } from '../../domain/html/to-markdown.ts';
import { deriveNotes } from '../../domain/notes/index.ts';
import { guideSteps } from '../../domain/notes/steps.ts';
import type { BreakingVerdict } from '../../domain/notes/types.ts';
import { sectionsOfGuides } from '../../domain/upgrade/guide.ts';
import { partOfPackage } from '../../domain/upgrade/requested-package.ts';
import { compareVersionKeys, isPrerelease, parseVersion, versionStep } from '../../domain/versions/index.ts';
import type { ParsedVersion } from '../../domain/versions/parse.ts';

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

export interface NotedRange {
  name: string;
  // Versions above the first and up to the second are read.
  from: string;
  to: string;
}

export interface NamedText {
  path: string;
  text: string;
}

interface NoteTexts {
  changelogs: readonly NamedText[];
  guides: readonly NamedText[];
  releases?: readonly { version: string; title: string; body: string }[];
}

const MAX_ENTRIES = 300;

// Oldest first; empty where no text tells of a version of the range.
export function notesOfTexts(
  { changelogs, guides, releases = [] }: NoteTexts,
  { name, from, to }: NotedRange,
): PackedNote[] {
  const [low, high] = [parseVersion(from)?.sortKey ?? '', parseVersion(to)?.sortKey ?? ''];
  const isInside = (key: string) => compareVersionKeys(key, low) > 0 && compareVersionKeys(key, high) <= 0;
  const told = [...changelogs.flatMap((one) => entriesOf(one, name)), ...releases.flatMap(releaseText)];
  const keyed = told.sort((a, b) => compareVersionKeys(a.key, b.key));
  const notes = new Map<string, PackedNote>();
  const inside = keyed.flatMap((one, index) => (isInside(one.key) ? [{ one, index }] : []));
  for (const { one, index } of inside.slice(-MAX_ENTRIES)) {
    const read = readNote(name, one, stepTo(one, keyed.slice(0, index)));
    const before = notes.get(one.key);
    notes.set(one.key, before ? toldTwice(before, read) : read);
  }
  const sections = sectionsOfGuides(
    guides.map(({ path, text }) => ({ text, names: namesOf(name), filename: fileNameOf(path) })),
  );
  for (const [key, section] of sections) {
    if (!isInside(key)) continue;
    const { version, text } = section;
    const alone = { version, title: version, body: text, origin: 'changelog', key } as const;
    // A guide says what breaks.
    const { judgedBy: _, ...note } = notes.get(key) ?? readNote(name, alone, 'major');
    notes.set(key, { ...note, steps: [...note.steps, ...guideSteps(section.text)] });
  }
  return [...notes].sort(([one], [other]) => compareVersionKeys(one, other)).map(([, note]) => note);
}

interface ToldVersion {
  key: string;
  version: string;
  title: string;
  body: string;
  origin: 'changelog' | 'release';
}

export function entriesOf({ path, text }: NamedText, name: string): ToldVersion[] {
  return parseChangelog(text, { names: namesOf(name), now: new Date(), format: formatOf(path) }).flatMap((entry) => {
    const { version, title, body } = entry;
    const key = version === null ? null : (parseVersion(version)?.sortKey ?? null);
    const isOther = entry.packagePart !== null && partOfPackage([entry.packagePart], { name, folder: '' }) === null;
    return version === null || key === null || isOther
      ? []
      : [{ key, version, title, body, origin: 'changelog' as const }];
  });
}

function releaseText({ version, title, body }: { version: string; title: string; body: string }): ToldVersion[] {
  const key = parseVersion(version)?.sortKey ?? null;
  return key === null ? [] : [{ key, version, title: title || version, body: tidyMarkdown(body), origin: 'release' }];
}

function stepTo({ version, key }: ToldVersion, before: readonly ToldVersion[]) {
  const last = before.findLast((one) => !isPrerelease(one.version) && compareVersionKeys(one.key, key) < 0);
  return versionStep(parseVersion(version) as ParsedVersion, last ? parseVersion(last.version) : null);
}

function readNote(
  name: string,
  { version, title, body, origin }: ToldVersion,
  step: ReturnType<typeof stepTo>,
): PackedNote {
  const notes = deriveNotes({
    title,
    content: body,
    version,
    versionNumbers: parseVersion(version)?.numbers ?? [],
    step,
    prerelease: isPrerelease(version),
    type: 'feature',
    origin,
    names: namesOf(name),
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

// What a text may call the package: `@acme/forms` is "Forms".
function namesOf(name: string): string[] {
  return [...new Set([name, name.slice(name.lastIndexOf('/') + 1)])];
}

const WEIGHT: Record<BreakingVerdict, number> = { unknown: 0, none: 1, minor: 2, major: 3 };

// Two texts on one version: the worse of their verdicts counts, one that says why before one that goes by the number alone.
function toldTwice(one: PackedNote, other: PackedNote): PackedNote {
  const [worse, better] = weightOf(other) > weightOf(one) ? [other, one] : [one, other];
  return {
    ...worse,
    migrationNotes: worse.migrationNotes ?? better.migrationNotes,
    steps: [...new Set([...worse.steps, ...better.steps])],
    security: worse.security || better.security,
  };
}

function weightOf({ breaking, judgedBy }: PackedNote): number {
  return WEIGHT[breaking] * 2 + (judgedBy === undefined ? 1 : 0);
}

// The same where the texts were read apart.
export function mergeNotes(all: readonly (readonly PackedNote[])[]): PackedNote[] {
  const byKey = new Map<string, PackedNote>();
  for (const note of all.flat()) {
    const key = parseVersion(note.version)?.sortKey ?? note.version;
    const before = byKey.get(key);
    byKey.set(key, before ? toldTwice(before, note) : note);
  }
  return [...byKey].sort(([one], [other]) => compareVersionKeys(one, other)).map(([, note]) => note);
}
