// The check of the changelogs of a folder. It asks the registry of the person's `.npmrc` for the package of the folder, and runs
// nothing of it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { changelogText } from '../../domain/changelog/files.ts';
import { PUBLIC_PACKAGE_HOSTS } from '../../domain/ecosystems/index.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { isRecord } from '../../domain/evidence/package-files.ts';
import { releaseState } from '../../domain/lint/published-versions.ts';
import { FileRefused, readRegular, readRegularNow } from '../../runtime/regular-file.ts';
import { compareOnThread } from '../../threads/evidence.ts';
import { TaskStopped } from '../../threads/task.ts';
import { ProjectFault } from '../local-file.ts';
import type { Environment, NpmSettings } from '../npmrc/settings.ts';
import { openFolderSource } from '../packages/open-source.ts';
import type { PackageSource } from '../packages/source.ts';
import { type LintedChangelog, type LintReport, lintReport } from './lint-report.ts';
import { readLintSettings, withoutRulesOff } from './lint-settings.ts';
import { type LintQuestion, lintOnThread } from './lint-task.ts';
import { type LintedFolder, lintedFolders } from './linted-folders.ts';
import { packFolder } from './pack-folder.ts';
import { nameOfArchive, publishedState } from './published-state.ts';

interface LintOptions {
  env: Environment;
  signal: AbortSignal;
  isOffline: boolean;
  // The version that is about to be published; null for that of the manifest.
  next: string | null;
  // A version, the path of an archive, or `none`; null for the last published version.
  against: string | null;
  // The path of the archive that is about to be published; null for what npm would pack.
  pack: string | null;
}

interface Archive {
  bytes: Uint8Array;
  name: string;
  version: string;
}

interface Run {
  options: LintOptions;
  inside: string;
  source: PackageSource;
  settings: NpmSettings;
  pack: Archive | null;
  against: Archive | null;
}

const MAX_CHANGELOG = 4_000_000;
const MAX_ARCHIVE = 50_000_000;

export async function lintProject(path: string, options: LintOptions): Promise<LintReport> {
  const { root, inside, folders } = lintedFolders(path);
  const { signal } = options;
  const off = readLintSettings(root, inside);
  const pack = options.pack === null ? null : await archiveAt(options.pack, signal);
  const against = isArchive(options.against) ? await archiveAt(options.against, signal) : null;
  const { source, settings } = openFolderSource({ ...options, folder: root });
  const run = { options, inside, source, settings, pack, against };
  const chosen = folders.length > 1 ? folders.filter((one) => isMeant(one, run)) : folders;
  if (chosen.length === 0) throw new ProjectFault('the archive is of no package of this folder');
  const changelogs: LintedChangelog[] = [];
  const incomplete: string[] = [];
  for (const folder of chosen) {
    const { missed, ...linted } = await lintOne(folder, run);
    const { findings, off: silenced } = withoutRulesOff(linted.findings, off, linted.package);
    changelogs.push({ ...linted, findings, off: silenced });
    if (missed !== null) incomplete.push(missed);
  }
  return lintReport(changelogs, incomplete);
}

function isArchive(against: string | null): against is string {
  return (
    against !== null && (/\.(?:tgz|tar\.gz)$/i.test(against) || (against.includes('/') && existsSync(resolve(against))))
  );
}

// An archive is of one package of several.
function isMeant({ manifest }: LintedFolder, { pack, against }: Run): boolean {
  const archive = pack ?? against;
  return archive === null || manifest?.name === archive.name;
}

async function archiveAt(path: string, signal: AbortSignal): Promise<Archive> {
  const bytes = await readRegular(resolve(path), { most: MAX_ARCHIVE, signal }).catch((error) => {
    throw error instanceof FileRefused ? new ProjectFault(`${path} ${error.message}`) : error;
  });
  const named = await nameOfArchive(new Uint8Array(bytes), signal).catch((error) => {
    if (error instanceof TaskStopped) return { refused: error.message };
    throw error;
  });
  if (!('name' in named)) throw new ProjectFault(`${path} cannot be read: ${named.refused}`);
  return { bytes: new Uint8Array(bytes), ...named };
}

