// A project folder: its lockfile, its manifests, what both say is installed, and what git knows of them.
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { faultOf } from '../../domain/upgrade/lockfiles/file-fault.ts';
import { parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { LOCKFILES } from '../../domain/upgrade/lockfiles/names.ts';
import { manifestNeeds } from '../../domain/upgrade/lockfiles/npm-specs.ts';
import { type Lockfile, type ProjectManifest, readLockfile } from '../../domain/upgrade/lockfiles/read.ts';
import { manifestsBeside } from './manifests.ts';

export interface Project {
  folder: string;
  name: string;
  // The name of the lockfile.
  file: string;
  text: string;
  manifests: readonly ProjectManifest[];
  locked: Lockfile;
}

// What a person can set right: no lockfile, one that cannot be read, no such commit.
export class ProjectFault extends Error {
  override name = 'ProjectFault';
}

const MAX_LENGTH = 64 * 1024 * 1024;

// `path` is a folder, or a lockfile in it.
export function readProject(path: string): Project {
  const place = resolve(path);
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() === true;
  const folder = isFile ? dirname(place) : place;
  const names = isFile ? [basename(place)] : LOCKFILES;
  for (const file of names) {
    const text = textOf(join(folder, file));
    if (text === null) continue;
    const manifests = manifestsBeside(join(folder, file));
    return { folder, name: nameOf(manifests, folder), file, text, manifests, locked: lockedOf(file, text, manifests) };
  }
  throw new ProjectFault(`${path} has no lockfile; known are ${LOCKFILES.join(', ')}`);
}

function textOf(file: string): string | null {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LENGTH) {
    throw new ProjectFault(`${basename(file)} has ${Math.ceil(size / 1_048_576)} MiB; at most 64 MiB are read`);
  }
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function lockedOf(filename: string, text: string, manifests: readonly ProjectManifest[]): Lockfile {
  const locked = readLockfile({ filename, text, manifests });
  if (locked) return locked;
  const fault = faultOf({ filename, text });
  throw new ProjectFault(`${filename} cannot be read${fault ? `: ${fault.text}` : ''}`);
}

function nameOf(manifests: readonly ProjectManifest[], folder: string): string {
  const own = manifests.find(({ path }) => path === 'package.json' || path === 'pyproject.toml');
  const name =
    own?.path === 'package.json' ? parseObject(own.text)?.name : /^name\s*=\s*"([^"]+)"/m.exec(own?.text ?? '')?.[1];
  return typeof name === 'string' && name !== '' ? name.slice(0, 214) : basename(folder);
}

// The lockfile as it was at a commit, with the manifests of that time.
export async function lockedAt(project: Project, ref: string): Promise<{ commit: string; locked: Lockfile }> {
  const { folder, file, manifests } = project;
  const commit = await commitOf(folder, ref);
  if (commit === null) throw new ProjectFault(`git knows no commit "${ref}" in ${folder}`);
  const text = await textAt(folder, commit, file);
  // A lockfile that is new has nothing before it.
  if (text === null) return { commit, locked: { ...project.locked, packages: [], direct: [] } };
  const before = await Promise.all(
    manifests.map(async ({ path }) => ({ path, text: (await textAt(folder, commit, path)) ?? '' })),
  );
  const known = before.filter((one) => one.text !== '');
  return { commit, locked: lockedOf(file, text, known) };
}

// What the manifests allow of each direct dependency, by workspace and the name under which it is installed.
export function allowedRanges({ manifests }: Project): Map<string, string> {
  const ranges = new Map<string, string>();
  for (const { path, text } of manifests) {
    const folder = /^(?:(.*)\/)?package\.json$/.exec(path);
    const manifest = folder && parseObject(text);
    if (!manifest) continue;
    for (const { installedAs, spec } of manifestNeeds(folder[1] ?? '', manifest)) {
      ranges.set(`${folder[1] ?? ''}\n${installedAs}`, spec);
    }
  }
  return ranges;
}

// What git knows of a project. Names of commits come from people and from CI, so none of them can be taken for an option.

const MAX_BYTES = 64 * 1024 * 1024;

// Null when git is missing, refuses, or knows no such thing.
function git(folder: string, args: readonly string[]): Promise<string | null> {
  // No program of the repository's own is started for this.
  const all = ['-C', folder, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args];
  return new Promise((resolve) => {
    execFile('git', all, { maxBuffer: MAX_BYTES, encoding: 'utf8' }, (error, stdout) => {
      resolve(error ? null : stdout);
    });
  });
}

// The full name of a commit.
async function commitOf(folder: string, ref: string): Promise<string | null> {
  if (ref === '' || ref.startsWith('-') || ref.includes('\0')) return null;
  const found = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  return /^[0-9a-f]{40,64}$/.exec(found?.trim() ?? '')?.[0] ?? null;
}

// The text of a file at a commit, by its path below the folder; null when it was not there.
function textAt(folder: string, commit: string, path: string): Promise<string | null> {
  return git(folder, ['cat-file', 'blob', `${commit}:./${path}`]);
}
