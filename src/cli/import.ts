// `registry import`: changelogs from disk, with one line per package and totals at the end; or an export of a registry.
// An interrupted import resumes where it stopped.

import { addOutside, NOTHING_OUTSIDE, outsideTotal } from '../domain/changelog/outside-text.ts';
import type { OutsideText } from '../domain/changelog/types.ts';
import {
  type CollectedPackages,
  type CollectProblem,
  collectChangelogs,
  collectInstalled,
  collectLockfile,
} from '../ingest/local-import/collect.ts';
import type { ImportHints } from '../ingest/local-import/describe.ts';
import { type ImportLine, importPackages } from '../ingest/local-import/import-all.ts';
import type { PackageMetadata } from '../ingest/local-import/package-metadata.ts';
import { trackMissing } from '../ingest/local-import/track-missing.ts';
import { CommandFailure, EXIT, type FlagValues, type Invocation, textFlag, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { openService } from './service.ts';

const LOCAL = ['changelog', 'node_modules', 'lockfile', 'advisories'];

export async function importData(invocation: Invocation): Promise<number> {
  const [kind = '', ...rest] = invocation.positionals;
  if (kind !== '' && rest.length === 0 && !LOCAL.includes(kind)) {
    return (await import('./import-export.ts')).importExport(invocation, kind);
  }
  for (const flag of ['dry-run', 'skip-invalid']) {
    if (invocation.flags[flag]) throw new UsageError(`--${flag} is for export files`);
  }
  if (kind === 'advisories') return (await import('./import-advisories.ts')).importAdvisories(invocation);
  return importLocal(invocation);
}

async function importLocal({ env, flags, positionals, terminal }: Invocation): Promise<number> {
  const given = givenIn(flags);
  const collected = packagesOf(await collectPackages(positionals, given), positionals[1] ?? '');
  const { packages, missing = [], outside = [] } = collected;
  const track = flags.track === true;
  const wanted = track ? missing : [];
  const app = await openService({ env, flags });
  const progress = createProgress({ label: 'packages', total: packages.length + wanted.length });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  // Only the first signal is handled here: a second one ends the process at once.
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const imported = await importPackages(app.ctx, packages, {
      given,
      track,
      intoFetched: flags['into-fetched'] === true,
      onlyFiles: flags['only-files'] === true,
      signal: interrupt.signal,
      onProgress: progress.update,
    });
    const { signal } = interrupt;
    const onProgress = (done: number) => progress.update(packages.length + done);
    const lines = [...imported, ...(await trackMissing(app.ctx, wanted, { signal, onProgress }))];
    progress.finish();
    const installed = new Map(packages.map(({ label, metadata }) => [label, metadata]));
    const report = importReport({ lines, missing: track ? [] : missing, outside, installed, track });
    for (const line of flags.json ? [JSON.stringify(report.json)] : report.lines) terminal.out(line);
    if (lines.length < packages.length + wanted.length) return EXIT.interrupted;
    return lines.some(({ found, source }) => found > 0 || source !== null) ? EXIT.ok : EXIT.failure;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await app.close();
  }
}

async function collectPackages([kind, path, ...rest]: string[], given: ImportHints): Promise<CollectedPackages> {
  if (path === undefined || rest.length > 0) throw new UsageError(HOW);
  if (kind === 'changelog') return collectChangelogs(path, given);
  if (kind === 'node_modules') return collectInstalled(path);
  if (kind === 'lockfile') return collectLockfile(path);
  throw new UsageError(HOW);
}

const HOW =
  'give an export file, `changelog <file-or-folder>`, `node_modules <folder>`, `lockfile <file>` or `advisories <path>`; `registry help import` shows examples';

const PROBLEMS: Record<Exclude<CollectProblem, 'needs_names'>, string> = {
  not_found: 'is not there or cannot be read',
  not_regular: 'is neither a folder nor a regular file',
  too_large: 'is larger than any lockfile',
  too_hard: 'takes too long to read',
  no_packages: 'holds no package and no changelog',
  no_lockfile: 'names no npm package; give a package-lock.json, pnpm-lock.yaml, yarn.lock or bun.lock',
};

function packagesOf(collected: CollectedPackages, path: string) {
  if (collected.kind === 'packages') return collected;
  if (collected.problem === 'needs_names') {
    throw new UsageError(`${path} has no package metadata beside it; give --org and --name`);
  }
  throw new CommandFailure(`${path} ${PROBLEMS[collected.problem]}`);
}

function givenIn(flags: FlagValues): ImportHints {
  return { org: textFlag(flags, 'org'), name: textFlag(flags, 'name'), url: textFlag(flags, 'url') };
}

// The report at the end of an import: a line per package, the totals, and next steps.

interface Imported {
  lines: readonly ImportLine[];
  // Packages that the lockfile names, that are not installed, and that nobody was asked about.
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

function importReport(imported: Imported): ImportReport {
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
      'install what is missing (npm ci, pnpm install, yarn install) and import again, or give --track, which asks the package registry where it comes from; a lockfile names no repository',
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
