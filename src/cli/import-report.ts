// The report at the end of an import: a line per package, the totals, and next steps.
import { addOutside, NOTHING_OUTSIDE, outsideTotal } from '../domain/changelog/outside-text.ts';
import type { OutsideText } from '../domain/changelog/types.ts';
import type { ImportLine } from '../ingest/local-import/import-all.ts';
import type { PackageMetadata } from '../ingest/local-import/package-metadata.ts';

interface Imported {
  lines: readonly ImportLine[];
  // Packages that the lockfile names and that are not installed.
  missing: readonly string[];
  // Packages whose folder is a link that leaves the folder that was named.
  outside: readonly string[];
  // The metadata by the label of the package; null when there is none.
  installed: ReadonlyMap<string, PackageMetadata | null>;
  track: boolean;
}

interface ImportTotals {
  packages: number;
  withReleases: number;
  found: number;
  joined: number;
  inserted: number;
  updated: number;
  outside: OutsideText;
  sourcesAdded: number;
  sourcesWithoutReleases: number;
  skipped: number;
  notInstalled: number;
  outsideFolder: number;
}

interface ImportReport {
  lines: string[];
  json: {
    packages: readonly ImportLine[];
    notInstalled: readonly string[];
    outsideFolder: readonly string[];
    totals: ImportTotals;
    next: string[];
  };
}

export function importReport(imported: Imported): ImportReport {
  const { lines, missing, outside } = imported;
  const totals = totalsOf(imported);
  const next = nextSteps(imported, totals);
  const output = [
    ...lines.map(lineOf),
    ...missing.map((name) => [name, 'skipped', 'not installed'].map(printable).join('\t')),
    ...outside.map((name) => [name, 'skipped', 'a link that leaves the folder'].map(printable).join('\t')),
    totalLine(totals),
    ...next.map((step) => `next: ${step}`),
  ];
  return { lines: output, json: { packages: lines, notInstalled: missing, outsideFolder: outside, totals, next } };
}

function totalsOf({ lines, missing, outside }: Imported): ImportTotals {
  const sum = (field: 'found' | 'joined' | 'inserted' | 'updated') =>
    lines.reduce((total, line) => total + line[field], 0);
  const count = (counts: (line: ImportLine) => boolean) => lines.filter(counts).length;
  return {
    packages: lines.length + missing.length + outside.length,
    withReleases: count(({ skipped }) => skipped === null),
    found: sum('found'),
    joined: sum('joined'),
    inserted: sum('inserted'),
    updated: sum('updated'),
    outside: lines.reduce<OutsideText>((total, line) => addOutside(total, line.outside), NOTHING_OUTSIDE),
    sourcesAdded: count(({ source }) => source === 'added'),
    sourcesWithoutReleases: count(({ skipped, source }) => skipped !== null && source !== null),
    skipped: count(({ skipped, source }) => skipped !== null && source === null),
    notInstalled: missing.length,
    outsideFolder: outside.length,
  };
}

function lineOf({ name, found, joined, inserted, updated, outside, skipped, source }: ImportLine): string {
  if (skipped === null) {
    const facts = [`found ${found}`, `joined ${joined}`, `inserted ${inserted}`, `updated ${updated}`];
    return [name, ...facts, ...outsideFacts(outside)].map(printable).join('\t');
  }
  const sourceNote = source === 'added' ? 'source added' : source === 'known' ? 'source known' : 'skipped';
  return [name, sourceNote, skipped, ...outsideFacts(outside)].map(printable).join('\t');
}

// The amounts of text that became no release are reported: introductions, unreleased changes, licences.
function outsideFacts(outside: OutsideText): string[] {
  const characters = outsideTotal(outside);
  return characters === 0 ? [] : [`${characters} characters outside of releases`];
}

function totalLine(totals: ImportTotals): string {
  const facts = [
    `${totals.packages} packages`,
    `${totals.withReleases} with releases (found ${totals.found}, joined ${totals.joined}, inserted ${totals.inserted}, updated ${totals.updated})`,
    `${totals.sourcesWithoutReleases} with a repository but no changelog`,
    `${totals.skipped} skipped`,
    ...(totals.notInstalled > 0 ? [`${totals.notInstalled} not installed`] : []),
    ...(totals.outsideFolder > 0 ? [`${totals.outsideFolder} outside of the folder`] : []),
    `${totals.sourcesAdded} sources added`,
    ...outsideFacts(totals.outside),
  ];
  return `total\t${facts.join(', ')}`;
}

function nextSteps({ lines, installed, track }: Imported, totals: ImportTotals): string[] {
  const steps: string[] = [];
  if (totals.notInstalled > 0) {
    steps.push(
      'install what is missing (npm ci, pnpm install, yarn install) and import again; a lockfile names no repository',
    );
  }
  if (totals.outsideFolder > 0) {
    steps.push('name the folder that the links lead into as well, such as the project itself');
  }
  const isOpen = lines.some(({ source }) => source !== null);
  if (isOpen && !track) {
    steps.push('run the same command with --track, so that the registry learns what came after the installed versions');
  }
  if (isOpen && track) steps.push('start `registry serve`; its worker fetches the new sources');
  // The example uses the package with the longest history, which shows the most.
  const [example] = lines
    .filter(({ found, name }) => found > 0 && isQueryable(installed.get(name)))
    .sort((a, b) => b.found - a.found);
  const metadata = example && installed.get(example.name);
  if (metadata) {
    steps.push(
      `start \`registry serve\` and ask what an upgrade changes: registry whats-changed ${metadata.name} ${metadata.version} latest --ecosystem npm`,
    );
  }
  return steps;
}

function isQueryable(metadata: PackageMetadata | null | undefined): boolean {
  return Boolean(metadata?.name && metadata.version && !metadata.isPrivate);
}

// Removes control characters from file names, so that they cannot control the terminal.
function printable(text: string): string {
  return text.replace(/[\p{Cc}]+/gu, ' ');
}
