// A project folder: its lockfile, its manifests, what both say is installed, and what git knows of them.
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { faultOf } from '../../domain/upgrade/lockfiles/file-fault.ts';
import { type InstalledLockfile, readInstalled } from '../../domain/upgrade/lockfiles/installed.ts';
import { parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { LOCKFILES } from '../../domain/upgrade/lockfiles/names.ts';
import { manifestNeeds } from '../../domain/upgrade/lockfiles/npm-specs.ts';
import { type Lockfile, type ProjectManifest, readLockfile } from '../../domain/upgrade/lockfiles/read.ts';
import { commitNamed, filesAtCommit } from '../git/commits.ts';
import { boundaryOf, findRepository } from '../git/repository.ts';
import { type GitCaller, GitFailure } from '../git/run-git.ts';
import { ProjectFault, projectFileAt } from '../local-file.ts';
import { installedVersions } from './installed-versions.ts';
import { manifestsBeside } from './manifests.ts';
import { unversionedPython } from './unversioned.ts';

export interface Project {
  folder: string;
  name: string;
  // The name of the lockfile.
  file: string;
  text: string;
  manifests: readonly ProjectManifest[];
  locked: Lockfile;
  // Without a lockfile: what is installed, or would be.
  installed?: InstalledLockfile;
}

const MAX_LENGTH = 64 * 1024 * 1024;

// `path` is a folder, or a lockfile in it.
export function readProject(path: string): Project {
  const place = resolve(path);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (!stat) throw new ProjectFault(`there is no folder ${path}`);
  const isFile = stat.isFile();
  const folder = isFile ? dirname(place) : place;
  const names = isFile ? [basename(place)] : LOCKFILES;
  const inside = boundaryOf(folder);
  for (const file of names) {
    const text = projectFileAt(join(folder, file), { most: MAX_LENGTH, inside });
    if (text === null) continue;
    const manifests = manifestsBeside(join(folder, file));
    return { folder, name: nameOf(manifests, folder), file, text, manifests, locked: lockedOf(file, text, manifests) };
  }
  const installed = isFile ? null : withoutLockfile(folder, inside);
  if (installed) return installed;
  throw new ProjectFault(
    `${path} has neither a package.json nor a lockfile; known are ${LOCKFILES.join(', ')}. Another folder: --folder <path>`,
  );
}

// The manifest and what is installed tell what a lockfile would; those of Python tell no more than names.
function withoutLockfile(folder: string, inside: string): Project | null {
  const file = 'package.json';
  const manifests = manifestsBeside(join(folder, file));
  const locked = readInstalled(manifests, installedVersions(folder, inside));
  const text = manifests.find(({ path }) => path === file)?.text ?? '';
  const name = nameOf(manifests, folder);
  if (locked) return { folder, name, file, text, manifests, locked, installed: locked };
  const nothing = { format: 'requirements.txt', packages: [], direct: [], truncated: false } as const;
  const ofPython = manifests.find(({ path }) => path !== file);
  const unversioned = { ...nothing, assumed: 0, unread: 0 };
  const named = ofPython && { folder, name, file: ofPython.path, text: ofPython.text, manifests, locked: nothing };
  return named && unversionedPython(named).length > 0 ? { ...named, installed: unversioned } : null;
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
export async function lockedAt(
  project: Project,
  ref: string,
  caller: GitCaller,
): Promise<{ commit: string; locked: Lockfile }> {
  const { folder, file, manifests } = project;
  if (project.installed) throw new ProjectFault('--base compares lockfiles, and there is none here');
  const repository = findRepository(folder);
  if (repository === null) throw new ProjectFault(`${folder} is in no git repository`);
  const told = (error: unknown): never => {
    if (!(error instanceof GitFailure)) throw error;
    throw new ProjectFault(`"${ref}" cannot be read: ${error.message}; nothing is fetched here, so fetch it before`);
  };
  const commit = await commitNamed(repository, ref, caller).catch(told);
  if (commit === null) throw new ProjectFault(`git knows no commit "${ref}" in ${folder}`);
  const paths = [file, ...manifests.map(({ path }) => path)];
  const asked = { commit, folder: realpathSync(folder), paths };
  const texts = await filesAtCommit(repository, asked, caller).catch(told);
  const text = texts.get(file);
  // A lockfile that is new has nothing before it.
  if (text === undefined) return { commit, locked: { ...project.locked, packages: [], direct: [] } };
  const before = manifests.flatMap(({ path }) => {
    const known = texts.get(path);
    return known ? [{ path, text: known }] : [];
  });
  return { commit, locked: lockedOf(file, text, before) };
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
