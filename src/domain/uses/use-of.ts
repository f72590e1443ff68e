// What a project does with a changed name of a package.
import type { Finding } from '../evidence/finding.ts';
import { ambientPlaces, isTyped, isTypesPackage, takenIn } from './ambient.ts';
import { floorUse, type Surroundings } from './floors.ts';
import { moduleKindUse } from './module-kind.ts';
import { namedParts } from './names-in-notes.ts';
import { meantNames, type PackageUses, type ProjectUses } from './project.ts';
import { moduleOf } from './python.ts';
import { type Match, matchOf, mayReach, placeOf, type Wanted } from './touch-match.ts';
import { makeUse, type Place, type Use } from './use.ts';
import { concernsForm, type UseForm } from './use-forms.ts';

// What a checker saw of a name: every place where it is meant. Not complete: somewhere the type of a value is not known.
export interface CheckedName {
  places: readonly CheckedPlace[];
  isComplete: boolean;
}

export interface CheckedPlace extends Place {
  form: UseForm | null;
}

interface Known extends Surroundings {
  // By `nameKey`.
  checked?: ReadonlyMap<string, CheckedName>;
}

export function nameKey(
  packageName: string,
  { kind, subpath, name }: Pick<Finding, 'kind' | 'subpath' | 'name'>,
): string {
  return `${packageName} ${kind} ${subpath} ${name}`;
}

// The word that stands where a name is used.
export function wordOf(asked: Finding | string, packageName: string): string {
  const parts = typeof asked === 'string' ? namedParts(asked, packageName) : partsOfName(asked.name);
  return parts?.at(-1) ?? '';
}

export function partsOfName(name: string): string[] {
  return name.split('#')[0]?.split('.') ?? [];
}

export function useOf(uses: ProjectUses, packageName: string, asked: Finding | string, known: Known = {}): Use {
  const all = packageUses(uses, packageName);
  const own = { ...all, touches: all.touches.filter(({ isGenerated }) => !isGenerated) };
  const use = useAmong(uses, own, { packageName, asked, known });
  if (own.touches.length === all.touches.length || !isSpared(use)) return use;
  const withGenerated = useAmong(uses, all, { packageName, asked, known });
  const [generated] = withGenerated.places;
  return isSpared(withGenerated) || !generated ? use : { ...makeUse('unclear'), generated };
}

function isSpared({ use }: Use): boolean {
  return use === 'not_used' || use === 'not_imported' || use === 'met';
}

interface Question {
  packageName: string;
  asked: Finding | string;
  known: Known;
}

function useAmong(uses: ProjectUses, of: PackageUses, { packageName, asked, known }: Question): Use {
  if (typeof asked === 'string') {
    const parts = namedParts(asked, packageName);
    return parts === null
      ? makeUse('unclear')
      : nameUse(uses, of, { parts, subpath: null, packageName, isMember: true }).use;
  }
  switch (asked.kind) {
    case 'engines_raised':
    case 'peer_raised':
    case 'peer_added':
    case 'bin_removed':
      return floorUse(uses, asked, known);
    case 'esm_only':
      return notImported(uses, of, packageName) ?? moduleKindUse(uses, of, known.runtime);
    case 'subpath_removed':
      // The compiler fails where it is told to take in a package of types that has none.
      if (asked.name === '.' && isTypesPackage(packageName)) {
        const places = takenIn(uses, packageName);
        if (places.length > 0) return { ...makeUse('used', places), has: `TS2688 by ${places[0]?.file}` };
      }
      return subpathUse(uses, of, asked.name, packageName);
    default: {
      const parts = partsOfName(asked.name);
      const isAmbient = isTypesPackage(packageName) && (packageName === '@types/node' || of.touches.length === 0);
      if (isAmbient) {
        const places = ambientPlaces(uses, parts);
        return makeUse(places.length > 0 ? 'used' : uses.leftOut > 0 ? 'unclear' : 'not_used', places);
      }
      const said = nameUse(uses, of, {
        parts,
        subpath: asked.subpath,
        packageName,
        isMember: parts.length > 1,
        isType: asked.kind === 'export_removed' && (asked.was === 'interface' || asked.was === 'type'),
        isOnlyNamed: asked.kind === 'export_removed',
        concerns: (form) => concernsForm(asked, form),
        isInDefault: asked.is === `default.${asked.name}`,
        kept: asked.kind === 'default_export_changed' && asked.is !== null ? new Set(asked.is.split(', ')) : null,
      });
      const checked = known.checked?.get(nameKey(packageName, asked));
      return checked ? withChecked(said, checked, asked) : said.use;
    }
  }
}

