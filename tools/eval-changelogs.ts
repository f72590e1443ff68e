/**
 * Measures the changelog parser on real files: `npm run eval:changelogs -- <folder> [--verbose]`, where the folder holds
 * pairs `X.md` and `X.versions.json` (the published versions). What should be found is judged by a scan of its own that
 * shares no code with the parser: heading-like lines that contain a listed version, and the dates written beside it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ChangelogEntry, parseChangelog } from '../src/domain/changelog/entries.ts';

const RECALL_BAR = 0.99;
const WRONG_BAR = 0.005;

export interface Score {
  /** Listed versions that stand in a heading. */
  expected: number;
  found: number;
  /** Found versions whose heading, or the line below it, states a date; and those with that date. */
  dated: number;
  datesRight: number;
  /** Versions found with the right date, or without one where none is written. */
  right: number;
  entries: number;
  wrong: number;
  notes: string[];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DATES: readonly [RegExp, (...parts: string[]) => string][] = [
  [/\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b/, (year, month, day) => iso(year, month, day)],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/, (day, month, year) => iso(year, month, day)],
  [
    /\b([A-Za-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)? ?,? (\d{4})\b/,
    (name, day, year) => iso(year, monthOf(name), day),
  ],
  [
    /\b(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3})[a-z]*\.?,? (\d{4})\b/,
    (day, name, year) => iso(year, monthOf(name), day),
  ],
];

function iso(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.toLowerCase()) + 1);
}

function dateIn(text: string): string | null {
  const plain = text.replace(/[*_]/g, ' ');
  for (const [pattern, read] of DATES) {
    const match = pattern.exec(plain);
    if (match) return read(...match.slice(1));
  }
  return null;
}

interface HeadingLike {
  text: string;
  date: string | null;
}

/** Lines that look like headings, without link targets and tags; code fences are the only context regarded. */
function headingLikeLines(text: string): HeadingLike[] {
  const lines = text.split(/\r?\n/);
  const found: HeadingLike[] = [];
  let fence = '';
  for (const [at, line] of lines.entries()) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? '';
    if (mark !== '' && (fence === '' || fence === mark)) fence = fence === '' ? mark : '';
    const isHeading = /^#{1,4}\s/.test(line) || /^(?:\*\*|__)[^*]+(?:\*\*|__)/.test(line) || /^<h[1-4]/i.test(line);
    const isUnderlined = /^\S/.test(line) && /^(?:={3,}|-{3,})\s*$/.test(lines[at + 1] ?? '');
    if (fence !== '' || !(isHeading || isUnderlined)) continue;
    const shown = line.replace(/\]\([^)]*\)/g, ']').replace(/<[^>]*>/g, '');
    const below = lines.slice(at + (isUnderlined ? 2 : 1)).find((next) => next.trim() !== '') ?? '';
    found.push({ text: shown, date: dateIn(shown) ?? (statesDate(below) ? dateIn(below) : null) });
  }
  return found;
}

