// All rules over one changelog. A pure function: what was published, and what packages show, is given to it.
import { breaksWithoutAdvice } from './advice.ts';
import { dayFaults, dayOrderFaults } from './days.ts';
import type { LintFinding } from './finding.ts';
import { headingFaults } from './headings.ts';
import { duplicateFaults, orderFaults } from './order.ts';
import { type ComparedRelease, packageFaults } from './package-rules.ts';
import { changedSections, lostSections } from './published-sections.ts';
import {
  entryGaps,
  keyOfVersion,
  missingNewest,
  neverPublished,
  type PublishedVersions,
} from './published-versions.ts';
import { readerNotes } from './reader.ts';
import { readLintedFile } from './sections.ts';

export interface LintInput {
  text: string;
  // Tells the format.
  path: string;
  packageName: string | null;
  now: Date;
  // Null when nobody was asked.
  published: PublishedVersions | null;
  // The changelog in an archive of the package.
  archived: { text: string; path: string; version: string } | null;
  // What the package of the coming, or else the newest, release shows beside the one before.
  compared: ComparedRelease | null;
}

export interface LintResult {
  findings: LintFinding[];
  // Sections with a version.
  sections: number;
}

export function lintChangelog(input: LintInput): LintResult {
  const { text, path, packageName, now, published, archived, compared } = input;
  const file = readLintedFile({ text, path, packageName, now });
  const key = keyOfVersion(archived?.version ?? null);
  const old =
    archived && key !== null
      ? { file: readLintedFile({ ...archived, packageName, now }), version: archived.version, key }
      : null;
  const at = keyOfVersion(published?.coming ?? published?.last ?? null);
  const release = (at === null ? undefined : file.sections.find(({ keys }) => keys.includes(at))) ?? null;
  const asked = release ?? (published ? null : (file.sections[0] ?? null));
  // Where nobody was asked, a day that has passed says that a version is out.
  const isOut = published ? published.coming === null : isPast(asked?.date?.at ?? null, now);
  const findings = [
    ...(published ? [...missingNewest(file, published), ...neverPublished(file, published)] : []),
    ...(old ? [...changedSections(file, old), ...lostSections(file, old)] : []),
    ...orderFaults(file),
    ...duplicateFaults(file),
    ...dayFaults(file, now),
    ...dayOrderFaults(file),
    ...headingFaults(file),
    ...breaksWithoutAdvice(file, asked, isOut),
    ...(compared ? packageFaults(file, compared) : []),
    ...(published ? entryGaps(file, published, archived?.version ?? null) : []),
    ...readerNotes(file, asked ?? file.sections[0] ?? null, packageName),
  ];
  const rank = { error: 0, warning: 1, info: 2 };
  findings.sort((one, other) => rank[one.level] - rank[other.level] || (one.line ?? 0) - (other.line ?? 0));
  return { findings, sections: file.sections.length };
}

function isPast(day: string | null, now: Date): boolean {
  return day !== null && Date.parse(day) < now.getTime() - 2 * 86_400_000;
}
