// What two published versions of a package show side by side. A pure function: everything it reads is given to it.
import { ApiComparison } from './api.ts';
import { publicSubpaths, reaches, requiredFormat } from './entry-points.ts';
import { type Evidence, evidenceOf, type Found, RULES_VERSION } from './finding.ts';
import { programGroups } from './groups.ts';
import { manifestFindings } from './manifest.ts';
import { ambientOf, globalOf, namesOf, namesOfDeclared, namesOfModule } from './names.ts';
import type { PackageFiles } from './package-files.ts';
import type { EntryPair } from './pairs.ts';
import { plainFindings } from './plain-names.ts';
import { Installation, ParsedFiles } from './program.ts';
import { Side } from './side.ts';
import { namesInCode } from './weight.ts';
import { witnessed } from './witness/compile.ts';

interface Beside {
  dependencies: readonly PackageFiles[];
  // The package with the declarations of one that has none: `@types/name`.
  types: PackageFiles | null;
}

export interface ApiEvidence extends Evidence {
  // The version of the rules that found it.
  rules: number;
  // Where the declarations come from; `none`: only package.json and plain names were compared.
  types: 'own' | 'definitely_typed' | 'none';
}

export function compareApi(
  old: PackageFiles,
  next: PackageFiles,
  beside: { old: Beside; new: Beside } = { old: NOTHING, new: NOTHING },
): ApiEvidence {
  const parsed = new ParsedFiles();
  const [before, after] = [new Installation(old, beside.old, parsed), new Installation(next, beside.new, parsed)];
  const subpaths = publicSubpaths(old);
  const kept = subpaths.filter((subpath) => reaches(next, subpath));
  const found: Found[] = [
    ...manifestFindings(old, next),
    ...lostSubpaths(old, next, subpaths),
    ...lostRequire(old, next, kept),
  ];
  const mentioned = namesInCode(old.readme ?? '');
  const entries = kept.flatMap((subpath) => {
    const [was, is] = [before.declarations(subpath), after.declarations(subpath)];
    // Declarations that others wrote may follow later, and those for the version before serve until then.
    const wasOwn = was?.how === 'reachable' && was.path.startsWith(`/node_modules/${old.name}/`);
    if (wasOwn && is?.how !== 'reachable' && declaresNames(before.text(was.path)))
      found.push(lostTypes(old, subpath, is !== null));
    return was && is ? [{ subpath, was: was.path, is: sameKind(before.text(was.path), is.path, after, subpath) }] : [];
  });
  if (entries.length === 0) {
    const hasTypes = before.declarations('.') !== null || after.declarations('.') !== null;
    if (!hasTypes) found.push(...plainFindings(old, next, kept));
    return { ...evidenceOf(found, mentioned), types: 'none', rules: RULES_VERSION };
  }
  const isOwn = (path: string) => path.startsWith(`/node_modules/${old.name}/`);
  const own = new Set(entries.filter(({ was, is }) => isOwn(was) && isOwn(is)).map(({ subpath }) => subpath));
  const isForeign = own.size < entries.length;
  // What the package itself shows, whatever others declare of it.
  if (isForeign)
    found.push(
      ...plainFindings(
        old,
        next,
        kept.filter((subpath) => !own.has(subpath)),
      ),
    );
  if (!isSame(old, next) || !isSameBeside(beside)) {
    const told = new Set<string>();
    const seen = programGroups(before, after, entries).flatMap((group) => compared(before, after, group, told));
    found.push(...seen.map((one) => (isForeign && !own.has(one.subpath) ? toldByOthers(one) : one)));
  }
  return {
    ...evidenceOf(withoutRepeats(found), mentioned),
    types: isForeign ? 'definitely_typed' : 'own',
    rules: RULES_VERSION,
  };
}

// Who wrote the declarations of another's package may have changed them alone.
function toldByOthers(found: Found): Found {
  return { ...found, certainty: 'likely', text: `${found.text} (types by others)` };
}

const NOTHING: Beside = { dependencies: [], types: null };

interface Entry {
  subpath: string;
  was: string;
  is: string;
}

function compared(before: Installation, after: Installation, entries: readonly Entry[], names: Set<string>): Found[] {
  const old = new Side('old', before, before.program(entries.map(({ was }) => was)));
  const next = new Side('new', after, after.program(entries.map(({ is }) => is)));
  const comparison = new ApiComparison(old, next, names);
  const pairs = entries.flatMap(({ subpath, was, is }): EntryPair[] => {
    const mine = namesOf(old, was) ?? namesOfDeclared(old, subpath);
    const theirs = namesOf(next, is) ?? namesOfDeclared(next, subpath);
    return mine && theirs ? [{ subpath, specifier: before.specifier(subpath), old: mine, next: theirs }] : [];
  });
  const told = new Set(pairs.map(({ subpath }) => before.specifier(subpath)));
  const ambient = ambientPairs(old, next, pairs.length === entries.length);
  comparison.compare([...pairs, ...ambient.filter(({ subpath }) => !told.has(subpath))]);
  return witnessed(comparison.found, [before, after], [entries.map(({ was }) => was), entries.map(({ is }) => is)]);
}

