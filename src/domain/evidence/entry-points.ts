// The entry points of a package, as the resolver of Node finds them: `exports` with conditions and patterns, else `main` and
// the files that can be imported by their path.
import { isRecord, type PackageFiles } from './package-files.ts';

const MAX_SUBPATHS = 2_000;
const DEEPEST = 12;

// The public subpaths: `.` and whatever `exports` names, with patterns filled in; without `exports`, folders that describe
// themselves and scripts beside package.json.
export function publicSubpaths(files: PackageFiles): string[] {
  const { exports } = files.manifest;
  const found = new Set<string>();
  if (exports === undefined || exports === null) {
    found.add('.');
    for (const subpath of unlistedSubpaths(files)) found.add(subpath);
  } else if (isSubpathMap(exports)) {
    for (const [key, target] of Object.entries(exports)) {
      if (!key.includes('*')) found.add(key);
      else for (const subpath of filledPattern(key, target, files)) found.add(subpath);
      if (found.size > MAX_SUBPATHS) break;
    }
  } else found.add('.');
  return [...found].filter((subpath) => !isInternal(subpath) && reaches(files, subpath)).sort();
}

// Whether a subpath leads to a file, under whichever condition.
export function reaches(files: PackageFiles, subpath: string): boolean {
  const { exports } = files.manifest;
  if (exports === undefined || exports === null) return unlistedTarget(files, subpath) !== null;
  return leavesOf(targetsOf(exports, subpath)).some((path) => existing(files, path) !== null);
}

// How `require` would load a subpath: null when it cannot.
export function requiredFormat(files: PackageFiles, subpath: string): 'commonjs' | 'module' | null {
  const { exports } = files.manifest;
  if (exports === undefined || exports === null) {
    const path = unlistedTarget(files, subpath);
    return path === null ? null : formatOf(files, path);
  }
  const targets = targetsOf(exports, subpath);
  const path = chosen(files, targets, REQUIRE) ?? chosen(files, targets, REQUIRE_TYPES);
  return path === null ? null : formatOf(files, path);
}

const REQUIRE = new Set(['node', 'require', 'default', 'module-sync']);
const REQUIRE_TYPES = new Set([...REQUIRE, 'types']);

// The first target that the conditions admit and that exists.
function chosen(files: PackageFiles, target: unknown, conditions: ReadonlySet<string>, depth = 0): string | null {
  if (depth > DEEPEST) return null;
  if (typeof target === 'string') return existing(files, target);
  if (Array.isArray(target)) {
    for (const one of target) {
      const path = chosen(files, one, conditions, depth + 1);
      if (path !== null) return path;
    }
  } else if (isRecord(target)) {
    for (const [condition, one] of Object.entries(target)) {
      if (!conditions.has(condition)) continue;
      const path = chosen(files, one, conditions, depth + 1);
      if (path !== null) return path;
    }
  }
  return null;
}

function formatOf(files: PackageFiles, path: string): 'commonjs' | 'module' {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (!/\.[jt]s$/.test(path) || /\.c[jt]s$/.test(path)) return 'commonjs';
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const type = folder === '' ? files.manifest.type : typeIn(files.texts.get(`${folder}/package.json`));
    if (type === 'module') return 'module';
    if (folder === '' || type !== undefined) return 'commonjs';
  }
}

// The kind of module that a package.json in a folder declares; undefined when there is none.
function typeIn(text: string | undefined): unknown {
  const manifest = described(text);
  return manifest === null ? undefined : (manifest.type ?? 'commonjs');
}

// What `exports` has for a subpath: its own key, else the pattern with the longest beginning, filled in.
function targetsOf(exports: unknown, subpath: string): unknown {
  if (!isSubpathMap(exports)) return subpath === '.' ? exports : null;
  if (!subpath.includes('*') && Object.hasOwn(exports, subpath)) return exports[subpath];
  let best: { key: string; match: string } | null = null;
  for (const key of Object.keys(exports)) {
    const match = matchOf(key, subpath);
    if (match !== null && (best === null || key.indexOf('*') > best.key.indexOf('*'))) best = { key, match };
  }
  return best === null ? null : filled(exports[best.key], best.match);
}

function matchOf(key: string, subpath: string): string | null {
  if (key.endsWith('/')) return subpath.startsWith(key) && subpath !== key ? subpath.slice(key.length) : null;
  const [before = '', after] = key.split('*');
  if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) return null;
  const match = subpath.slice(before.length, subpath.length - after.length);
  return subpath.length > before.length + after.length ? match : null;
}

