// The packages on both sides of a diff. A hunk is a piece of a lockfile: what it does not show cannot be read, but the
// name of a package always stands within three lines of its version.
import { readVersionRange } from '../version-range.ts';
import { blockLines } from './block-lines.ts';
import { bunCopy } from './bun.ts';
import { FOLDER_KEY, jsonLines, readLockLines, shownNeeds } from './diff-package-lock.ts';
import { elsewhere, type NpmNeed, readNpmRange } from './npm-specs.ts';
import { isDirectBlock, pnpmPackage } from './pnpm.ts';
import { ecosystemOf, formatNamed, type LockfileFormat } from './read.ts';
import { readRequirements } from './requirements.ts';
import { isName, type LockedPackage, type LockedPackages, PackageList } from './types.ts';
import type { DiffFile } from './unified-diff.ts';
import { readYarnPieces } from './yarn.ts';

export interface DiffPackages {
  format: LockfileFormat;
  before: LockedPackages;
  after: LockedPackages;
}

// The packages of every file of a known format. A manifest beside a lockfile tells what the project names.
export function diffPackages(files: readonly DiffFile[]): DiffPackages[] {
  const known = files.flatMap((file) => {
    const lines = file.hunks.flatMap(({ before, after }) => [...before, ...after]);
    const format = formatNamed(file.path) ?? formatOfLines(lines);
    return format === null ? [] : [{ ...file, format, byFolder: lines.some((line) => FOLDER_KEY.test(line)) }];
  });
  const manifests = known.filter(({ format }) => format === 'package.json');
  return known.map(({ format, hunks, byFolder }) => {
    const side = (of: 'before' | 'after'): LockedPackages => {
      const list = new PackageList(ecosystemOf(format));
      const needs = manifests.flatMap(({ path, hunks: pieces }) =>
        pieces.flatMap((piece) => manifestLines(folderOf(path), piece[of])),
      );
      const lines = hunks.flatMap((hunk) => hunk[of]);
      if (format === 'package.json')
        readManifest(
          list,
          hunks.flatMap((hunk) => manifestLines('', hunk[of])),
        );
      else if (format === 'package-lock.json') {
        const shown = hunks.flatMap((hunk) => [...readLockLines(hunk[of], list, byFolder)]);
        nameShown(list, new Map(shown), [...needs, ...hunks.flatMap((hunk) => shownNeeds(hunk[of]))]);
      } else if (format === 'bun.lock') {
        nameShown(list, bunLines(lines, list), [...needs, ...hunks.flatMap((hunk) => shownNeeds(hunk[of]))]);
      } else if (format === 'yarn.lock') {
        const otherSide = hunks.flatMap((hunk) => hunk[of === 'before' ? 'after' : 'before']);
        const pieces = hunks.map((hunk) => hunk[of]);
        for (const read of readYarnPieces(pieces, otherSide, needs)) copyAll(list, read);
      } else for (const hunk of hunks) readHunk(hunk[of], format, list);
      return list;
    };
    return { format, before: side('before'), after: side('after') };
  });
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

type ShownNeed = Pick<NpmNeed, 'workspace' | 'installedAs'>;

// Names the direct dependencies among the shown packages, which are known by the places of both formats.
function nameShown(list: PackageList, shown: ReadonlyMap<string, LockedPackage>, needs: readonly ShownNeed[]): void {
  const seen = new Set<string>();
  for (const { workspace, installedAs } of needs) {
    const key = `${workspace}\n${installedAs}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const places = [`${workspace}/node_modules/${installedAs}`, `node_modules/${installedAs}`, installedAs];
    const locked = places.map((place) => shown.get(place)).find((one) => one !== undefined);
    if (locked) list.name(workspace, installedAs, locked);
  }
}

function readHunk(lines: readonly string[], format: LockfileFormat, list: PackageList): void {
  const text = lines.join('\n');
  if (format === 'pnpm-lock.yaml') readPnpmLines(text, list);
  else if (format === 'requirements.txt') copyAll(list, readRequirements(text));
  else readTomlLines(lines, list);
}

// What a piece does not show to be direct may be direct all the same, and the same holds for development.
function copyAll(list: PackageList, read: PackageList): void {
  const copies = new Map(
    read.packages.map((one) => [one, list.add(one.name, one.version, { source: one.source, ref: one.ref })]),
  );
  for (const { workspace, installedAs, locked } of read.direct) {
    const copy = copies.get(locked);
    if (copy) list.name(workspace, installedAs, copy);
  }
}

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

const OWN_BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);
// Keys of a manifest that have a version as their value but name no dependency.
const NO_PACKAGES = new Set(['version', 'node', 'npm', 'yarn', 'pnpm', 'bun', 'vscode', 'packageManager']);

function manifestLines(workspace: string, lines: readonly string[]): NpmNeed[] {
  return [...jsonLines(lines)].flatMap(({ key, value, path }) => {
    const block = path.at(-1);
    const counts = block === undefined ? !NO_PACKAGES.has(key) : OWN_BLOCKS.has(block);
    if (value === null || !counts) return [];
    const [dev, optional] = [block === 'devDependencies', block === 'optionalDependencies'];
    return [{ workspace, installedAs: key, spec: value, dev, optional }];
  });
}

function readManifest(list: PackageList, needs: readonly NpmNeed[]): void {
  for (const { workspace, installedAs, spec } of needs) {
    const range = readNpmRange(installedAs, spec);
    const other = range ? null : elsewhere(spec);
    const locked =
      range && readVersionRange(range.range)
        ? list.add(range.name, range.range)
        : other && list.add(installedAs, other.ref, other);
    if (locked) list.name(workspace, installedAs, locked);
  }
}

const BUN_ENTRY = /^\s*"([^"\\]{1,500})":\s*\["([^"\\]{1,500})"/;

function bunLines(lines: readonly string[], list: PackageList): Map<string, LockedPackage> {
  const shown = new Map<string, LockedPackage>();
  for (const line of lines) {
    const [, place = '', entry = ''] = BUN_ENTRY.exec(line) ?? [];
    const locked = bunCopy(list, entry, place);
    if (locked) shown.set(place, locked);
  }
  return shown;
}

function readPnpmLines(text: string, list: PackageList): void {
  for (const { indent, key, value, path } of blockLines(text)) {
    const parent = path.at(-1);
    const locked = indent <= 2 && value === '' ? pnpmPackage(key) : null;
    if (locked) list.add(locked.name, locked.version);
    const isEntry = key === 'version' && parent !== undefined && isName(parent);
    const isOldEntry = indent === 2 && /^\d/.test(value) && (parent === undefined || isDirectBlock(parent));
    if (!isEntry && !isOldEntry) continue;
    const name = isEntry ? parent : key;
    const own = pnpmPackage(value) ?? pnpmPackage(`${name}@${value}`);
    const other = own ? null : elsewhere(value);
    const copy = own ? list.add(own.name, own.version) : other && list.add(name, other.ref.slice(0, 200), other);
    const workspace = path[0] === 'importers' ? (path[1] ?? '') : '';
    if (copy) list.name(workspace, name, copy);
  }
}

// A piece of a uv.lock, poetry.lock or pdm.lock.

interface ShownPackage {
  name: string;
  version: string | null;
  ref: string | null;
}

// In uv.lock, the source of a package that is a folder of the project itself.
const OWN_SOURCE = /^source = \{\s*(?:virtual|editable|directory|path)\b/;
const KEY = /^(name|version|git|revision|resolved_reference) = "([^"]{1,300})"\s*$/;
const GIT_SOURCE = /^source = \{\s*git = "([^"]{1,1000})"/;

function readTomlLines(lines: readonly string[], list: PackageList): void {
  let entry: ShownPackage | null = null;
  const finish = () => {
    if (entry?.version) {
      list.add(entry.name, entry.version, entry.ref === null ? {} : { source: 'git', ref: entry.ref });
    }
    entry = null;
  };
  for (const line of lines) {
    const [, key, value = ''] = KEY.exec(line) ?? [];
    const git = GIT_SOURCE.exec(line)?.[1];
    if (line.startsWith('[[package]]')) finish();
    else if (key === 'name') {
      finish();
      entry = { name: value, version: null, ref: null };
    } else if (entry === null) continue;
    else if (OWN_SOURCE.test(line)) entry = null;
    else entry = shownWith(entry, { key, value, git });
  }
  finish();
}

function shownWith(
  entry: ShownPackage,
  { key, value, git }: { key: string | undefined; value: string; git: string | undefined },
): ShownPackage {
  if (git !== undefined) return { ...entry, ref: git };
  if (key === 'version') return { ...entry, version: value };
  return key === undefined ? entry : { ...entry, ref: `${entry.ref ?? ''}#${value}` };
}
