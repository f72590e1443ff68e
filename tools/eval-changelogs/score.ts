// Compares the releases in the registry with the headings of a changelog.
import type { StoredRelease } from './import-corpus.ts';
import { announces, headVersions, readFile, type WrittenFile, type WrittenHeading } from './written-headings.ts';

export interface Score {
  // Published versions that a heading announces, and those of them that are releases.
  expected: number;
  found: number;
  // Found versions with a date beside them, and those with the right date.
  dated: number;
  datesRight: number;
  releases: number;
  // Releases that no heading announces.
  wrong: number;
  // Letters below version headings, and those that are in releases.
  chars: number;
  kept: number;
  // Headings with a text, and those whose text is incomplete.
  bodies: number;
  cut: number;
  // Versions with more than one heading, and headings that announce several versions.
  repeated: number;
  several: number;
  // Versions in a line without heading markup.
  plain: number;
  notes: string[];
}

export const NO_SCORE: Omit<Score, 'notes'> = {
  ...{ expected: 0, found: 0, dated: 0, datesRight: 0, releases: 0, wrong: 0 },
  ...{ chars: 0, kept: 0, bodies: 0, cut: 0, repeated: 0, several: 0, plain: 0 },
};

const PLAIN_LEVEL = 6;

export function scoreChangelog(
  text: string,
  versions: readonly string[],
  stored: readonly StoredRelease[],
  names: readonly string[],
): Score {
  const score: Score = { ...NO_SCORE, notes: [] };
  const file = readFile(text);
  const candidates = file.headings.filter(({ text: heading }) => /\d/.test(heading));
  const heads = new Map<WrittenHeading, string[]>();
  const byVersion = Map.groupBy(stored, ({ version }) => bare(version));
  for (const version of versions) {
    const standing = candidates.filter((heading) => announces(heading.text, version));
    if (standing.length === 0) continue;
    for (const heading of standing) heads.set(heading, [...(heads.get(heading) ?? []), version]);
    score.expected++;
    if (standing.length > 1) score.repeated++;
    const matching = byVersion.get(version.toLowerCase()) ?? [];
    if (matching.length === 0) {
      score.notes.push(`missed ${version}: ${standing[0]?.text.trim()}`);
      continue;
    }
    score.found++;
    if (standing.every(({ level }) => level === PLAIN_LEVEL)) score.plain++;
    const dates = standing.flatMap((heading) => heading.dates);
    const given = matching.flatMap(({ publishedAt }) => publishedAt ?? []);
    const isRight = given.some((at) => dates.some((date) => at.startsWith(date)));
    if (dates.length > 0 || given.length > 0) score.dated++;
    if (isRight) score.datesRight++;
    else if (dates.length + given.length > 0)
      score.notes.push(`date of ${version}: ${given[0] ?? 'none'}, written ${dates[0] ?? 'none'}`);
  }
  for (const list of heads.values()) if (list.length > 1) score.several++;
  scoreWrong(score, stored, new Set(versions), candidates, names, text);
  const written = [...heads.keys()].sort((a, b) => a.line - b.line);
  const share = textShare(
    file,
    written,
    stored.map(({ content }) => content),
    ({ text: heading }) => headVersions(heading, names).length > 0,
  );
  score.notes.push(...share.lost.map((line) => `lost: ${line}`));
  return { ...score, chars: share.chars, kept: share.kept, bodies: share.bodies, cut: share.cut };
}

// A release is right when its version was published, or when a heading begins with it; without a version, when it has a
// date.
function scoreWrong(
  score: Score,
  stored: readonly StoredRelease[],
  published: ReadonlySet<string>,
  candidates: readonly WrittenHeading[],
  names: readonly string[],
  text: string,
): void {
  const headed = new Set(
    candidates.flatMap((heading) => headVersions(heading.text, names).map((one) => one.toLowerCase())),
  );
  const planned = new Set(
    Array.from(text.matchAll(/^\s*[-*]?\s*`?([@\w/.-]+?)`?[@ ]v?(\d+\.\d+[\w.+-]*)(?: \(\w+\))?\s*$/gm), (match) =>
      names.includes(match[1] ?? '') ? match[2] : '',
    ),
  );
  for (const { version, publishedAt } of stored) {
    score.releases++;
    const known = bare(version);
    const isRight =
      version === null ? publishedAt !== null : published.has(known) || headed.has(known) || planned.has(known);
    if (isRight) continue;
    score.wrong++;
    score.notes.push(`wrong ${version ?? 'entry without version or date'}`);
  }
}

