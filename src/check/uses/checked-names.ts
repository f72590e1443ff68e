// Members of values are known where types are: the compiler is asked for the names of which syntax alone cannot tell. What it says
// is kept as long as neither the project nor what is installed changes.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../domain/records.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import { type CheckedName, wordOf } from '../../domain/uses/use-of.ts';
import type { WordIndex } from '../../domain/uses/word-index.ts';
import type { CheckCache } from '../cache.ts';
import { unreadWords } from '../prove/unread.ts';
import { isLookedFor, type WantedNames } from '../prove/wanted-names.ts';

interface NamesQuestion {
  root: string;
  files: readonly SourceFile[];
  wanted: readonly WantedNames[];
}

interface NamesTools {
  cache: CheckCache;
  index: WordIndex;
  signal?: AbortSignal | undefined;
}

// Rises with every change of the rules by which the checker answers.
const KIND = 'checked-3';
const MAX_PROJECTS = 20;
const CHECKED = /\.[cm]?[jt]sx?$/;
// A larger project is not compiled for this: it is bounded by what it has, so that the answer is the same everywhere.
const MAX_FILES = 6_000;
const MAX_CHARACTERS = 60_000_000;

// A file that was read, as it was.
type Seen = readonly [path: string, size: number, changed: number];

interface Stored {
  names: [string, CheckedName][];
  seen: Seen[];
  leftOut: string[];
}

interface CheckedNames {
  // Null where types were not asked, or had no answer.
  names: ReadonlyMap<string, CheckedName> | null;
  // What the compiler could not read, in words.
  leftOut: string[];
}

const NOT_ASKED: CheckedNames = { names: null, leftOut: [] };

// A larger project is not asked about.
export async function checkedNames(
  { root, files, wanted }: NamesQuestion,
  { cache, index, signal }: NamesTools,
): Promise<CheckedNames> {
  const sources = files.filter(({ path }) => CHECKED.test(path));
  if (!sources.some(({ path }) => /\.[cm]?tsx?$/.test(path)) || isTooLarge(sources)) return NOT_ASKED;
  const open = openNames(wanted, index);
  if (open.length === 0) return NOT_ASKED;
  const key = keyOf({ root, files, wanted: open });
  const stored = cache.read<unknown>(KIND, key);
  if (isStored(stored) && stored.seen.every((one) => isSame(root, one))) {
    return { names: new Map(stored.names), leftOut: unreadWords(stored.leftOut) };
  }
  const { namesOnThread } = await import('../prove/checker.ts');
  const answer = await namesOnThread({ root, files, wanted: open }, signal);
  if ('stopped' in answer) return { names: null, leftOut: [`types could not be read: ${answer.stopped}`] };
  const { names, leftOut } = answer;
  const seen = answer.read.map((path) => seenNow(root, path)).filter((one) => one !== null);
  cache.write(KIND, key, { names, seen, leftOut } satisfies Stored, { most: MAX_PROJECTS });
  return { names: new Map(names), leftOut: unreadWords(leftOut) };
}

// A name that stands nowhere is meant nowhere.
function openNames(wanted: readonly WantedNames[], index: WordIndex): WantedNames[] {
  return wanted.flatMap((one) => {
    const findings = one.findings.filter((finding) => {
      return isLookedFor(finding) && index.filesWith(wordOf(finding, one.package)).length > 0;
    });
    return findings.length > 0 ? [{ ...one, findings }] : [];
  });
}

function isTooLarge(sources: readonly SourceFile[]): boolean {
  return sources.length > MAX_FILES || sources.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARACTERS;
}

// What managers of packages leave behind when they have installed something.
const INSTALLED = ['', '@types', '.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

function keyOf({ root, files, wanted }: NamesQuestion): string {
  const folders = files.flatMap(({ path }) => /^(?:(.*)\/)?package\.json$/.exec(path)?.slice(1) ?? []);
  const installed = folders.flatMap((folder = '') => {
    return INSTALLED.map((name) => seenNow(root, join(folder, 'node_modules', name)));
  });
  const texts = files.map(({ path, text }) => [path, hash('sha256', text)]);
  const asked = wanted.map((one) => [one.package, one.names, one.findings.map((f) => [f.kind, f.subpath, f.name])]);
  return hash('sha256', JSON.stringify([root, texts, asked, installed]));
}

function seenNow(root: string, path: string): Seen | null {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  return stat ? [path, stat.size, stat.mtimeMs] : null;
}

function isSame(root: string, [path, size, changed]: Seen): boolean {
  const now = seenNow(root, path);
  return now !== null && now[1] === size && now[2] === changed;
}

function isStored(value: unknown): value is Stored {
  return (
    isRecord(value) &&
    isNamesList(value.names) &&
    isSeenList(value.seen) &&
    Array.isArray(value.leftOut) &&
    value.leftOut.every((one) => typeof one === 'string')
  );
}

function isNamesList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        Array.isArray(one) &&
        typeof one[0] === 'string' &&
        isRecord(one[1]) &&
        typeof one[1].isComplete === 'boolean' &&
        Array.isArray(one[1].places) &&
        one[1].places.every(
          (place) =>
            isRecord(place) &&
            typeof place.file === 'string' &&
            Number.isInteger(place.line) &&
            (place.form === null || isRecord(place.form)),
        ),
    )
  );
}

function isSeenList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => Array.isArray(one) && typeof one[0] === 'string');
}
