// Compares the releases in the registry with the headings of a changelog.
import type { StoredRelease } from './import-corpus.ts';
import { textShare } from './text-kept.ts';
import { announces, headVersions, readFile, type WrittenHeading } from './written-headings.ts';

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
