// The packages on both sides of a diff. A hunk is a piece of a lockfile: what it does not show cannot be read, but the
// name of a package always stands within three lines of its version.
import { readVersionRange } from '../version-range.ts';
import { blockLines } from './block-lines.ts';
import { readNpmRange, readNpmSpec } from './npm.ts';
import { isDirectBlock, pnpmPackage } from './pnpm.ts';
import { readRequirements } from './python.ts';
import { ecosystemOf, formatNamed, type LockfileFormat } from './read.ts';
import { isName, type LockedPackage, PackageList } from './types.ts';
import type { DiffFile } from './unified-diff.ts';
import { readYarnLock } from './yarn.ts';

export interface DiffPackages {
  format: LockfileFormat;
  before: LockedPackage[];
  after: LockedPackage[];
}

// The packages of one file of a diff; null for a file of an unknown format.
export function diffPackages({ path, hunks }: DiffFile): DiffPackages | null {
  const format = formatNamed(path) ?? formatOfLines(hunks.flatMap(({ before, after }) => [...before, ...after]));
  if (format === null) return null;
  const lines = hunks.flatMap(({ before, after }) => [...before, ...after]);
  const byFolder = lines.some((line) => FOLDER_KEY.test(line));
  const direct = new Set(hunks.flatMap(({ before, after }) => [...rootNames(before), ...rootNames(after)]));
  const side = (of: 'before' | 'after'): LockedPackage[] => {
    const list = new PackageList(ecosystemOf(format));
    for (const hunk of hunks) readHunk(hunk[of], { format, list, byFolder, direct });
    return list.packages;
  };
  return { format, before: side('before'), after: side('after') };
}

interface DiffReading {
  format: LockfileFormat;
  list: PackageList;
  // The format is a package-lock.json that names installed packages by their folders.
  byFolder: boolean;
  // The direct dependencies, as far as the diff shows them.
  direct: ReadonlySet<string>;
}

function readHunk(lines: readonly string[], reading: DiffReading): void {
  const { format, list } = reading;
  const text = lines.join('\n');
  if (format === 'package.json') readManifestLines(lines, list);
  else if (format === 'package-lock.json') readLockLines(lines, reading);
  else if (format === 'bun.lock') readBunLines(lines, list);
  else if (format === 'pnpm-lock.yaml') readPnpmLines(text, list);
  else if (format === 'yarn.lock') addAll(list, readYarnLock(text).packages);
  else if (format === 'requirements.txt') addAll(list, readRequirements(text).packages);
  else readTomlLines(lines, list);
}

function addAll(list: PackageList, packages: readonly LockedPackage[]): void {
  for (const { name, version, direct } of packages) list.add(name, version, direct);
}

