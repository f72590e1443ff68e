import { type DateReading, findDate } from '../dates/index.ts';
import { parseVersion, versionInProse } from '../versions/index.ts';
import { trimEdges } from './heading-text.ts';

export interface HeadingContext {
  /** Words of org, product, source, package and repository. */
  names: readonly string[];
  now: Date;
  dayFirst: boolean;
}

export interface HeadingReading {
  version: string | null;
  packagePart: string | null;
  date: DateReading | null;
  /** The date as written. */
  dateText: string;
  /** The heading with its date set aside. */
  words: string;
}

const WORDS_BEFORE = 4;
// A version stands behind few words, so what comes later in a long heading is not looked at.
const WORDS_READ = 12;
const CHARACTERS_READ = 200;

/** The version and the date that a reduced heading states. */
export function readHeading(text: string, context: HeadingContext): HeadingReading {
  const found = findDate(text, context);
  const words = found ? trimEdges(`${text.slice(0, found.start)} ${text.slice(found.end)}`) : text;
  const named = readVersion(words, context.names);
  const reading = { ...named, words: words.replace(/\s+/g, ' ') };
  if (found) {
    const { at, precision, start, end } = found;
    return { ...reading, date: { at, precision }, dateText: text.slice(start, end) };
  }
  return { ...reading, ...dateBeside(words, named.version, context) };
}

interface NamedVersion {
  version: string | null;
  packagePart: string | null;
}

const NONE: NamedVersion = { version: null, packagePart: null };

function readVersion(words: string, names: readonly string[]): NamedVersion {
  if (words === '' || !/\d/.test(words)) return NONE;
  return wordVersion(words, names) ?? { version: proseVersion(words, names), packagePart: null };
}

/** A heading that is one word, such as `v1.2.3` or `@acme/core@3.1.0`, is read like a tag. */
function wordVersion(word: string, names: readonly string[]): NamedVersion | null {
  // `2.4.x` names a series.
  if (/[\s,;|&"'<>=?]/.test(word) || /[._-][x*](?![\p{L}\p{N}])/iu.test(word)) return null;
  if (!(/^v?\.?\d/i.test(word) || /^@?[^@]+@v?\d/.test(word) || beginsWithName(word, names))) return null;
  const parsed = parseVersion(word);
  if (!parsed || parsed.numbers.length < 2) return null;
  const { packagePart } = parsed;
  const text = packagePart === null ? word : word.slice(packagePart.length).replace(/^[-@_/]/, '');
  return { version: text.replace(/^v\.?(?=\d)/i, '').replace(/\([^()]*\)$/, ''), packagePart };
}

function beginsWithName(word: string, names: readonly string[]): boolean {
  const lower = word.toLowerCase();
  return names.some((name) =>
    name
      .toLowerCase()
      .split(/\s+/)
      .some(
        (part) =>
          part !== '' && lower.startsWith(part) && !/^\p{L}/u.test(lower.slice(part.length).replace(/^v(?=\d)/, '')),
      ),
  );
}

function proseVersion(words: string, names: readonly string[]): string | null {
  const spaced = words.slice(0, CHARACTERS_READ).replace(/,(?=\d)/g, ', ');
  const title = spaced.split(/\s+/, WORDS_READ).join(' ');
  const version = versionInProse(title, names);
  if (version === null) return null;
  const before = title.slice(0, title.indexOf(version)).split(' ');
  return before.filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^v\.?$/i.test(word)).length > WORDS_BEFORE
    ? null
    : version;
}

/** Beside a version `20240201` and `2024.02.01` are dates; alone they are versions themselves. */
function dateBeside(
  words: string,
  version: string | null,
  context: HeadingContext,
): { date: DateReading | null; dateText: string } {
  const none = { date: null, dateText: '' };
  if (version === null || version.length > words.length - 8) return none;
  const at = words.indexOf(version);
  const rest = `${words.slice(0, at)} ${words.slice(at + version.length)}`;
  const found = findDate(rest, { ...context, slot: true });
  if (!found) return none;
  return { date: { at: found.at, precision: found.precision }, dateText: rest.slice(found.start, found.end) };
}
