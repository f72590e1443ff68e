// The manifests of the project that a lockfile belongs to: they name the direct dependencies where the lockfile does not.
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { type JsonObject, objectOf, parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { manifestNeeds } from '../../domain/upgrade/lockfiles/npm-specs.ts';
import type { ProjectManifest } from '../../domain/upgrade/lockfiles/read.ts';
import { boundaryOf } from '../git/repository.ts';
import { projectFileAt } from '../local-file.ts';
import { BoundedTree } from './bounded-tree.ts';

const MAX_MANIFEST_LENGTH = 4 * 1024 * 1024;
const MAX_WORKSPACES = 2000;
const MAX_PATTERNS = 500;

export function manifestsBeside(lockfile: string): ProjectManifest[] {
  const root = dirname(lockfile);
  const inside = boundaryOf(root);
  const own = ['package.json', 'pyproject.toml', 'requirements.in'].flatMap((path) => ownManifest(root, path, inside));
  const tree = new BoundedTree(root, inside);
  const patterns = [
    ...own.flatMap(({ path, text }) => (path === 'package.json' ? workspacePatterns(text) : [])),
    ...ownManifest(root, 'pnpm-workspace.yaml', inside).flatMap(({ text }) => pnpmPatterns(text)),
  ];
  const folders = [...new Set(patterns)].slice(0, MAX_PATTERNS).flatMap((pattern) => tree.foldersOf(pattern));
  const workspaces = manifestsIn(tree, folders);
  const linked = [...own, ...workspaces].flatMap(({ path, text }) => linkedFolders(dirname(path), text));
  const known = new Set(folders);
  return [
    ...own,
    ...workspaces,
    ...manifestsIn(
      tree,
      linked.filter((folder) => !known.has(folder)),
    ),
  ];
}

// The ones that stand beside the lockfile have to be read where they are.
function ownManifest(root: string, path: string, inside: string): ProjectManifest[] {
  const text = projectFileAt(join(root, path), { most: MAX_MANIFEST_LENGTH, inside });
  return text === null ? [] : [{ path, text }];
}

function manifestsIn(tree: BoundedTree, folders: readonly string[]): ProjectManifest[] {
  return [...new Set(folders)].slice(0, MAX_WORKSPACES).flatMap((folder) => {
    const path = `${folder}/package.json`;
    const text = tree.text(path);
    return text === null ? [] : [{ path, text }];
  });
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

function workspacePatterns(text: string): string[] {
  const value = objectIn(text).workspaces;
  const list = Array.isArray(value) ? value : objectOf(value)?.packages;
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

// The list `packages` of a pnpm-workspace.yaml, one pattern a line.
function pnpmPatterns(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^packages:[ \t]*$/.test(line));
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !/^[ \t]*(?:-.*|#.*)?$/.test(line));
  const items = end < 0 ? rest : rest.slice(0, end);
  return items.flatMap((line) => /^[ \t]*-[ \t]*["']?([^"'#\s]+)/.exec(line)?.[1] ?? []);
}

function objectIn(text: string): JsonObject {
  return parseObject(text) ?? {};
}
