// package-lock.json of all versions, and package.json.
import { entriesIn, type JsonObject, objectOf } from './json-text.ts';
import { elsewhere, manifestNeeds, type NpmNeed, readNpmRange } from './npm-specs.ts';
import { isName, type LockedPackage, MAX_PACKAGES, PackageList } from './types.ts';

const OWN_BLOCKS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

export function readPackageJson(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  for (const block of OWN_BLOCKS) {
    for (const [name, range] of entriesIn(json[block])) {
      if (typeof range !== 'string') continue;
      const details = { dev: block === 'devDependencies', optional: block === 'optionalDependencies' };
      const spec = readNpmRange(name, range);
      const other = spec ? null : elsewhere(range);
      const locked = spec
        ? list.add(spec.name, spec.range, details)
        : other && list.add(name, other.ref, { ...details, ...other });
      if (locked) list.name('', name, locked);
    }
  }
  return list;
}

export function readPackageLock(json: JsonObject, needs: readonly NpmNeed[] = []): PackageList {
  return objectOf(json.packages) === null ? readNested(json, needs) : readByFolder(json);
}

const FOLDER = 'node_modules/';

function readByFolder(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  const entries = new Map(entriesIn(json.packages).map(([folder, value]) => [folder, objectOf(value) ?? {}]));
  // The project and its workspaces are the entries outside node_modules.
  const needs = [...entries].flatMap(([folder, entry]) =>
    folder.includes(FOLDER) ? [] : manifestNeeds(folder, entry),
  );
  const byPath = new Set(needs.filter(({ spec }) => elsewhere(spec) !== null).map(({ installedAs }) => installedAs));
  const installed = new Map<string, LockedPackage>();
  for (const [folder, entry] of entries) {
    const at = folder.lastIndexOf(FOLDER);
    if (at === -1) continue;
    const installedAs = folder.slice(at + FOLDER.length);
    const locked =
      entry.link === true
        ? byPath.has(installedAs) && linked(list, { entry, entries, folder, installedAs })
        : // An alias is installed under another name than its own.
          list.add(entry.name ?? installedAs, entry.version, { ...detailsOf(entry), place: folder });
    if (locked) installed.set(folder, locked);
  }
  for (const { workspace, installedAs } of needs) {
    const place = placesAbove(workspace, installedAs).find((one) => installed.has(one));
    const locked = place === undefined ? undefined : installed.get(place);
    if (locked) list.name(workspace, installedAs, locked);
  }
  list.knowsDirect();
  return list;
}

function detailsOf(entry: JsonObject) {
  const other = typeof entry.resolved === 'string' ? elsewhere(entry.resolved) : null;
  // `devOptional` is installed without development, too.
  return { dev: entry.dev === true, optional: entry.optional === true, ...other };
}

interface LinkEntry {
  entry: JsonObject;
  entries: ReadonlyMap<string, JsonObject>;
  folder: string;
  installedAs: string;
}

// A folder that the project names by its path. Links to workspaces belong to the project itself.
function linked(list: PackageList, { entry, entries, folder, installedAs }: LinkEntry): LockedPackage | null {
  const target = typeof entry.resolved === 'string' ? entry.resolved : '';
  const own = entries.get(target);
  const name = own?.name ?? installedAs;
  const details = { ...detailsOf(entry), source: 'file', ref: target, place: folder } as const;
  return list.add(name, own?.version ?? `file:${target}`, details);
}

// The folders in which a package of this name is looked for from a workspace, the nearest first.
function placesAbove(workspace: string, name: string): string[] {
  const parts = workspace === '' ? [] : workspace.split('/').slice(0, 50);
  const folders = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/')}/`);
  return [...folders, ''].map((folder) => `${folder}${FOLDER}${name}`);
}

// The oldest lockfile version nests dependencies inside the package that they are installed below, and does not list the
// project itself.
function readNested(json: JsonObject, needs: readonly NpmNeed[]): PackageList {
  const list = new PackageList('npm');
  const top = new Map<string, LockedPackage>();
  const waiting: [name: string, value: unknown, below: string][] = entriesIn(json.dependencies).map(([name, value]) => [
    name,
    value,
    '',
  ]);
  for (let at = 0; at < waiting.length && at < MAX_PACKAGES; at += 1) {
    const [name, value, below] = waiting[at] as [string, unknown, string];
    const entry = objectOf(value);
    if (entry === null) continue;
    const place = `${below}${FOLDER}${name}`;
    const locked = nestedCopy(list, { name, entry, place });
    if (locked && below === '') top.set(name, locked);
    // Deeper than any real tree, a place would only cost memory.
    const inside = place.length > 2000 ? below : `${place}/`;
    for (const [child, nested] of entriesIn(entry.dependencies)) waiting.push([child, nested, inside]);
  }
  list.truncated ||= waiting.length > MAX_PACKAGES;
  for (const { workspace, installedAs } of needs) {
    const locked = top.get(installedAs);
    if (locked) list.name(workspace, installedAs, locked);
  }
  if (needs.length > 0) list.knowsDirect();
  return list;
}

function nestedCopy(
  list: PackageList,
  { name, entry, place }: { name: string; entry: JsonObject; place: string },
): LockedPackage | null {
  if (typeof entry.version !== 'string') return null;
  const details = { dev: entry.dev === true, optional: entry.optional === true, place };
  const other = elsewhere(entry.version);
  if (other) return isName(name) ? list.add(name, shortRef(other.ref), { ...details, ...other }) : null;
  const archive = /\/-\/[^/]*?-(\d[\w.+-]*)\.tgz/i.exec(entry.version)?.[1];
  const spec = readNpmRange(name, archive ?? entry.version);
  return spec && list.add(spec.name, spec.range, details);
}

// What stands for a version where a file names only a commit or a folder.
export function shortRef(ref: string): string {
  const commit = /([0-9a-f]{7,64})$/i.exec(ref)?.[1];
  return commit ? commit.slice(0, 12) : ref.slice(0, 100);
}
