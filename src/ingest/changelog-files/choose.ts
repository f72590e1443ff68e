// Which files of a git tree are tracked, and which one of them is the changelog of the repository.
import { CANONICAL_NAMES, changelogKind, fileNameOf, folderOf, isIgnoredFolder } from '../../domain/changelog/files.ts';

export interface TreeFile {
  path: string;
  // The blob hash; null when a listing does not contain it.
  hash: string | null;
  size: number | null;
}

export interface ChosenFile extends TreeFile {
  canonical: boolean;
}

export const MAX_FILES = 20;

// The canonical file first, then the others by depth and path. `overrides` are paths that a person has set: they are
// the choice then, in their order, and the first one that exists is canonical whatever its name.
export function chooseChangelogFiles(tree: readonly TreeFile[], overrides: readonly string[] = []): ChosenFile[] {
  const chosen = overrides.length > 0 ? named(tree, overrides) : found(tree);
  return chosen.slice(0, MAX_FILES);
}

function named(tree: readonly TreeFile[], overrides: readonly string[]): ChosenFile[] {
  const byPath = new Map(tree.map((file) => [file.path, file]));
  const files = [...new Set(overrides.map(plainPath))].flatMap((path) => byPath.get(path) ?? []);
  return files.map((file, index) => ({ ...file, canonical: index === 0 }));
}

// A path as git writes it.
export function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, '');
}

function found(tree: readonly TreeFile[]): ChosenFile[] {
  const files = tree.filter(isTracked).sort(byDepthAndPath);
  const canonical = canonicalOf(files);
  const rest = files.filter((file) => file !== canonical).map((file) => ({ ...file, canonical: false }));
  return canonical ? [{ ...canonical, canonical: true }, ...rest] : rest;
}

function isTracked({ path }: TreeFile): boolean {
  return changelogKind(fileNameOf(path)) !== null && !folderOf(path).split('/').some(isIgnoredFolder);
}

function canonicalOf(sorted: readonly TreeFile[]): TreeFile | undefined {
  const candidates = sorted.filter(({ path }) => changelogKind(fileNameOf(path)) === 'canonical');
  const root = candidates.filter(({ path }) => folderOf(path) === '');
  if (root.length === 0) return candidates[0];
  const rank = ({ path }: TreeFile) => CANONICAL_NAMES.indexOf(path.toLowerCase());
  return root.sort((a, b) => rank(a) - rank(b))[0];
}

export function byDepthAndPath(a: TreeFile, b: TreeFile): number {
  return depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function depthOf({ path }: TreeFile): number {
  return path.split('/').length;
}
