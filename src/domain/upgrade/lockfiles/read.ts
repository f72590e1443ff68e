import type { Ecosystem } from '../../package-names.ts';
import { type JsonObject, objectOf, parseObject, plainJson } from './json-text.ts';
import { readBunLock, readPackageJson, readPackageLock } from './npm.ts';
import { readPnpmLock } from './pnpm.ts';
import { readRequirements, readTomlLock } from './python.ts';
import type { LockedPackage, PackageList } from './types.ts';
import { readYarnLock } from './yarn.ts';

export type LockfileFormat =
  | 'package.json'
  | 'package-lock.json'
  | 'pnpm-lock.yaml'
  | 'yarn.lock'
  | 'bun.lock'
  | 'requirements.txt'
  | 'poetry.lock'
  | 'uv.lock';

export interface Lockfile {
  format: LockfileFormat;
  packages: LockedPackage[];
  // The file lists more packages than are read.
  truncated: boolean;
}

// The file names of each format.
const LOCKFILE_NAMES: Readonly<Record<string, LockfileFormat>> = {
  'package.json': 'package.json',
  'package-lock.json': 'package-lock.json',
  'npm-shrinkwrap.json': 'package-lock.json',
  'pnpm-lock.yaml': 'pnpm-lock.yaml',
  'yarn.lock': 'yarn.lock',
  'bun.lock': 'bun.lock',
  'requirements.txt': 'requirements.txt',
  'poetry.lock': 'poetry.lock',
  'uv.lock': 'uv.lock',
};

// Far longer than any real lockfile, and short enough to be held in memory.
const LONGEST_LOCKFILE = 32 * 1024 * 1024;

// The packages of a file; null when it is too long or of no known format. Without a known file name the format is guessed
// from the text.
export function readLockfile({ filename, text }: { filename?: string; text: string }): Lockfile | null {
  if (text.length > LONGEST_LOCKFILE) return null;
  const format = formatNamed(filename ?? '') ?? formatOf(text);
  const list = format && listOf(format, text);
  return list ? { format, packages: list.packages, truncated: list.truncated } : null;
}

export function ecosystemOf(format: LockfileFormat): Ecosystem {
  return format === 'requirements.txt' || format === 'poetry.lock' || format === 'uv.lock' ? 'pypi' : 'npm';
}

// The format that the last part of a path stands for.
export function formatNamed(path: string): LockfileFormat | null {
  const name = baseName(path);
  if (Object.hasOwn(LOCKFILE_NAMES, name)) return LOCKFILE_NAMES[name] ?? null;
  return /^requirements[\w.-]*\.txt$/.test(name) ? 'requirements.txt' : null;
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
}

const HEAD = 4000;

function formatOf(text: string): LockfileFormat | null {
  const head = text.slice(0, HEAD);
  if (/^\ufeff?\s*\{/.test(head)) return jsonFormat(text);
  if (/^lockfileVersion:/m.test(head)) return 'pnpm-lock.yaml';
  if (/^# yarn lockfile v1|^__metadata:/m.test(head)) return 'yarn.lock';
  if (/^\[\[package\]\]/m.test(head)) return /Poetry/.test(head.slice(0, 200)) ? 'poetry.lock' : 'uv.lock';
  return /^[A-Za-z0-9][\w.-]*(?:\[[^\]\n]*\])?\s*[<>=!~]=/m.test(head) ? 'requirements.txt' : null;
}

function jsonFormat(text: string): LockfileFormat | null {
  const json = parseObject(text) ?? parseObject(plainJson(text));
  if (json === null) return null;
  if (objectOf(json.workspaces) && objectOf(json.packages)) return 'bun.lock';
  return 'lockfileVersion' in json ? 'package-lock.json' : 'package.json';
}

function listOf(format: LockfileFormat, text: string): PackageList | null {
  switch (format) {
    case 'package.json':
      return ofJson(parseObject(text), readPackageJson);
    case 'package-lock.json':
      return ofJson(parseObject(text), readPackageLock);
    case 'bun.lock':
      return ofJson(parseObject(plainJson(text)), readBunLock);
    case 'pnpm-lock.yaml':
      return readPnpmLock(text);
    case 'yarn.lock':
      return readYarnLock(text);
    case 'requirements.txt':
      return readRequirements(text);
    default:
      return readTomlLock(text);
  }
}

function ofJson(json: JsonObject | null, read: (json: JsonObject) => PackageList): PackageList | null {
  return json && read(json);
}
