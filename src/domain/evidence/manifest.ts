// What package.json alone shows: commands, engines and peers.
import { certaintyOf, type Finding, type FindingKind, type Found } from './finding.ts';
import { isRecord, type Manifest, type PackageFiles, textEntries } from './package-files.ts';
import { refusedVersion } from './ranges.ts';

export function manifestFindings(old: PackageFiles, next: PackageFiles): Found[] {
  return [
    ...removedCommands(old, next),
    ...raisedEngines(old.manifest, next.manifest),
    ...peers(old.manifest, next.manifest),
  ];
}

function finding(kind: FindingKind, name: string, values: Pick<Finding, 'was' | 'is' | 'text'>): Found {
  return { kind, name, subpath: '', certainty: certaintyOf(kind), ...values };
}

function removedCommands(old: PackageFiles, next: PackageFiles): Found[] {
  const kept = commandsOf(next);
  return [...commandsOf(old)].flatMap(([name, path]) =>
    kept.has(name)
      ? []
      : [finding('bin_removed', `bin.${name}`, { was: path, is: null, text: `the command \`${name}\` is gone` })],
  );
}

// A package with one command may write its path alone; the command has the name of the package without its scope.
function commandsOf({ name, manifest, paths }: PackageFiles): Map<string, string> {
  const { bin, directories } = manifest;
  if (typeof bin === 'string') return new Map([[name.replace(/^@[^/]+\//, ''), bin]]);
  const folder =
    isRecord(directories) && typeof directories.bin === 'string' ? directories.bin.replace(/^\.\/|\/$/g, '') : null;
  if (folder === null || isRecord(bin)) return textEntries(bin);
  const inFolder = [...paths].filter((path) => path.startsWith(`${folder}/`));
  return new Map(inFolder.map((path) => [path.slice(folder.length + 1), path]));
}

function raisedEngines(old: Manifest, next: Manifest): Found[] {
  const [was, is] = [textEntries(old.engines).get('node'), textEntries(next.engines).get('node')];
  if (is === undefined || is === was) return [];
  const refused = refusedVersion(was ?? '*', is);
  if (refused === null) return [];
  const before = was === undefined ? 'nothing was said before' : `${inWords(was)} before`;
  return [
    finding('engines_raised', 'engines.node', { was: was ?? null, is, text: `needs Node ${inWords(is)} (${before})` }),
  ];
}

// `>=20.0.0` is said as `20`.
function inWords(range: string): string {
  const least = /^>=\s*v?(\d+(?:\.\d+)*?)(?:\.0)*(?:\.x)?$/.exec(range.trim());
  return least?.[1] ?? range;
}

function peers(old: Manifest, next: Manifest): Found[] {
  const [before, after] = [textEntries(old.peerDependencies), textEntries(next.peerDependencies)];
  return [...after].flatMap(([name, is]) => {
    const was = before.get(name);
    const field = `peerDependencies.${name}`;
    if (was === undefined) {
      if (isOptionalPeer(next, name)) return [];
      return [finding('peer_added', field, { was: null, is, text: `needs \`${name}\` ${is} beside it` })];
    }
    if (was === is || refusedVersion(was, is) === null || (isOwn(old, was) && isOwn(next, is))) return [];
    const raised = finding('peer_raised', field, { was, is, text: `needs \`${name}\` ${is} (${was} before)` });
    return [isOptionalPeer(next, name) ? { ...raised, certainty: 'likely', text: raised.text + IF_INSTALLED } : raised];
  });
}

// The end of what is told of an optional peer.
export const IF_INSTALLED = ' if it is installed';

// Packages of a family that are released together ask for each other in their own version; who updates one updates all.
function isOwn({ version }: Manifest, range: string): boolean {
  return range.replace(/^[=^~v\s]+/, '') === version;
}

function isOptionalPeer({ peerDependenciesMeta: meta }: Manifest, name: string): boolean {
  const entry = isRecord(meta) ? meta[name] : null;
  return isRecord(entry) && entry.optional === true;
}
