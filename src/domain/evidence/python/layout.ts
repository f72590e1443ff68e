// Which files of a published archive are which modules, for wheels and for source archives.

import { type PythonMetadata, readMetadata } from './metadata.ts';
import { emptyModule, type PythonModule } from './model.ts';
import { readModule } from './read-module.ts';

export interface PythonFiles {
  texts: ReadonlyMap<string, string>;
  // Every file of the archive.
  paths: ReadonlySet<string>;
}

export interface ReadPython {
  metadata: PythonMetadata;
  modules: Map<string, PythonModule>;
}

const SOURCE = /\.pyi?$/;
const COMPILED = /\.(?:so|pyd)$/;
const METADATA = /^(?:[^/]+\.dist-info\/METADATA|PKG-INFO|(?:[\w.-]+\/)?[^/]+\.egg-info(?:\/PKG-INFO)?)$/;
const ENTRY_POINTS = /\.(?:dist|egg)-info\/entry_points\.txt$/;
const TOP_LEVEL = /\.egg-info\/top_level\.txt$/;

export function isPythonText(path: string): boolean {
  return SOURCE.test(path) || METADATA.test(path) || ENTRY_POINTS.test(path) || TOP_LEVEL.test(path);
}

// Null when nothing in it tells which package it is.
export function readPython({ texts, paths }: PythonFiles): ReadPython | null {
  const told = [...texts.keys()].filter((path) => METADATA.test(path)).sort(byDepth);
  const [first] = told;
  if (first === undefined) return null;
  const entryPoints = [...texts.keys()].filter((path) => ENTRY_POINTS.test(path)).sort(byDepth)[0];
  const isWheel = first.includes('.dist-info/');
  const commands = texts.get(entryPoints ?? '') ?? (isWheel ? '' : null);
  const metadata = readMetadata(texts.get(first) ?? '', commands);
  if (metadata.name === '' || metadata.version === '') return null;
  const roots = isWheel ? wheelRoots(paths) : sourceRoots(texts, paths);
  const modules = new Map<string, PythonModule>();
  for (const path of [...paths].sort(sourcesFirst)) addModule(modules, path, roots, texts);
  return { metadata, modules };
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
}

// A source counts before the declarations of the same module, and those before what is compiled.
function sourcesFirst(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}

function rankOf(path: string): number {
  return path.endsWith('.py') ? 0 : path.endsWith('.pyi') ? 1 : 2;
}

// A folder of the archive, and the packages below it; null for all.
interface Root {
  folder: string;
  tops: ReadonlySet<string> | null;
}

function wheelRoots(paths: ReadonlySet<string>): Root[] {
  const data = new Set([...paths].flatMap((path) => /^[^/]+\.data\/(?:pure|plat)lib\//.exec(path)?.[0] ?? []));
  return [...data, ''].map((folder) => ({ folder, tops: null }));
}

const FOLDERS = ['', 'src/', 'lib/', 'lib3/', 'python/', 'Lib/'];

// What a source archive would install: by the list that packaging tools leave in it, else the packages that stand where people
// put them.
function sourceRoots(texts: ReadonlyMap<string, string>, paths: ReadonlySet<string>): Root[] {
  const list = [...texts].find(([path]) => TOP_LEVEL.test(path))?.[1];
  const hasTop = (folder: string, top: string) =>
    [`${folder}${top}/__init__.py`, `${folder}${top}.py`, `${folder}${top}/__init__.pyi`].some((path) =>
      paths.has(path),
    ) || paths.values().some((path) => path.startsWith(`${folder}${top}/`) && SOURCE.test(path));
  if (list !== undefined) {
    const tops = list.split(/\s+/).filter((top) => /^\w+$/.test(top));
    return FOLDERS.flatMap((folder) => {
      const here = tops.filter((top) => hasTop(folder, top));
      return here.length > 0 ? [{ folder, tops: new Set(here) }] : [];
    }).slice(0, 2);
  }
  for (const folder of ['src/', 'lib/', '']) {
    const tops = new Set<string>();
    for (const path of paths) {
      const [, top] = path.startsWith(folder) ? (/^(\w+)\/__init__\.pyi?$/.exec(path.slice(folder.length)) ?? []) : [];
      if (top !== undefined && !NOT_INSTALLED.test(top)) tops.add(top);
    }
    if (tops.size > 0) return [{ folder, tops }];
  }
  const single = new Set(
    [...paths]
      .flatMap((path) => /^(?:src\/)?(\w+)\.py$/.exec(path)?.[1] ?? [])
      .filter((name) => !NOT_INSTALLED.test(name)),
  );
  return [
    { folder: 'src/', tops: single },
    { folder: '', tops: single },
  ];
}

const NOT_INSTALLED =
  /^(?:tests?|testing|docs?|examples?|benchmarks?|bench|scripts?|tools?|setup|conftest|noxfile|tasks|versioneer|build|dist|samples?|ci|requirements|fabfile)$/;

function addModule(
  modules: Map<string, PythonModule>,
  path: string,
  roots: readonly Root[],
  texts: ReadonlyMap<string, string>,
): void {
  const root = roots.find(({ folder }) => path.startsWith(folder));
  if (!root || !(SOURCE.test(path) || COMPILED.test(path))) return;
  const parts = path.slice(root.folder.length).split('/');
  const file = (parts.pop() ?? '').replace(/\.pyi?$/, '').replace(/(?:\.[\w-]+)*\.(?:so|pyd)$/, '');
  const isPackage = file === '__init__';
  // Declarations of their own stand in a folder of their own.
  const names = [
    ...parts.map((part, index) => (index === 0 ? part.replace(/-stubs$/, '') : part)),
    ...(isPackage ? [] : [file]),
  ];
  if (names.length === 0 || names.length > 30 || !names.every((name) => /^[^\W\d]\w*$/u.test(name))) return;
  if (root.tops !== null && !root.tops.has(names[0] ?? '')) return;
  const name = names.join('.');
  const text = SOURCE.test(path) ? texts.get(path) : undefined;
  const known = modules.get(name);
  if (known) {
    // Declarations beside a source tell names that it serves lazily.
    if (known.lazyNames !== null && path.endsWith('.pyi') && text !== undefined)
      addDeclared(known, readModule(name, isPackage, text));
    return;
  }
  modules.set(
    name,
    text === undefined ? { ...emptyModule(name, isPackage), isOpaque: true } : readModule(name, isPackage, text),
  );
}

function addDeclared(module: PythonModule, declared: PythonModule): void {
  for (const [name, definitions] of declared.names) if (!module.names.has(name)) module.names.set(name, definitions);
  module.stars.push(...declared.stars);
}
