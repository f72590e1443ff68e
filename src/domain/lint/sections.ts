// A changelog as the rules see it: the sections with a version, where each stands, and which versions it speaks of.
import { changelogSections } from '../changelog/entries.ts';
import { formatOf } from '../changelog/files.ts';
import type { ChangelogSection } from '../changelog/types.ts';
import type { DateReading } from '../dates/index.ts';
import { parseVersion } from '../versions/index.ts';
import type { ParsedVersion } from '../versions/parse.ts';

export interface LintSection {
  version: string;
  parsed: ParsedVersion;
  key: string;
  // Keys of all versions that the heading announces.
  keys: readonly string[];
  heading: string;
  level: number;
  date: DateReading | null;
  body: string;
  // The lines of the heading and of the last line below it, from 1.
  line: number;
  lastLine: number;
  // The file says itself that the version was taken back or never went out.
  isWithdrawn: boolean;
  // The words of the heading beside version, day and names of the package; many of them make it a heading about something else.
  besides: number;
}

export interface LintedFile {
  lines: readonly string[];
  sections: readonly LintSection[];
  // The lines of all headings that begin an entry, also of those with nothing but a day.
  entryLines: ReadonlySet<number>;
}

interface FileInput {
  text: string;
  path: string;
  packageName: string | null;
  now: Date;
}

const WITHDRAWN =
  /\b(?:yanked|withdrawn|retracted|unpublished|skipped|unreleased|internal|never released|not (?:yet )?(?:released|published)|(?:broken|failed|botched) release|upcoming|planned|tbd|tba)\b/i;

// More than any changelog of people has; what strangers make ends there.
const MAX_SECTIONS = 5000;

export function readLintedFile({ text, path, packageName, now }: FileInput): LintedFile {
  const lines = text.split('\n');
  const names = packageName === null ? [] : namesOfPackage(packageName);
  const found = changelogSections(text, { names, now, format: formatOf(path) });
  const lineAt = lineNumbers(lines);
  const read = found.map((section) => ({ section, line: lineAt(section.offset) }));
  const sections = read.slice(0, MAX_SECTIONS).flatMap(({ section, line }, at) => {
    if (!isOfPackage(section, names)) return [];
    const parsed = section.version === null ? null : parseVersion(section.version);
    if (parsed === null || parsed.sortKey === null || isMisread(section.heading)) return [];
    const next = read[at + 1];
    const more = section.more.flatMap((version) => parseVersion(version)?.sortKey ?? []);
    return [
      {
        version: section.version ?? '',
        parsed,
        key: parsed.sortKey,
        keys: [parsed.sortKey, ...more],
        heading: section.heading,
        level: section.level,
        date: section.date,
        body: section.body,
        line,
        lastLine: next ? next.line - 1 : lines.length,
        isWithdrawn: section.yanked || WITHDRAWN.test(section.heading),
        besides: wordsBesides(section, names),
      },
    ];
  });
  return { lines, sections, entryLines: new Set(read.map(({ line }) => line)) };
}

// A heading of many words that holds a version, where most have none: `Upgraded to libgit2 v0.24.1`.
export const MANY_WORDS = 3;

const MONTH_OR_USUAL =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|version|release[ds]?|th|st|nd|rd)/;

function wordsBesides({ heading, version }: ChangelogSection, names: readonly string[]): number {
  const own = new Set(names.flatMap((name) => name.toLowerCase().match(/\p{L}+/gu) ?? []));
  const rest = heading
    .slice(0, 200)
    .replace(version ?? '', ' ')
    .toLowerCase();
  return (rest.match(/\p{L}{2,}/gu) ?? []).filter((word) => !own.has(word) && !MONTH_OR_USUAL.test(word)).length;
}

function namesOfPackage(name: string): string[] {
  const short = name.slice(name.lastIndexOf('/') + 1);
  return short === name ? [name] : [name, short];
}

// A number with two dots, with a blank before or behind a dot, or with a letter for a digit: what is read of it is another version.
const MISREAD =
  /^[^\p{L}\d]*(?:version\s|release\s)?v?\d{1,6}(?:\.\d{1,6})*(?:\.{2,3}\d|\s+\.\d|\.\s+\d+\.|\.[oOlI](?:\.|\s|$)|\.[oOlI]\d)/u;

export function isMisread(heading: string): boolean {
  return MISREAD.test(heading.slice(0, 100));
}

// Whether a heading that cannot be read was meant as a version: `1.2.O` as 1.2.0.
export function isMeantAs(heading: string, version: string): boolean {
  const digits = (text: string) =>
    text
      .replace(/[oO](?![a-z])/g, '0')
      .replace(/(?<![a-z])[lI](?![a-z])/g, '1')
      .replace(/\D/g, '');
  return digits(heading.slice(0, 100)).startsWith(digits(version));
}

// In the file of several packages those of the others say nothing of this one.
function isOfPackage({ packagePart }: ChangelogSection, names: readonly string[]): boolean {
  if (packagePart === null || names.length === 0) return true;
  const part = packagePart.toLowerCase().replace(/[-@_/]$/, '');
  return names.some((name) => name.toLowerCase() === part || part.endsWith(`/${name.toLowerCase()}`));
}

// The number of the line that an offset stands in.
function lineNumbers(lines: readonly string[]): (offset: number) => number {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  };
}

// The first line of a section that holds a text of its body, which may be written a little different there.
export function lineOfText({ lines }: LintedFile, { line, lastLine }: LintSection, text: string): number {
  const wanted = lettersOf(text.split('\n', 1)[0] ?? '').slice(0, 60);
  if (wanted.length === 0) return line;
  for (let at = line; at < lastLine; at += 1) {
    if (lettersOf(lines[at] ?? '').startsWith(wanted)) return at + 1;
  }
  for (let at = line; at < lastLine; at += 1) {
    if (lettersOf(lines[at] ?? '').includes(wanted.slice(0, 24))) return at + 1;
  }
  return line;
}

function lettersOf(line: string): string {
  return line
    .slice(0, 2000)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
