// The changelogs of a folder: its own and those of its workspaces, each with the manifest beside it.
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CANONICAL_NAMES, changelogKind } from '../../domain/changelog/files.ts';
import { isRecord, type Manifest } from '../../domain/evidence/package-files.ts';
import { parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { boundaryOf } from '../git/repository.ts';
import { ProjectFault, projectFileAt } from '../local-file.ts';
import { manifestsBeside } from '../project/manifests.ts';

export interface LintedFolder {
  folder: string;
  // The name of the changelog.
  file: string;
  // As it is printed.
  shown: string;
  manifest: Manifest | null;
  manifestText: string | null;
}

const MAX_MANIFEST = 4 * 1024 * 1024;
const MAX_CHANGELOGS = 200;

// `path` is a folder, or a changelog in it.
export function lintedFolders(path: string): { root: string; inside: string; folders: LintedFolder[] } {
  const place = resolve(path);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (!stat) throw new ProjectFault(`there is no ${path}`);
  const root = stat.isFile() ? dirname(place) : place;
  const inside = boundaryOf(root);
  if (stat.isFile()) return { root, inside, folders: [folderWith(root, basename(place), inside)] };
  const below = manifestsBeside(join(root, 'package.json'))
    .filter((one) => /(?:^|\/)package\.json$/.test(one.path))
    .map((one) => resolve(root, dirname(one.path)));
  const folders = [...new Set([root, ...below])].slice(0, MAX_CHANGELOGS).flatMap((folder) => {
    const file = changelogIn(folder);
    return file === null ? [] : [folderWith(folder, file, inside)];
  });
  if (folders.length > 0) return { root, inside, folders };
  throw new ProjectFault(
    `${path} has no changelog; write ${'CHANGELOG.md'}, or name the file: registry lint <path to it>`,
  );
}

// Of several the usual name.
function changelogIn(folder: string): string | null {
  const rank = (name: string) => {
    const at = CANONICAL_NAMES.indexOf(name.toLowerCase());
    return at < 0 ? CANONICAL_NAMES.length : at;
  };
  const names = namesIn(folder).filter((name) => ['canonical', 'other'].includes(changelogKind(name) ?? ''));
  return names.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))[0] ?? null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return stat !== undefined && (stat.isFile() || stat.isSymbolicLink());
    });
  } catch {
    return [];
  }
}

function folderWith(folder: string, file: string, inside: string): LintedFolder {
  const manifestText = projectFileAt(join(folder, 'package.json'), { most: MAX_MANIFEST, inside });
  const manifest = manifestText === null ? null : parseObject(manifestText.replace(/^\uFEFF/, ''));
  const shown = relative(realOf(process.cwd()), join(realOf(folder), file))
    .split(sep)
    .join('/');
  return { folder, file, shown, manifestText, manifest: isRecord(manifest) ? manifest : null };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
