// What depends on the ecosystem of a package is asked here. A name that is in no table is refused: it never counts as one of
// the known ecosystems.
import type { EcosystemFacts } from './facts.ts';
import { ECOSYSTEM_TABLE } from './table.ts';

type Table = typeof ECOSYSTEM_TABLE;

export type Ecosystem = keyof Table;
export type LockfileFormat = Table[Ecosystem]['lockfiles'][number];
export type ManifestName = Table[Ecosystem]['manifests'][number];

export interface PackageName {
  ecosystem: Ecosystem;
  name: string;
}

const TABLE: Readonly<Record<Ecosystem, EcosystemFacts>> = ECOSYSTEM_TABLE;

type AtLeastOne<T> = readonly [T, ...T[]];

export const ECOSYSTEMS = Object.keys(ECOSYSTEM_TABLE) as unknown as AtLeastOne<Ecosystem>;

// Where a package may also be asked for by the coordinate of its repository.
const CODE_HOSTS = { github: 'GitHub' } as const;

type CodeHost = keyof typeof CODE_HOSTS;
export type UpgradeEcosystem = Ecosystem | CodeHost;

export const UPGRADE_ECOSYSTEMS = [...ECOSYSTEMS, ...(Object.keys(CODE_HOSTS) as CodeHost[])] as const;

export const ECOSYSTEM_WORDS = {
  ...(Object.fromEntries(ECOSYSTEMS.map((one) => [one, TABLE[one].words])) as Record<Ecosystem, string>),
  ...CODE_HOSTS,
} as const;

export function factsOfEcosystem(ecosystem: Ecosystem): EcosystemFacts {
  return TABLE[ecosystem];
}

export function isComparedEcosystem(ecosystem: UpgradeEcosystem): ecosystem is Ecosystem {
  return COMPARED_ECOSYSTEMS.some((one) => one === ecosystem);
}

export function isEcosystem(text: unknown): text is Ecosystem {
  return ECOSYSTEMS.some((one) => one === text);
}

// The scopes of private registries are those of this one.
export const SCOPED_ECOSYSTEM = onlyWith('hasScopes');
// Of their packages two published versions are compared.
export const COMPARED_ECOSYSTEMS: readonly Ecosystem[] = ECOSYSTEMS.filter((one) => TABLE[one].isCompared);
// Its installed packages are imported.
export const IMPORTED_ECOSYSTEM = onlyWith('isImported');

// Scopes and imported packages are stored without an ecosystem, so that only one can have them.
function onlyWith(fact: 'hasScopes' | 'isImported'): Ecosystem {
  const [one, ...others] = ECOSYSTEMS.filter((ecosystem) => TABLE[ecosystem][fact]);
  if (one === undefined || others.length > 0) throw new Error(`one ecosystem must have ${fact}`);
  return one;
}

const MAX_NAME_LENGTH = 214;

// The spelling under which a package registry itself would find the package.
export function normalizePackageName(ecosystem: Ecosystem, name: string): string {
  return TABLE[ecosystem].foldName(name.trim().toLowerCase());
}

// The most lenient spelling: that of all ecosystems together.
export function looseName(name: string): string {
  return ECOSYSTEMS.reduce((text, ecosystem) => normalizePackageName(ecosystem, text), name);
}

// Whether a registry could have a package of this name.
export function isPossibleName(ecosystem: Ecosystem, name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && TABLE[ecosystem].possibleName.test(name);
}

// The name as the package map stores it; null when no registry would accept it.
export function publishedName(ecosystem: Ecosystem, text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_NAME_LENGTH) return null;
  const name = normalizePackageName(ecosystem, text);
  return TABLE[ecosystem].publishedName.test(name) ? name : null;
}

// The scope of a name: `@acme` of `@acme/forms`.
export function scopeOf({ ecosystem, name }: PackageName): string | null {
  const end = name.indexOf('/');
  return TABLE[ecosystem].hasScopes && name.startsWith('@') && end > 1 ? name.slice(0, end) : null;
}

export function packageKey({ ecosystem, name }: PackageName): string {
  return `${ecosystem}:${name}`;
}

// Null for a text that no key of a package is.
export function packageOfKey(key: string): PackageName | null {
  const at = key.indexOf(':');
  const ecosystem = key.slice(0, at);
  const name = key.slice(at + 1).trim();
  if (!isEcosystem(ecosystem) || name === '' || name.length > MAX_NAME_LENGTH) return null;
  return { ecosystem, name: normalizePackageName(ecosystem, name) };
}

// A name with the ecosystem in front of it, as people write it: `PyPI:lamp@1.2.0`. Null where none stands there.
export function withEcosystem(text: string): { ecosystem: Ecosystem; rest: string } | null {
  const [, prefix = '', rest = ''] = /^([^:]+):(.+)$/.exec(text) ?? [];
  const ecosystem = prefix.toLowerCase();
  return isEcosystem(ecosystem) ? { ecosystem, rest } : null;
}

// The ecosystem that files of this format, or manifests of this name, belong to.
export function ecosystemOfFile(kind: 'lockfiles' | 'manifests', name: string): Ecosystem | null {
  return ECOSYSTEMS.find((ecosystem) => TABLE[ecosystem][kind].includes(name)) ?? null;
}

export function ecosystemOfDatasource(datasource: string): Ecosystem | null {
  return ECOSYSTEMS.find((ecosystem) => TABLE[ecosystem].datasource === datasource) ?? null;
}

export function ecosystemOfAdvisories(name: unknown): Ecosystem | null {
  return ECOSYSTEMS.find((ecosystem) => TABLE[ecosystem].advisories === name) ?? null;
}

// Hosts whose packages are everybody's.
export const PUBLIC_PACKAGE_HOSTS: ReadonlySet<string> = new Set(ECOSYSTEMS.flatMap((one) => TABLE[one].publicHosts));