async function lintOne(folder: LintedFolder, run: Run): Promise<LintedChangelog & { missed: string | null }> {
  const { options, pack } = run;
  const { name, version: written } = folder.manifest ?? {};
  const packageName = typeof name === 'string' && name !== '' ? name.slice(0, 214) : null;
  const version = options.next ?? pack?.version ?? (typeof written === 'string' ? written.slice(0, 200) : null);
  const gaps: string[] = [];
  const isAsked = options.against !== 'none' && run.against === null && packageName !== null;
  const unasked = isAsked ? whyNotAsked(folder, packageName, run) : null;
  if (unasked !== null) gaps.push(unasked);
  const asked =
    isAsked && unasked === null
      ? await publishedState(run.source, { name: packageName, version, against: options.against })
      : null;
  const state = asked && 'published' in asked ? asked : fromArchive(run.against, version);
  // Where nobody was asked, it is not known whether the version of the manifest is out.
  const told = options.next === null ? null : { coming: options.next, last: null, versions: [], unpublished: [] };
  const published = state?.published ?? told;
  const archive = state?.archive ?? null;
  const next = archive && version !== archive.version ? nextArchive(folder, run, gaps) : null;
  const compared = archive && next ? await comparedPackages(archive.bytes, next, run, gaps) : null;
  const result = await lintOnThread(
    {
      text: textOf(folder, run.inside),
      path: folder.file,
      packageName,
      now: new Date(),
      published,
      archive,
      next: compared && next ? { bytes: next, version: version ?? '', findings: compared } : null,
    } satisfies LintQuestion,
    options.signal,
  ).catch((error) => {
    if (error instanceof TaskStopped) throw new ProjectFault(`${folder.shown} cannot be read: ${error.message}`);
    throw error;
  });
  if (archive && !result.hasArchived) gaps.push(`the archive of ${archive.version} has no changelog to compare with`);
  return {
    package: packageName,
    next: published?.coming ?? null,
    against: archive?.version ?? null,
    file: folder.shown,
    sections: result.sections,
    compared: compared !== null,
    findings: result.findings,
    off: [],
    gaps,
    missed: asked?.missed ?? null,
  };
}

// A name that is published elsewhere is told to nobody else, and would be another package there.
function whyNotAsked({ manifest }: LintedFolder, name: string, { settings }: Run): string | null {
  const { private: isPrivate, publishConfig } = manifest ?? {};
  if (isPrivate === true) return 'the package is private, so nothing published was looked at';
  const home = isRecord(publishConfig) ? publishConfig.registry : undefined;
  const host = typeof home === 'string' ? (URL.parse(home)?.host ?? '') : null;
  if (host === null || host === new URL(settings.registryOf(name).url).host || PUBLIC_PACKAGE_HOSTS.has(host))
    return null;
  return `the package is published to ${host}, which no .npmrc names for it, so nothing published was looked at`;
}

function fromArchive(archive: Archive | null, version: string | null) {
  if (archive === null) return null;
  const { bytes, version: last } = archive;
  return { published: releaseState({ versions: [last], latest: last, version }), archive: { bytes, version: last } };
}

function textOf({ folder, file, shown }: LintedFolder, inside: string): string {
  try {
    const text = changelogText(readRegularNow(join(folder, file), { most: MAX_CHANGELOG, inside }));
    if (text !== null) return text;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new ProjectFault(`${shown} ${error.message}`);
  }
  throw new ProjectFault(`${shown} is no text`);
}

function nextArchive({ folder, manifestText }: LintedFolder, { pack, inside }: Run, gaps: string[]): Uint8Array | null {
  if (pack) return pack.bytes;
  if (manifestText === null) return null;
  const packed = packFolder(folder, manifestText, inside);
  if (packed.archive) return packed.archive;
  gaps.push(
    packed.unbuilt
      ? `the package was not compared: ${packed.unbuilt.slice(0, 3).join(', ')} ${packed.unbuilt.length === 1 ? 'is' : 'are'} not there; build it first, or name an archive with --pack`
      : `the package was not compared: ${packed.refused}`,
  );
  return null;
}

async function comparedPackages(
  old: Uint8Array,
  next: Uint8Array,
  { options }: Run,
  gaps: string[],
): Promise<readonly Finding[] | null> {
  const bare = (archive: Uint8Array) => ({ ecosystem: 'npm' as const, archive, dependencies: [], types: null });
  const result = await compareOnThread({ old: bare(old), next: bare(next) }, { signal: options.signal });
  if (result.kind === 'compared') return result.evidence.findings;
  gaps.push(`the package was not compared: ${result.reason}`);
  return null;
}
