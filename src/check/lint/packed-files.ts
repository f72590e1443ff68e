// The files that `npm pack` would put into the archive of a folder, by its manifest and its lists of ignored files. Nothing of the
// folder is run, so what its scripts would make is there only if it was made before.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, type Manifest } from '../../domain/evidence/package-files.ts';
import { textFileAt } from '../local-file.ts';
import { ignoreRule, parseIgnoreRules, ruledOut } from './ignore-rules.ts';

const MAX_FOLDERS = 5000;
const MAX_FILES = 20_000;
const MAX_DEPTH = 30;
const MAX_LIST_LENGTH = 200_000;

const NEVER = parseIgnoreRules(
  [
    ...['.git', '.svn', '.hg', 'CVS', 'node_modules', '.npmrc', '.DS_Store', '._*', '*.orig', '.*.swp', '.npmignore'],
    ...[
      '.gitignore',
      '.gitattributes',
      '/package-lock.json',
      '/yarn.lock',
      '/pnpm-lock.yaml',
      '/bun.lockb',
      '/bun.lock',
    ],
    ...['npm-debug.log', '.lock-wscript', '.wafpickle-*', 'config.gypi', '/archived-packages/**'],
  ].join('\n'),
);
const ALWAYS = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\.[^/]*)?)$/i;

type Rules = ReturnType<typeof parseIgnoreRules>;

// Paths below the folder, `inside` a real path that no link may leave.
export function packedPaths(folder: string, manifest: Manifest, inside: string): string[] {
  const listed = filesField(manifest);
  const named = new Set(namedFiles(manifest));
  const root = listed === null ? ignoredIn(folder, '', inside) : null;
  const found: string[] = [];
  let folders = 0;
  const walk = (below: string, lists: readonly { at: string; rules: Rules }[], depth: number) => {
    folders += 1;
    if (folders > MAX_FOLDERS || depth > MAX_DEPTH) return;
    for (const one of entriesIn(join(folder, below))) {
      if (found.length >= MAX_FILES) return;
      const path = below === '' ? one.name : `${below}/${one.name}`;
      if (ruledOut(NEVER, path, one.isDirectory()) === true) continue;
      const isIgnored = isIgnoredBy(lists, path, one.isDirectory());
      if (one.isDirectory()) {
        if (isIgnored) continue;
        const own = ignoredIn(folder, path, inside);
        walk(path, own ? [...lists, { at: path, rules: own }] : lists, depth + 1);
      } else if (one.isFile()) {
        const isMeant = listed === null || isListed(listed, path);
        if ((isMeant && !isIgnored) || named.has(path) || (below === '' && ALWAYS.test(path))) found.push(path);
      }
    }
  };
  walk('', root ? [{ at: '', rules: root }] : [], 0);
  return found.sort();
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

// The list of npm stands in the place of that of git.
function ignoredIn(folder: string, below: string, inside: string): Rules | null {
  for (const name of ['.npmignore', '.gitignore']) {
    const text = textFileAt(join(folder, below, name), { most: MAX_LIST_LENGTH, inside });
    if (text !== null) return parseIgnoreRules(text);
  }
  return null;
}

// The list nearest to the file decides.
function isIgnoredBy(lists: readonly { at: string; rules: Rules }[], path: string, isFolder: boolean): boolean {
  for (const { at, rules } of [...lists].reverse()) {
    const ruled = ruledOut(rules, at === '' ? path : path.slice(at.length + 1), isFolder);
    if (ruled !== null) return ruled;
  }
  return false;
}

function filesField({ files }: Manifest): Rules | null {
  if (!Array.isArray(files)) return null;
  const texts = files.filter((one) => typeof one === 'string' && one.length <= 500).slice(0, 2000);
  // A name in this list stands for the folder of the package.
  return texts.map((text: string) => ignoreRule(text.replace(/^(!?)(?:\.?\/)?/, '$1/')));
}

// A listed folder brings what is in it.
function isListed(listed: Rules, path: string): boolean {
  const parts = path.split('/');
  let answer = false;
  for (let to = 1; to <= parts.length; to += 1) {
    const ruled = ruledOut(listed, parts.slice(0, to).join('/'), to < parts.length);
    if (ruled !== null) answer = ruled;
  }
  return answer;
}

function namedFiles({ main, bin, browser }: Manifest): string[] {
  const bins = isRecord(bin) ? Object.values(bin) : [bin];
  return [main, browser, ...bins].flatMap((one) => (typeof one === 'string' ? [cleanPath(one)] : []));
}

// What the manifest leads to, and is not among the files: the folder was not built.
export function missingTargets(manifest: Manifest, paths: readonly string[]): string[] {
  const there = new Set(paths);
  const folders = new Set(paths.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))));
  const { main, module, types, typings, bin, exports } = manifest;
  const bins = isRecord(bin) ? Object.values(bin) : [bin];
  const targets = [main, module, types, typings, ...bins, ...leaves(exports)].flatMap((one) =>
    typeof one === 'string' && !one.includes('*') ? [cleanPath(one)] : [],
  );
  const isThere = (path: string) =>
    path === '' || there.has(path) || folders.has(path) || ENDINGS.some((ending) => there.has(path + ending));
  return [...new Set(targets)].filter((path) => !isThere(path));
}

const ENDINGS = ['.js', '.cjs', '.mjs', '.json', '.node', '.d.ts', '.ts'];
const MAX_LEAVES = 2000;

function leaves(value: unknown, depth = 0): unknown[] {
  if (typeof value === 'string') return value.startsWith('.') ? [value] : [];
  if (depth > 10 || typeof value !== 'object' || value === null) return [];
  return Object.values(value)
    .flatMap((one) => leaves(one, depth + 1))
    .slice(0, MAX_LEAVES);
}

function cleanPath(path: string): string {
  return path
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}
