// A piece of a package-lock.json: the packages whose version it shows.
import { shortRef } from './npm.ts';
import { elsewhere, folderIn, readNpmRange } from './npm-specs.ts';
import { isName, type LockedPackage, type PackageList } from './types.ts';

const FOLDER = 'node_modules/';
export const FOLDER_KEY = /^\s*"(?:[^"]*\/)?node_modules\/[^"]+": \{/;
const OWN_BLOCKS = new Set(['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']);
const TARBALL = /\/((?:@[\w.~-]+\/|@[\w.~-]+%2f)?[\w.~-]+)\/-\/[\w.~-]*?-(\d[\w.+-]*)\.tgz/i;

// A package with the keys that the piece shows of it.
interface ShownEntry {
  folder: string;
  fields: Map<string, string>;
}

interface ShownNeed {
  workspace: string;
  installedAs: string;
  spec: string;
}

// Keys that only the project and its workspaces have.
const OWN_KEYS = new Set(['name', 'devDependencies', 'workspaces']);

// What the project and its workspaces name, as far as a piece of a package-lock.json or bun.lock shows it. A piece may
// begin behind the line that says whose dependencies they are.
export function shownNeeds(lines: readonly string[]): ShownNeed[] {
  const shown = [...jsonLines(lines)];
  const beginsInside = shown.some(({ key, path }) => path.length === 0 && OWN_KEYS.has(key));
  return shown.flatMap(({ key, value, path }) => {
    const [owner = beginsInside && path.length === 1 ? '' : undefined, block = ''] = [path.at(-2), path.at(-1)];
    const isOwn = owner !== undefined && !owner.includes(FOLDER) && OWN_BLOCKS.has(block);
    return isOwn && value !== null ? [{ workspace: owner, installedAs: key, spec: value }] : [];
  });
}

// The packages by the folder in which they are installed. `byFolder` says that the file names them so, as all but its
// oldest form do.
export function readLockLines(
  lines: readonly string[],
  list: PackageList,
  byFolder: boolean,
): Map<string, LockedPackage> {
  const installed = new Map<string, LockedPackage>();
  const byPath = new Map(
    shownNeeds(lines).flatMap(({ installedAs, spec }) =>
      elsewhere(spec)?.source === 'file' ? [[folderIn(spec), installedAs] as const] : [],
    ),
  );
  for (const { folder, fields } of shownEntries(lines)) {
    const linked = byPath.get(folder);
    const locked =
      folder === ''
        ? fromArchive(list, fields)
        : linked === undefined
          ? copyOf(list, { folder, fields }, byFolder)
          : list.add(fields.get('name') ?? linked, fields.get('version'), { source: 'file', ref: folder });
    if (locked && folder !== '') installed.set(linked === undefined ? folder : `${FOLDER}${linked}`, locked);
  }
  return installed;
}

function shownEntries(lines: readonly string[]): ShownEntry[] {
  const entries: ShownEntry[] = [];
  const current: { path: string | null; fields: Map<string, string> } = { path: null, fields: new Map() };
  for (const { key, value, path } of jsonLines(lines)) {
    const folder = path.at(-1);
    if (OWN_BLOCKS.has(folder ?? '')) continue;
    if (value === null) continue;
    const where = path.join('\n');
    if (current.path !== where) {
      [current.path, current.fields] = [where, new Map()];
      // When the piece begins behind the name, the address of the archive gives the name.
      entries.push({ folder: folder ?? '', fields: current.fields });
    }
    current.fields.set(key, value);
  }
  return entries;
}

function copyOf(list: PackageList, { folder, fields }: ShownEntry, byFolder: boolean): LockedPackage | null {
  const at = folder.lastIndexOf(FOLDER);
  if (at === -1 && (byFolder || !isName(folder))) return null;
  const installedAs = at === -1 ? folder : folder.slice(at + FOLDER.length);
  const name = fields.get('name') ?? installedAs;
  const version = fields.get('version');
  if (version === undefined) return null;
  const other = elsewhere(fields.get('resolved') ?? '') ?? elsewhere(version);
  const details = { place: folder, dev: flagOf(fields, 'dev'), optional: flagOf(fields, 'optional') };
  if (other) return list.add(name, elsewhere(version) ? shortRef(version) : version, { ...details, ...other });
  const spec = readNpmRange(name, version);
  return spec && list.add(spec.name, spec.range, details);
}

const FIRST_KEYS = new Set(['name', 'version', 'resolved', 'integrity']);

// Flags are written only where they hold, behind the first keys: once a later key is shown, a missing flag is none.
function flagOf(fields: ReadonlyMap<string, string>, name: string): boolean | null {
  if (fields.has(name)) return fields.get(name) === 'true';
  return [...fields.keys()].some((key) => !FIRST_KEYS.has(key)) ? false : null;
}

function fromArchive(list: PackageList, fields: ReadonlyMap<string, string>): LockedPackage | null {
  const [, name, version] = TARBALL.exec(fields.get('resolved') ?? '') ?? [];
  return name && version ? list.add(name.replace(/%2f/i, '/'), version) : null;
}

// Lines of JSON that is written one key a line, as package managers do, so that a piece of a file can be read.

interface JsonLine {
  key: string;
  // Null when the line begins a block.
  value: string | null;
  // Keys of the blocks around the line as far as the piece shows them, the innermost last.
  path: readonly string[];
}

const LINE = /^\s*"(?<key>[^"\\]{0,500})":\s*(?:"(?<text>[^"\\]{0,500})"|(?<flag>true|false)|\{)/;

export function* jsonLines(lines: readonly string[]): Generator<JsonLine> {
  const open: { indent: number; key: string }[] = [];
  for (const line of lines) {
    const indent = line.length - line.trimStart().length;
    if (line.slice(indent, indent + 1) === '') continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const groups = LINE.exec(line)?.groups;
    if (!groups) continue;
    const { key = '' } = groups;
    const value = groups.text ?? groups.flag ?? null;
    yield { key, value, path: open.map((block) => block.key) };
    if (value === null) open.push({ indent, key });
  }
}
