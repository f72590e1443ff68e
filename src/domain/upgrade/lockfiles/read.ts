import { type Ecosystem, ecosystemOfFile, type LockfileFormat } from '../../ecosystems/index.ts';
import { readBunLock } from './bun.ts';
import { type JsonObject, objectOf, parseObject, plainJson } from './json-text.ts';
import { readPackageJson, readPackageLock } from './npm.ts';
import { folderIn, manifestNeeds, type NpmNeed } from './npm-specs.ts';
import { readPnpmLock } from './pnpm.ts';
import { pyprojectNeeds, readTomlLock } from './python.ts';
import { readRequirements } from './requirements.ts';
import { type BillFormat, readBill } from './sbom.ts';
import type { LockedPackages, PackageList } from './types.ts';
import { readYarnLock } from './yarn.ts';

export type { LockfileFormat } from '../../ecosystems/index.ts';

export interface Lockfile extends LockedPackages {
  format: LockfileFormat | BillFormat;
  // Components of a bill of materials that are not compared.
  otherEcosystems?: number;
  // The file lists more packages than are read.
  truncated: boolean;
}

// A manifest of the project, by its path from the lockfile.
export interface ProjectManifest {
  path: string;
  text: string;
}

interface LockfileText {
  filename?: string;
  text: string;
  // They tell what a lockfile leaves out: direct and development dependencies.
  manifests?: readonly ProjectManifest[];
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
  'pdm.lock': 'pdm.lock',
  'uv.lock': 'uv.lock',
};

// Far longer than any real lockfile, and short enough to be held in memory.
const MAX_LOCKFILE_LENGTH = 32 * 1024 * 1024;

// The packages of a file; null when it is too long or of no known format. Without a known file name the format is guessed
// from the text.
export function readLockfile({ filename, text, manifests = [] }: LockfileText): Lockfile | null {
  if (text.length > MAX_LOCKFILE_LENGTH) return null;
  const bill = billIn(text);
  if (bill) return bill;
  const format = formatNamed(filename ?? '') ?? formatOf(text);
  const list = format && listOf(format, text, manifests);
  if (list && manifests.length > 0) nameVersions(list, manifests);
  return list ? { format, packages: list.packages, direct: list.direct, truncated: list.truncated } : null;
}

const BILL_SIGN = /"(?:bomFormat|spdxVersion|@graph)"/;

function billIn(text: string): Lockfile | null {
  if (!BILL_SIGN.test(text) || !/^\ufeff?\s*\{/.test(text)) return null;
  const json = parseObject(text);
  return json && readBill(json);
}

export function ecosystemOf(format: LockfileFormat): Ecosystem {
  const ecosystem = ecosystemOfFile('lockfiles', format);
  if (ecosystem === null) throw new Error(`no ecosystem has the format ${format}`);
  return ecosystem;
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
  if (/^\[\[package\]\]/m.test(head)) return tomlFormat(head);
  return /^[A-Za-z0-9][\w.-]*(?:\[[^\]\n]*\])?\s*[<>=!~]=/m.test(head) ? 'requirements.txt' : null;
}

function tomlFormat(head: string): LockfileFormat {
  if (/Poetry/.test(head.slice(0, 200))) return 'poetry.lock';
  return /by PDM|^lock_version = /m.test(head) ? 'pdm.lock' : 'uv.lock';
}

function jsonFormat(text: string): LockfileFormat | null {
  const json = parseObject(text) ?? parseObject(plainJson(text));
  if (json === null) return null;
  if (objectOf(json.workspaces) && objectOf(json.packages)) return 'bun.lock';
  return 'lockfileVersion' in json ? 'package-lock.json' : 'package.json';
}

function listOf(format: LockfileFormat, text: string, manifests: readonly ProjectManifest[]): PackageList | null {
  switch (format) {
    case 'package.json':
      return ofJson(parseObject(text), readPackageJson);
    case 'package-lock.json':
      return ofJson(parseObject(text), (json) => readPackageLock(json, npmNeeds(manifests)));
    case 'bun.lock':
      return ofJson(parseObject(plainJson(text)), readBunLock);
    case 'pnpm-lock.yaml':
      return readPnpmLock(text);
    case 'yarn.lock':
      return readYarnLock(text, npmNeeds(manifests));
    case 'requirements.txt':
      return readRequirements(text);
    default:
      return readTomlLock(
        text,
        manifests.filter(({ path }) => path === 'pyproject.toml').flatMap((one) => pyprojectNeeds(one.text)),
      );
  }
}

function ofJson(json: JsonObject | null, read: (json: JsonObject) => PackageList): PackageList | null {
  return json && read(json);
}

// Some lockfiles name a folder without its version, which the manifest in the folder tells.
function nameVersions(list: PackageList, manifests: readonly ProjectManifest[]): void {
  const versions = new Map(
    manifests.flatMap(({ path, text }) => {
      const version = path.endsWith('/package.json') ? parseObject(text)?.version : null;
      return typeof version === 'string' ? [[path.slice(0, -'/package.json'.length), version] as const] : [];
    }),
  );
  for (const locked of list.packages) {
    if (locked.source !== 'file' && locked.source !== 'link') continue;
    const folder = folderIn(locked.ref ?? '');
    if (!/^\d/.test(locked.version) || locked.version === '0.0.0')
      locked.version = versions.get(folder) ?? locked.version;
  }
}

// A workspace is known by its folder; the project itself has none.
function npmNeeds(manifests: readonly ProjectManifest[]): NpmNeed[] {
  return manifests.flatMap(({ path, text }) => {
    const folder = /^(?:(.*)\/)?package\.json$/.exec(path);
    const json = folder ? parseObject(text) : null;
    return json ? manifestNeeds(folder?.[1] ?? '', json) : [];
  });
}
