// How the source of a requested package is looked up.
import {
  ECOSYSTEMS,
  type Ecosystem,
  isEcosystem,
  looseName,
  normalizePackageName,
  type PackageName,
  SCOPED_ECOSYSTEM,
  type UpgradeEcosystem,
  withEcosystem,
} from '../ecosystems/index.ts';
import { isId } from '../ids.ts';
import { githubCoordinate } from '../urls.ts';

export type { PackageName, UpgradeEcosystem } from '../ecosystems/index.ts';

export interface PackageRequest {
  package: string;
  ecosystem?: UpgradeEcosystem;
}

export type LookupMethod =
  | { by: 'id'; id: string }
  | { by: 'package_map'; ecosystem: Ecosystem; name: string }
  | { by: 'coordinate'; coordinate: string }
  // A slug wins over the names of packages that are spelled like it.
  | { by: 'slug'; slug: string; names: PackageName[] }
  // `org/source` as lists print it, or else a repository that needs its ecosystem.
  | { by: 'org_source'; org: string; slug: string; coordinate: string | null }
  // A name with a slash could be a repository or a package of any registry. `coordinate` is the repository, if it is one.
  | { by: 'nothing'; reason: 'ecosystem_required'; coordinate: string | null }
  | { by: 'nothing'; reason: 'not_tracked' };

const COORDINATE = /^[^/:@\s]+\/[^/:@\s]+$/;
const ORG_SOURCE = /^(?<org>[a-z0-9][a-z0-9._-]*)\/(?<slug>[a-z0-9][a-z0-9._-]*)$/;
const SCOPED = /^@[^/\s]+\/[^/\s]+$/;
const WITH_HOST = /^github:/i;

export function lookupMethod(request: PackageRequest): LookupMethod {
  const { package: name, ecosystem } = plainRequest(request);
  if (isId(name, 'src')) return { by: 'id', id: name };
  if (isEcosystem(ecosystem)) {
    return { by: 'package_map', ecosystem, name: normalizePackageName(ecosystem, name) };
  }
  const hasHost = WITH_HOST.test(name);
  const coordinate = coordinateOf(name);
  if (!hasHost && !name.includes('/')) return { by: 'slug', slug: name, names: namesIn(ECOSYSTEMS, name) };
  if (!hasHost && ecosystem === undefined) {
    const { org, slug } = ORG_SOURCE.exec(name)?.groups ?? {};
    if (org !== undefined && slug !== undefined) return { by: 'org_source', org, slug, coordinate };
    if (SCOPED.test(name)) return { by: 'slug', slug: name, names: namesIn([SCOPED_ECOSYSTEM], name) };
    return { by: 'nothing', reason: 'ecosystem_required', coordinate };
  }
  return coordinate === null ? { by: 'nothing', reason: 'not_tracked' } : { by: 'coordinate', coordinate };
}

const WITH_VERSION = /^(?<name>@?[^@\s]+)@(?:[~^=v]?\d[^@\s/]*|latest)$/i;
const ADDRESS = /^(?:git\+)?(?:https?|ssh|git):\/\/|^git@|^(?:www\.)?github\.com\//i;

// The name as its registry has it: people write the registry before it, the version behind it, or the address of a repository.
export function plainRequest({ package: text, ecosystem }: PackageRequest): PackageRequest {
  const asked = text.trim();
  if (ADDRESS.test(asked) && (ecosystem === undefined || ecosystem === 'github')) {
    const coordinate = githubCoordinate(asked);
    return { package: coordinate === null ? asked : `github:${coordinate}`, ecosystem };
  }
  const said = withEcosystem(asked);
  const isSame = said !== null && (ecosystem === undefined || ecosystem === said.ecosystem);
  const name = isSame ? said.rest : asked;
  return { package: WITH_VERSION.exec(name)?.groups?.name ?? name, ecosystem: isSame ? said.ecosystem : ecosystem };
}

function namesIn(ecosystems: readonly Ecosystem[], name: string): PackageName[] {
  return ecosystems.map((ecosystem) => ({ ecosystem, name: normalizePackageName(ecosystem, name) }));
}

function coordinateOf(name: string): string | null {
  const text = name.replace(WITH_HOST, '');
  return COORDINATE.test(text) ? githubCoordinate(text) : null;
}

// The names that a package part may have, with and without scope; none when a repository or an id was given instead of a
// name.
export function namesOf(request: PackageRequest, method: LookupMethod): string[] {
  if (method.by === 'org_source') return [method.slug];
  if (method.by !== 'package_map' && method.by !== 'slug') return [];
  const { package: name } = plainRequest(request);
  return [...new Set([name, lastSegment(name)])];
}

export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

// Which of the packages that share a source is meant.

export interface PartsOfSource {
  // The package names in front of versions, sorted.
  parts: readonly string[];
  // Some stored versions have no package name.
  hasBare: boolean;
}

export interface PartRequest {
  // What the package map says; null when it says nothing.
  mapped: string | null;
  names: readonly string[];
  // The package names in front of the requested versions.
  inBounds: readonly string[];
  // `owner/repo` of the source.
  coordinate: string | null;
}

export type PartChoice = { part: string | null } | { choices: readonly string[] };

const MAX_CHOICES = 20;

export function choosePart({ parts, hasBare }: PartsOfSource, requested: PartRequest): PartChoice {
  if (requested.mapped !== null) return { part: namedLike(parts, [requested.mapped]) ?? requested.mapped };
  const inBounds = requested.inBounds.flatMap((name) => namedLike(parts, [name]) ?? []);
  // A caller who writes a package name into both versions means that package, whatever the source is called.
  const insisted = inBounds.length === 2 ? theOne(inBounds) : null;
  const named = insisted ?? namedLike(parts, requested.names) ?? theOne(inBounds);
  if (named !== null) return { part: named };
  if (hasBare || parts.length === 0) return { part: null };
  const repository = requested.coordinate === null ? null : namedLike(parts, [lastSegment(requested.coordinate)]);
  const part = repository ?? theOne(parts);
  return part === null ? { choices: parts.slice(0, MAX_CHOICES) } : { part };
}

function namedLike(parts: readonly string[], names: readonly string[]): string | null {
  for (const name of names) {
    const exact = parts.find((part) => part === name) ?? parts.find((part) => sameName(part, name));
    if (exact !== undefined) return exact;
  }
  return null;
}

function theOne(names: readonly string[]): string | null {
  const [first, ...others] = new Set(names);
  return first !== undefined && others.length === 0 ? first : null;
}

// Names are compared by the most lenient spelling. Two packages of one source that differ only in spelling are found by
// their exact names.
function sameName(a: string, b: string): boolean {
  return looseName(a) === looseName(b);
}

// The tag prefix of a package: its name, the last segment of it, or its folder in the repository.
export function partOfPackage(parts: readonly string[], { name, folder }: { name: string; folder: string }) {
  const folders = folder === '' ? [] : [folder, lastSegment(folder)];
  return namedLike(parts, [name, lastSegment(name), ...folders]);
}
