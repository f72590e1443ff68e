// The manifests of the project that a lockfile belongs to: they name the direct dependencies where the lockfile does not.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { type JsonObject, objectOf, parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { manifestNeeds } from '../../domain/upgrade/lockfiles/npm-specs.ts';
import type { ProjectManifest } from '../../domain/upgrade/lockfiles/read.ts';

const MAX_MANIFEST_LENGTH = 4 * 1024 * 1024;
const MAX_WORKSPACES = 2000;

export function manifestsBeside(lockfile: string): ProjectManifest[] {
  const root = dirname(lockfile);
  const own = [manifestAt(root, 'package.json'), manifestAt(root, 'pyproject.toml')].filter((one) => one !== null);
  const patterns = [
    ...own.flatMap(({ path, text }) => (path === 'package.json' ? workspacePatterns(text) : [])),
    ...pnpmPatterns(manifestAt(root, 'pnpm-workspace.yaml')?.text ?? ''),
  ];
  const folders = [...new Set(patterns.flatMap((pattern) => foldersOf(root, pattern)))].slice(0, MAX_WORKSPACES);
  const workspaces = manifestsIn(root, folders);
  const linked = [...own, ...workspaces].flatMap(({ path, text }) => linkedFolders(dirname(path), text));
  return [
    ...own,
    ...workspaces,
    ...manifestsIn(
      root,
      linked.filter((folder) => !folders.includes(folder)),
    ),
  ];
}

function manifestsIn(root: string, folders: readonly string[]): ProjectManifest[] {
  const distinct = [...new Set(folders)].slice(0, MAX_WORKSPACES);
  return distinct.map((folder) => manifestAt(root, `${folder}/package.json`)).filter((one) => one !== null);
}

// The folders inside the project that a manifest names by their path: their manifests tell which version they are.
function linkedFolders(workspace: string, text: string): string[] {
  const needs = manifestNeeds(workspace, objectIn(text));
  return needs.flatMap(({ spec }) => {
    const path = /^(?:file|link|portal):(.*)$/i.exec(spec)?.[1];
    const folder = path === undefined ? '' : normalize(join(workspace, path)).split(sep).join('/').replace(/\/$/, '');
    return folder === '' || folder === '.' || folder.startsWith('..') || isAbsolute(path ?? '') ? [] : [folder];
  });
}

// A workspace that is a link out of the project belongs to another one.
function manifestAt(root: string, path: string): ProjectManifest | null {
  const file = join(root, path);
  try {
    if (path.includes('/') && !realpathSync(file).startsWith(realpathSync(root) + sep)) return null;
    const { size } = statSync(file);
    return size > MAX_MANIFEST_LENGTH ? null : { path, text: readFileSync(file, 'utf8') };
  } catch {
    return null;
  }
}

function workspacePatterns(text: string): string[] {
  const value = objectIn(text).workspaces;
  const list = Array.isArray(value) ? value : objectOf(value)?.packages;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

// The list `packages` of a pnpm-workspace.yaml, one pattern a line.
function pnpmPatterns(text: string): string[] {
  const block = /^packages:[ \t]*\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)*)/m.exec(text)?.[1] ?? '';
  return [...block.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\s]+)/gm)].flatMap(([, pattern]) => pattern ?? []);
}

function objectIn(text: string): JsonObject {
  return parseObject(text) ?? {};
}

// The folders of a pattern such as `packages/*`. A star stands for one level, two for any; a pattern that would leave the
// project names none.
function foldersOf(root: string, pattern: string): string[] {
  const parts = pattern.replace(/^\.\//, '').split('/').filter(Boolean);
  if (pattern.startsWith('!') || pattern.startsWith('/') || parts.includes('..')) return [];
  let folders = [''];
  for (const part of parts) {
    if (part === '**') folders = folders.flatMap((folder) => [folder, ...below(root, folder, 3)]);
    else if (part.includes('*')) {
      const fits = new RegExp(`^${part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}$`);
      folders = folders.flatMap((folder) =>
        namesIn(root, folder)
          .filter((name) => fits.test(name))
          .map(inside(folder)),
      );
    } else folders = folders.map((folder) => inside(folder)(part));
    folders = folders.slice(0, MAX_WORKSPACES);
  }
  return folders.filter((folder) => folder !== '');
}

function below(root: string, folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return namesIn(root, folder)
    .map(inside(folder))
    .flatMap((one) => [one, ...below(root, one, depth - 1)])
    .slice(0, MAX_WORKSPACES);
}

function inside(folder: string): (name: string) => string {
  return (name) => (folder === '' ? name : `${folder}/${name}`);
}

// The folders in a folder. Links are not followed, and installed packages are no workspaces.
function namesIn(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== 'node_modules' && !one.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
