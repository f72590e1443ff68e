// package-lock.json of all versions, bun.lock and package.json.
import { entriesIn, type JsonObject, objectOf } from './json-text.ts';
import { isName, MOST_PACKAGES, PackageList } from './types.ts';

const OWN_BLOCKS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

export function readPackageJson(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  for (const [name, range] of OWN_BLOCKS.flatMap((block) => entriesIn(json[block]))) {
    const spec = typeof range === 'string' ? readNpmRange(name, range) : null;
    if (spec) list.add(spec.name, spec.range, true);
  }
  return list;
}

export function readPackageLock(json: JsonObject): PackageList {
  return objectOf(json.packages) === null ? readNested(json) : readByFolder(json);
}

const FOLDER = 'node_modules/';

function readByFolder(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  const entries = entriesIn(json.packages);
  // The project and its workspaces are the entries outside node_modules.
  const own = entries.filter(([folder]) => !folder.includes(FOLDER));
  const direct = new Set(own.flatMap(([, entry]) => ownNames(entry)));
  for (const [folder, value] of entries) {
    const entry = objectOf(value);
    const at = folder.lastIndexOf(FOLDER);
    if (at === -1 || entry === null || entry.link === true) continue;
    const installedAs = folder.slice(at + FOLDER.length);
    // An alias is installed under another name than its own.
    list.add(entry.name ?? installedAs, entry.version, at === 0 && direct.has(installedAs));
  }
  return list;
}

function ownNames(entry: unknown): string[] {
  const object = objectOf(entry);
  return object === null ? [] : OWN_BLOCKS.flatMap((block) => Object.keys(objectOf(object[block]) ?? {}));
}

// The oldest lockfile version nests dependencies inside the package that they are installed below, and does not list the
// project itself.
function readNested(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  const waiting: [string, unknown][] = entriesIn(json.dependencies);
  for (let at = 0; at < waiting.length && at < MOST_PACKAGES; at += 1) {
    const [name, value] = waiting[at] as [string, unknown];
    const entry = objectOf(value);
    if (entry === null) continue;
    const spec = typeof entry.version === 'string' ? readNpmRange(name, entry.version) : null;
    if (spec) list.add(spec.name, spec.range, null);
    for (const nested of entriesIn(entry.dependencies)) waiting.push(nested);
  }
  list.truncated ||= waiting.length > MOST_PACKAGES;
  return list;
}

export function readBunLock(json: JsonObject): PackageList {
  const list = new PackageList('npm');
  const direct = new Set(entriesIn(json.workspaces).flatMap(([, entry]) => ownNames(entry)));
  for (const [installedAs, value] of entriesIn(json.packages)) {
    const [first] = Array.isArray(value) ? value : [];
    const spec = typeof first === 'string' ? readNpmSpec(first) : null;
    if (spec) list.add(spec.name, spec.range, direct.has(installedAs));
  }
  return list;
}

interface NpmSpec {
  name: string;
  // The range without `npm:`.
  range: string;
}

// Packages of a workspace, a folder, a repository or an archive, whose versions no package registry knows.
const ELSEWHERE = /^(?:workspace|link|portal|file|patch|exec|git|github|git\+[a-z]+|https?|ssh|catalog):/i;

// The package and range that a dependency means; null when it does not come from a package registry. An alias is read as the
// package that it stands for.
export function readNpmSpec(text: string): NpmSpec | null {
  const at = text.indexOf('@', 1);
  return at === -1 ? null : readNpmRange(text.slice(0, at), text.slice(at + 1));
}

export function readNpmRange(name: string, range: string): NpmSpec | null {
  const isAlias = range.startsWith('npm:');
  const plain = isAlias ? range.slice(4) : range;
  const at = isAlias ? plain.indexOf('@', 1) : -1;
  if (at !== -1 && isName(plain.slice(0, at))) return { name: plain.slice(0, at), range: plain.slice(at + 1) };
  return ELSEWHERE.test(plain) || plain.includes('/') || !isName(name) ? null : { name, range: plain };
}