function filled(target: unknown, match: string, depth = 0): unknown {
  if (depth > DEEPEST) return null;
  if (typeof target === 'string') return target.endsWith('/') ? target + match : target.replaceAll('*', match);
  if (Array.isArray(target)) return target.map((one) => filled(one, match, depth + 1));
  if (!isRecord(target)) return null;
  return Object.fromEntries(Object.entries(target).map(([key, one]) => [key, filled(one, match, depth + 1)]));
}

// The subpaths that a pattern admits. A pattern that only opens the folders of the package names no entry points.
function filledPattern(key: string, target: unknown, { paths }: PackageFiles): string[] {
  const found: string[] = [];
  for (const leaf of leavesOf(target)) {
    const [before = '', after] = leaf.replace(/^\.\//, '').split('*');
    if (after === undefined || leaf.replace(/^\.\//, '') === key.replace(/^\.\//, '')) continue;
    if (before === '' && key === './*') continue;
    for (const path of paths) {
      if (found.length >= MAX_SUBPATHS) return found;
      if (path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length) {
        found.push(key.replace('*', path.slice(before.length, path.length - after.length)));
      }
    }
  }
  return found;
}

function leavesOf(target: unknown, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  if (typeof target === 'string') return [target];
  const inside = Array.isArray(target) ? target : isRecord(target) ? Object.values(target) : [];
  return inside.flatMap((one) => leavesOf(one, depth + 1));
}

function isSubpathMap(exports: unknown): exports is Readonly<Record<string, unknown>> {
  return isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
}

function existing({ paths }: PackageFiles, target: string): string | null {
  const path = target.replace(/^\.\//, '');
  return paths.has(path) ? path : null;
}

const ENDINGS = ['', '.js', '.json', '.cjs', '.mjs', '.node', '.d.ts', '/index.js', '/index.cjs', '/index.d.ts'];

// The file that a path leads to in a package without `exports`.
function unlistedTarget(files: PackageFiles, subpath: string): string | null {
  const path = subpath === '.' ? '' : subpath.replace(/^\.\//, '');
  const manifest = path === '' ? files.manifest : described(files.texts.get(`${path}/package.json`));
  for (const field of manifest === null ? [] : [manifest.main, manifest.module, manifest.types, manifest.typings]) {
    if (typeof field !== 'string') continue;
    const target = withEnding(files, joined(path, field));
    if (target !== null) return target;
  }
  return withEnding(files, path);
}

function withEnding({ paths }: PackageFiles, path: string): string | null {
  const clean = path.replace(/\/$/, '');
  const candidates = ENDINGS.map((ending) => (clean + ending).replace(/^\//, ''));
  return candidates.find((candidate) => paths.has(candidate)) ?? null;
}

const TOOLING =
  /(?:^|[-._/])(?:config|rc|gulpfile|gruntfile|karma|webpack|rollup|vite|jest|test|tests|spec|bench|benchmark|examples?|demo|docs?|fixtures?|scripts?|build|install|postinstall|setup|index|dist|lib|src|esm|cjs|node_modules)(?:$|[-._/])/i;
const MAX_UNLISTED = 400;

// Entry points of a package that lists none: folders with a package.json that names a file, and scripts at the top.
function unlistedSubpaths(files: PackageFiles): string[] {
  const found: string[] = [];
  for (const path of files.paths) {
    if (found.length >= MAX_UNLISTED) break;
    const folder = /^((?:[^/]+\/){1,2})package\.json$/.exec(path)?.[1]?.slice(0, -1);
    if (folder !== undefined) {
      const manifest = described(files.texts.get(path));
      if (
        manifest &&
        ['main', 'module', 'types', 'typings'].some((field) => field in manifest) &&
        !TOOLING.test(folder)
      )
        found.push(`./${folder}`);
    } else if (/^[^/.][^/]*\.js$/.test(path) && !TOOLING.test(path) && unlistedTarget(files, '.') !== path) {
      found.push(`./${path.slice(0, -'.js'.length)}`);
    }
  }
  return found;
}

function described(text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isInternal(subpath: string): boolean {
  return /\/(?:_[^/]*|internals?)(?:\/|$|\.)/.test(subpath);
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

const IMPORT = new Set(['node', 'import', 'default', 'module', 'module-sync']);

// The script that an import of a subpath loads.
export function entryScript(files: PackageFiles, subpath: string): string | null {
  const { exports } = files.manifest;
  const targets = exports === undefined || exports === null ? null : targetsOf(exports, subpath);
  const path =
    targets === null
      ? unlistedTarget(files, subpath)
      : (chosen(files, targets, IMPORT) ?? chosen(files, targets, REQUIRE));
  return path !== null && /\.[cm]?js$/.test(path) ? path : null;
}