// Modules and names that a package without modules of its own declares for everyone.
function ambientPairs(old: Side, next: Side, hasModules: boolean): EntryPair[] {
  if (hasModules) return [];
  const [before, after] = [ambientOf(old), ambientOf(next)];
  const specifier = old.installation.files.name;
  // What somebody else declares for everyone now is not gone.
  const kept = [...before.globals.keys()].flatMap((name) => {
    const symbol = after.globals.get(name) ?? globalOf(next, name);
    return symbol ? [[name, symbol] as const] : [];
  });
  return [
    { subpath: '.', specifier, isGlobal: true, old: closed(before.globals), next: closed(new Map(kept)) },
    ...[...before.modules].flatMap(([name, names]) => {
      const other = after.modules.get(name);
      return other
        ? [{ subpath: name, specifier: name, old: namesOfModule(old, names), next: namesOfModule(next, other) }]
        : [];
    }),
  ];
}

function closed(symbols: EntryPair['old']['symbols']): EntryPair['old'] {
  return { symbols, isOpen: false, isAssigned: false, typeOnly: new Set() };
}

function lostSubpaths(old: PackageFiles, next: PackageFiles, subpaths: readonly string[]): Found[] {
  return subpaths
    .filter((subpath) => !reaches(next, subpath))
    .map((subpath) => ({
      kind: 'subpath_removed',
      name: subpath,
      subpath,
      certainty: 'proven',
      was: 'resolves',
      is: null,
      text: `\`${old.name}${subpath.slice(1)}\` can no longer be imported`,
    }));
}

function lostRequire(old: PackageFiles, next: PackageFiles, subpaths: readonly string[]): Found[] {
  const subpath = ['.', ...subpaths].find(
    (one) =>
      subpaths.includes(one) && requiredFormat(old, one) === 'commonjs' && requiredFormat(next, one) !== 'commonjs',
  );
  if (subpath === undefined) return [];
  const name = old.name + subpath.slice(1);
  return [
    {
      kind: 'esm_only',
      name,
      subpath,
      certainty: 'proven',
      was: 'require and import',
      is: 'import only',
      text: `\`${name}\` can only be imported, \`require\` no longer loads it as CommonJS`,
    },
  ];
}

// Declarations that assign the whole module are compared with those that do, too, where `require` still finds some: its users go
// on with these.
function sameKind(was: string | undefined, is: string, after: Installation, subpath: string): string {
  if (!assignsModule(was) || assignsModule(after.text(is))) return is;
  const required = after.requiredDeclarations(subpath);
  return required !== null && assignsModule(after.text(required)) ? required : is;
}

function assignsModule(text = ''): boolean {
  return /(?<![\w$.])export\s*=/.test(text.replace(/\/\*[\s\S]*?\*\//g, ''));
}

// A module that is imported for what it does has declarations without names.
function declaresNames(text = ''): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  return /\bexport\b(?!\s*\{\s*\})|\bdeclare\b/.test(code);
}

function lostTypes({ name }: PackageFiles, subpath: string, isThere: boolean): Found {
  const specifier = name + subpath.slice(1);
  return {
    kind: 'type_changed',
    name: subpath,
    subpath,
    certainty: 'likely',
    was: 'declarations',
    is: isThere ? 'declarations that `exports` does not lead to' : null,
    text: isThere ? `the types of \`${specifier}\` can no longer be reached` : `\`${specifier}\` has no types any more`,
  };
}

// Declarations that are the same to the letter need no comparison.
function isSame(old: PackageFiles, next: PackageFiles): boolean {
  const [before, after] = [declarations(old), declarations(next)];
  return before.size === after.size && [...before].every(([path, text]) => after.get(path) === text);
}

function isSameBeside(beside: { old: Beside; new: Beside }): boolean {
  const named = ({ dependencies, types }: Beside) =>
    [...dependencies, ...(types ? [types] : [])]
      .map(({ name, version }) => `${name}@${version}`)
      .sort()
      .join(' ');
  return named(beside.old) === named(beside.new);
}

function declarations({ texts }: PackageFiles): Map<string, string> {
  return new Map([...texts].filter(([path]) => /\.[cm]?tsx?$/.test(path)));
}

function withoutRepeats(found: readonly Found[]): Found[] {
  const kept = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.kind}\0${one.subpath}\0${one.name}`;
    if (!kept.has(key)) kept.set(key, one);
  }
  return [...kept.values()];
}