// The version without the name of its package.
function bare(version: string | null): string {
  return (version ?? '')
    .replace(/^.+@(?=v?\d)/, '')
    .replace(/^v(?=\d)/i, '')
    .toLowerCase();
}

// The share of the text below version headings that is in releases, by the letters of the lines.

interface TextShare {
  chars: number;
  kept: number;
  // Version headings, and those with a text of which a part is missing in the registry.
  bodies: number;
  cut: number;
  lost: string[];
}

const UNRELEASED = /\b(?:unreleased|not yet released|upcoming|next|tbd|wip|head|main|master)\b/i;
// Keys of a changelog in YAML.
const KEY = /^\s*(?:date|changes):(?:\s*[\d-]+)?\s*$/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*\S/;

// The letters and digits of a line without its markup.
function lettersOf(line: string): string {
  return line
    .replace(/<!--.*?(?:-->|$)/g, ' ')
    .replace(/\]\((?:[^()]|\([^()]*\))*\)/g, ']')
    .replace(/\]\[[^\]]*\]/g, ']')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/&[a-z#\d]+;/gi, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

// `heads` are the headings that announce a version; `contents` are the texts of the registry.
function textShare(
  file: WrittenFile,
  heads: readonly WrittenHeading[],
  contents: readonly string[],
  isVersionHeading: (heading: WrittenHeading) => boolean,
): TextShare {
  const share: TextShare = { chars: 0, kept: 0, bodies: 0, cut: 0, lost: [] };
  const held = new Map<string, number>();
  for (const line of contents.flatMap((content) => content.split('\n'))) {
    const letters = lettersOf(line);
    if (letters !== '') held.set(letters, (held.get(letters) ?? 0) + 1);
  }
  const seen = new Set<string>();
  for (const [index, head] of heads.entries()) {
    const end = heads[index + 1]?.line ?? endOfLast(file, head);
    const lines = [...bodyLines(file, head.next, end, isVersionHeading)];
    // A text that is repeated under the same version counts once.
    const whole = `${head.text.match(/\d+\.\d[\w.-]*/)?.[0]} ${lines.map(lettersOf).join(' ')}`;
    if (seen.has(whole)) continue;
    seen.add(whole);
    let lost = 0;
    let chars = 0;
    for (const line of lines) {
      const letters = lettersOf(line);
      if (letters === '') continue;
      chars += letters.length;
      const count = held.get(letters) ?? 0;
      if (count > 0) held.set(letters, count - 1);
      else {
        lost += letters.length;
        if (share.lost.length < 40) share.lost.push(`${head.text.trim()} › ${line.trim().slice(0, 100)}`);
      }
    }
    share.chars += chars;
    share.kept += chars - lost;
    if (chars > 0) share.bodies++;
    if (lost > 0.02 * chars + 20) share.cut++;
  }
  return share;
}

// After the last version the file may continue with something else.
function endOfLast({ lines, headings }: WrittenFile, last: WrittenHeading): number {
  const level = last.level > 4 ? 2 : last.level;
  return headings.find((heading) => heading.line > last.line && heading.level <= level)?.line ?? lines.length;
}

// Leaves out unreleased changes, headings of unpublished versions, comments, link definitions and bare keys.
function* bodyLines(
  { lines, headings }: WrittenFile,
  first: number,
  end: number,
  isVersionHeading: (heading: WrittenHeading) => boolean,
): Generator<string> {
  const dividers = new Map(headings.map((heading) => [heading.line, heading]));
  let isSkipped = false;
  let inComment = false;
  for (let at = first; at < end; at++) {
    const line = lines[at] ?? '';
    const heading = dividers.get(at);
    if (heading) isSkipped = UNRELEASED.test(heading.text) && heading.text.length < 40;
    const isHead = heading !== undefined && isVersionHeading(heading);
    const closes = line.includes('-->');
    const opens = line.lastIndexOf('<!--') > line.lastIndexOf('-->');
    const wasComment = inComment;
    inComment = opens || (inComment && !closes);
    if (!isSkipped && !wasComment && !isHead && !DEFINITION.test(line) && !KEY.test(line)) yield line;
  }
}