function statesDate(line: string): boolean {
  const text = line.replace(/[*_>#]/g, '').trim();
  return text.length < 60 && (/^(?:released?|published|date)\b/i.test(text) || /^[\w., /-]{8,20}$/.test(text));
}

function versionPattern(version: string): RegExp {
  return new RegExp(`(?<![\\w.-])v?${version.replace(/[.+]/g, '\\$&')}(?![\\w+-]|\\.\\w)`, 'i');
}

/** The first thing in a heading that reads like a version, dates aside. */
function firstWritten(heading: string): string | null {
  const undated = DATES.reduce((text, [pattern]) => text.replace(pattern, ' '), heading);
  return /(?:^|[\s([@v-])v?(\d+(?:\.\d+)*(?:[-+.]?[A-Za-z0-9]+)*)/i.exec(undated)?.[1]?.toLowerCase() ?? null;
}

function isWrong(entry: ChangelogEntry, listed: ReadonlySet<string>): boolean {
  if (entry.version === null) return dateIn(entry.heading) === null;
  const written = firstWritten(entry.heading);
  return !listed.has(entry.version) && !(written !== null && entry.version.toLowerCase().startsWith(written));
}

export function scoreChangelog(
  text: string,
  versions: readonly string[],
  options: { names: readonly string[]; now: Date },
): Score {
  const entries = parseChangelog(text, { ...options, format: 'markdown' });
  const headings = headingLikeLines(text);
  const score: Score = { expected: 0, found: 0, dated: 0, datesRight: 0, right: 0, entries: 0, wrong: 0, notes: [] };
  for (const version of versions) {
    const pattern = versionPattern(version);
    const standing = headings.filter((heading) => pattern.test(heading.text));
    if (standing.length === 0) continue;
    score.expected++;
    const matching = entries.filter((entry) => entry.version === version);
    if (matching.length === 0) {
      score.notes.push(`missed ${version}: ${standing[0]?.text}`);
      continue;
    }
    score.found++;
    const dates = standing.flatMap(({ date }) => date ?? []);
    const isRight = matching.some(({ date }) => (date ? dates.includes(date.at.slice(0, 10)) : dates.length === 0));
    if (dates.length > 0) score.dated++;
    if (dates.length > 0 && isRight) score.datesRight++;
    if (isRight) score.right++;
    else score.notes.push(`date of ${version}: ${matching[0]?.date?.at ?? 'none'}, written ${dates[0] ?? 'none'}`);
  }
  const listed = new Set(versions);
  const wrong = entries.filter((entry) => isWrong(entry, listed));
  score.entries = entries.length;
  score.wrong = wrong.length;
  for (const entry of wrong) score.notes.push(`wrong ${entry.version ?? 'date'}: ${entry.heading}`);
  return score;
}

/** `_acme_core` stands for the package `@acme/core`. */
function namesOf(file: string): string[] {
  const [scope, name] = file.startsWith('_') ? file.slice(1).split('_') : [file];
  return name === undefined ? [file] : [`@${scope}/${name}`, scope ?? '', name];
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}

function row(name: string, score: Score): string {
  const cells = [
    `${score.right}/${score.expected} ${ratio(score.right, score.expected)}`,
    `${score.found} found`,
    `dates ${score.datesRight}/${score.dated} ${ratio(score.datesRight, score.dated)}`,
    `wrong ${score.wrong}/${score.entries} ${ratio(score.wrong, score.entries)}`,
  ];
  return `${name.padEnd(28)} ${cells.map((cell) => cell.padEnd(24)).join(' ')}`.trimEnd();
}

function sum(scores: readonly Score[]): Score {
  const total: Score = { expected: 0, found: 0, dated: 0, datesRight: 0, right: 0, entries: 0, wrong: 0, notes: [] };
  const counts = ['expected', 'found', 'dated', 'datesRight', 'right', 'entries', 'wrong'] as const;
  for (const score of scores) for (const count of counts) total[count] += score[count];
  return total;
}

function main(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:changelogs -- <folder> [--verbose]');
    return 2;
  }
  const now = new Date();
  const scores = readdirSync(folder)
    .filter((file) => file.endsWith('.versions.json'))
    .map((file) => {
      const name = file.slice(0, -'.versions.json'.length);
      const versions = JSON.parse(readFileSync(join(folder, file), 'utf8')) as string[];
      const text = readFileSync(join(folder, `${name}.md`), 'utf8');
      const score = scoreChangelog(text, versions, { names: namesOf(name), now });
      console.log(row(name, score));
      if (values.verbose) for (const note of score.notes) console.log(`    ${note}`);
      return score;
    });
  const total = sum(scores);
  console.log(row('total', total));
  const passed = total.right >= RECALL_BAR * total.expected && total.wrong <= WRONG_BAR * total.entries;
  console.log(`${passed ? 'passed' : 'FAILED'}: recall at least ${RECALL_BAR}, wrong entries at most ${WRONG_BAR}`);
  return passed && total.expected > 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