const FOLDER_KEY = /^\s*"(?:[^"]*\/)?node_modules\/[^"]+": \{/;

const SIGNS: readonly [RegExp, LockfileFormat][] = [
  [FOLDER_KEY, 'package-lock.json'],
  [/^\s*"(?:resolved|integrity)": "/, 'package-lock.json'],
  [/^\s*"[^"]+": \["(?:@[^"@/]+\/)?[^"@]+@/, 'bun.lock'],
  [/^\s+(?:resolution: \{|specifier: )/, 'pnpm-lock.yaml'],
  [/^\s+(?:resolved "|version "|resolution: ")/, 'yarn.lock'],
  [/^(?:\[\[package\]\]|name = "|version = ")/, 'uv.lock'],
  [/^\s*"(?:@[\w.-]+\/)?[\w.-]+": "[\^~<>=]?\s?\d[^"]*",?$/, 'package.json'],
  [/^[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*[<>=!~]=/, 'requirements.txt'],
];

// Guesses the format of hunks without a file name.
function formatOfLines(lines: readonly string[]): LockfileFormat | null {
  return SIGNS.find(([sign]) => lines.some((line) => line.length < 2000 && sign.test(line)))?.[1] ?? null;
}

const JSON_LINE = /^(?<indent>\s*)"(?<key>[^"\\]{0,500})":\s*(?:"(?<value>[^"\\]{0,500})"|(?<open>\{))/;
const OWN_BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

interface JsonLine {
  key: string;
  // Null when the line begins a block.
  value: string | null;
  // Keys of the blocks around the line as far as the hunk shows them, the innermost last.
  path: readonly string[];
}

function* jsonLines(lines: readonly string[]): Generator<JsonLine> {
  const open: { indent: number; key: string }[] = [];
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    const trimmed = line.slice(indent, indent + 1);
    if (trimmed === '') continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const groups = JSON_LINE.exec(line)?.groups;
    if (!groups) continue;
    const { key = '', value } = groups;
    yield { key, value: value ?? null, path: open.map((block) => block.key) };
    if (value === undefined) open.push({ indent, key });
  }
}

// Keys of a manifest that have a version as their value but name no dependency.
const NO_PACKAGES = new Set(['version', 'node', 'npm', 'yarn', 'pnpm', 'bun', 'vscode', 'packageManager']);

function readManifestLines(lines: readonly string[], list: PackageList): void {
  for (const { key, value, path } of jsonLines(lines)) {
    const block = path.at(-1);
    const counts = block === undefined ? !NO_PACKAGES.has(key) : OWN_BLOCKS.has(block);
    const spec = value !== null && counts ? readNpmRange(key, value) : null;
    if (spec && readVersionRange(spec.range)) list.add(spec.name, spec.range, true);
  }
}

const FOLDER = 'node_modules/';
const TARBALL = /\/((?:@[\w.~-]+\/|@[\w.~-]+%2f)?[\w.~-]+)\/-\/[\w.~-]*?-(\d[\w.+-]*)\.tgz/i;

// The direct dependencies, which the root entry of a package-lock.json lists.
function rootNames(lines: readonly string[]): string[] {
  return [...jsonLines(lines)]
    .filter(({ path }) => OWN_BLOCKS.has(path.at(-1) ?? '') && path.at(-2) === '')
    .map(({ key }) => key);
}

function readLockLines(lines: readonly string[], { list, byFolder, direct }: DiffReading): void {
  let alias: { folder: string; name: string } | null = null;
  const found: { name: string; version: string; top: boolean }[] = [];
  for (const { key, value, path } of jsonLines(lines)) {
    const parent = path.at(-1);
    if (value === null) continue;
    if (key === 'name' && parent !== undefined) alias = { folder: parent, name: value };
    if (key === 'resolved' && parent === undefined) {
      // When the hunk begins behind the name, the address of the archive gives the name.
      const [, name, version] = TARBALL.exec(value) ?? [];
      if (name && version) found.push({ name: name.replace(/%2f/i, '/'), version, top: false });
    }
    if (key !== 'version' || parent === undefined) continue;
    const at = parent.lastIndexOf(FOLDER);
    if (at === -1 && (byFolder || !isName(parent))) continue;
    const name = alias?.folder === parent ? alias.name : at === -1 ? parent : parent.slice(at + FOLDER.length);
    const spec = readNpmRange(name, value);
    if (spec) found.push({ name: spec.name, version: spec.range, top: at === 0 });
  }
  for (const { name, version, top } of found) list.add(name, version, top && direct.has(name) ? true : null);
}

const BUN_ENTRY = /^\s*"[^"\\]{1,500}":\s*\["([^"\\]{1,500})"/;

function readBunLines(lines: readonly string[], list: PackageList): void {
  for (const line of lines) {
    const spec = readNpmSpec(BUN_ENTRY.exec(line)?.[1] ?? '');
    if (spec) list.add(spec.name, spec.range, null);
  }
}

function readPnpmLines(text: string, list: PackageList): void {
  for (const { indent, key, value, path } of blockLines(text)) {
    const parent = path.at(-1);
    const locked = indent <= 2 && value === '' ? pnpmPackage(key) : null;
    if (locked) list.add(locked.name, locked.version, null);
    const isEntry = key === 'version' && parent !== undefined && isName(parent);
    const isOldEntry = indent === 2 && /^\d/.test(value) && (parent === undefined || isDirectBlock(parent));
    if (isEntry || isOldEntry) {
      const name = isEntry ? parent : key;
      const own = pnpmPackage(value) ?? pnpmPackage(`${name}@${value}`);
      if (own) list.add(own.name, own.version, true);
    }
  }
}

// In uv.lock, the source of a package that is a folder of the project itself.
const OWN_SOURCE = /^source = \{\s*(?:virtual|editable|directory|path)\b/;

function readTomlLines(lines: readonly string[], list: PackageList): void {
  let entry: { name: string; version: string | null } | null = null;
  const finish = () => {
    if (entry?.version) list.add(entry.name, entry.version, null);
    entry = null;
  };
  for (const line of lines) {
    const [, key, value = ''] = /^(name|version) = "([^"]{1,300})"\s*$/.exec(line) ?? [];
    if (line.startsWith('[[package]]')) finish();
    else if (key === 'name') {
      finish();
      entry = { name: value, version: null };
    } else if (key === 'version' && entry) (entry as { version: string | null }).version = value;
    else if (OWN_SOURCE.test(line)) entry = null;
  }
  finish();
}