// The same for a package of Python, by a name that its notes have in code marks. Which module a package is imported by is only
// guessed, so that nothing is known of one that is not imported by that name.
export function pythonUseOf(uses: ProjectUses, packageName: string, name: string): Use {
  const [first = '', ...inner] = moduleOf(packageName).split('.');
  const touches = (uses.modules.get(first)?.touches ?? []).flatMap((touch) => {
    const isInside = inner.every((part, index) => touch.path[index] === part);
    return isInside ? [{ ...touch, path: touch.path.slice(inner.length), lines: touch.lines.slice(inner.length) }] : [];
  });
  const parts = namedParts(name, packageName);
  if (parts === null || touches.length === 0) return makeUse('unclear');
  const plain = parts.length > 1 && parts[0] === first ? parts.slice(1) : parts;
  const wanted = { parts: plain, subpath: null, packageName: first, isMember: true };
  return nameUse(uses, { touches, unclear: [] }, wanted).use;
}

// What syntax says of a name, and whether types may know better.
interface Said {
  use: Use;
  isGuess: boolean;
  // Calls that go on as before.
  spared?: readonly Place[];
}

// A checker sees what syntax cannot: members of values, and the same name reached another way.
function withChecked({ use, isGuess, spared = [] }: Said, checked: CheckedName, asked: Finding): Use {
  const concerned = checked.places.filter(({ form }) => form === null || concernsForm(asked, form));
  const [places, { isComplete }] = [without(concerned, spared), checked];
  if (places.length > 0) return use.use === 'unclear' || use.use === 'not_used' ? makeUse('used', places) : use;
  return isGuess && isComplete ? makeUse('not_used') : use;
}

function packageUses(uses: ProjectUses, packageName: string): PackageUses {
  const all = meantNames(packageName).flatMap((name) => uses.packages.get(name) ?? []);
  return { touches: all.flatMap(({ touches }) => touches), unclear: all.flatMap(({ unclear }) => unclear) };
}

// The answer while nothing imports the package; null when something does.
function notImported(uses: ProjectUses, { touches, unclear }: PackageUses, name: string): Use | null {
  if (touches.length > 0) return null;
  if (unclear.length > 0) return makeUse('unclear', unclear);
  if (uses.leftOut > 0) return makeUse('unclear');
  // A load by a name that is put together may mean any package that is named somewhere.
  return uses.dynamic.length > 0 && uses.isNamed(name) ? makeUse('unclear', uses.dynamic) : makeUse('not_imported');
}

function nameUse(uses: ProjectUses, of: PackageUses, wanted: Wanted): Said {
  const none = notImported(uses, of, wanted.packageName);
  if (none) return { use: none, isGuess: false };
  const mayMean = ({ file }: Place) => wanted.isType !== true || isTyped(file) || isDocumented(uses, file, wanted);
  const here = of.touches.filter(
    (touch) => (wanted.subpath === null || isSamePath(touch.subpath, wanted.subpath)) && mayMean(touch),
  );
  const matches = here.flatMap((touch) => matchOf(touch, wanted) ?? []);
  const sure = matches.filter(({ isSure }) => isSure);
  const read = sure.filter(({ touch }) => touch.kind !== 'import');
  const sparedHere = sparedAmong(read, matches, wanted);
  const spared = sparedHere.map(placeOf);
  const said = (use: Use, isGuess = false): Said => ({ use, isGuess, spared });

  const concerned = read.filter((match) => !sparedHere.includes(match));
  if (concerned.length > 0) return said(makeUse('used', concerned.map(placeOf)));
  if (sure.length > 0 && spared.length === 0) return said(makeUse('imported_not_used', sure.map(placeOf)));
  const perhaps = matches.filter((match) => !match.isSure && !sparedHere.includes(match)).map(placeOf);
  const open = here.filter((touch) => mayReach(touch, wanted));
  const away = [...open.map(({ file, line }) => ({ file, line })), ...of.unclear.filter(mayMean)];
  if (away.length > 0 || uses.leftOut > 0) return said(makeUse('unclear', [...perhaps, ...away]));
  if (perhaps.length > 0) return said(makeUse('unclear', perhaps), true);
  const words = wanted.isMember ? without(uses.placesOfWord(wanted.parts.at(-1) ?? ''), spared).filter(mayMean) : [];
  return words.length > 0 ? said(makeUse('unclear', words), true) : said(makeUse('not_used'));
}

// A comment may name the types of plain JavaScript: `@param {import('x').Options} options`.
function isDocumented({ sources }: ProjectUses, file: string, { parts }: Wanted): boolean {
  const text = sources.find(({ path }) => path === file)?.text ?? '';
  return (
    text.includes(parts.at(-1) ?? '') &&
    /@(?:type|typedef|param|returns?|import|template|satisfies|property)\b/.test(text)
  );
}

function without(places: readonly Place[], others: readonly Place[]): Place[] {
  return places.filter(({ file, line }) => !others.some((one) => one.file === file && one.line === line));
}

// The uses that go on as before; and the places that only hand the name on to such a call in their file.
function sparedAmong(
  read: readonly Match[],
  all: readonly Match[],
  { parts, concerns = () => true, isInDefault = false }: Wanted,
): Match[] {
  const isSpared = ({ touch: { path }, form }: Match) =>
    (form !== null && !concerns(form)) || (isInDefault && path[0] === 'default' && path[1] === parts[0]);
  const spared = all.filter(isSpared);
  const calls = spared.filter(({ form }) => form?.how === 'called' || form?.how === 'made');
  if (calls.length === 0 || read.some((match) => match.form !== null && !isSpared(match))) return spared;
  const isAlias = ({ touch: { file, kind, isOpen }, form }: Match) =>
    form === null && kind === 'value' && !isOpen && calls.some(({ touch }) => touch.file === file);
  return [...spared, ...read.filter((match) => !spared.includes(match) && isAlias(match))];
}

function subpathUse(uses: ProjectUses, of: PackageUses, subpath: string, packageName: string): Use {
  const none = notImported(uses, of, packageName);
  if (none) return none;
  const found = of.touches.filter((touch) => isSamePath(touch.subpath, subpath));
  if (found.length > 0) return makeUse('used', found);
  return of.unclear.length > 0 || uses.leftOut > 0 ? makeUse('unclear', of.unclear) : makeUse('not_used');
}

// `./lib/x`, `./lib/x.js` and `./lib/x/index.js` are one file; `*` stands for anything.
function isSamePath(subpath: string, wanted: string): boolean {
  if (subpath === wanted || (wanted === '' && subpath === '.')) return true;
  if (wanted.includes('*')) {
    const [before = '', after = ''] = wanted.split('*');
    return subpath.startsWith(before) && subpath.endsWith(after) && subpath.length >= before.length + after.length;
  }
  const plain = (path: string) => path.replace(/(?:\/index)?(?:\.d)?(?:\.[cm]?[jt]sx?)?$/, '');
  return subpath !== '.' && wanted !== '.' && plain(subpath) === plain(wanted);
}
