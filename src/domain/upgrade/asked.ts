// How the source of a requested package is looked up.
import { isId } from '../ids.ts';
import { type Ecosystem, normalizePackageName } from '../package-names.ts';
import { githubCoordinate } from '../urls.ts';

export type UpgradeEcosystem = Ecosystem | 'github';

export interface PackageRequest {
  package: string;
  ecosystem?: UpgradeEcosystem;
}

export type LookupMethod =
  | { by: 'id'; id: string }
  | { by: 'package_map'; ecosystem: Ecosystem; name: string }
  | { by: 'coordinate'; coordinate: string }
  | { by: 'slug'; slug: string }
  // A name with a slash could be a repository or a package of any registry. `coordinate` is the repository, if it is one.
  | { by: 'nothing'; reason: 'ecosystem_required'; coordinate: string | null }
  | { by: 'nothing'; reason: 'not_tracked' };

const COORDINATE = /^[^/:@\s]+\/[^/:@\s]+$/;
const WITH_HOST = /^github:/i;

export function lookupMethod({ package: name, ecosystem }: PackageRequest): LookupMethod {
  if (isId(name, 'src')) return { by: 'id', id: name };
  if (ecosystem === 'npm' || ecosystem === 'pypi') {
    return { by: 'package_map', ecosystem, name: normalizePackageName(ecosystem, name) };
  }
  const hasHost = WITH_HOST.test(name);
  const coordinate = coordinateOf(name);
  if (!hasHost && !name.includes('/')) return { by: 'slug', slug: name };
  if (!hasHost && ecosystem === undefined) return { by: 'nothing', reason: 'ecosystem_required', coordinate };
  return coordinate === null ? { by: 'nothing', reason: 'not_tracked' } : { by: 'coordinate', coordinate };
}

function coordinateOf(name: string): string | null {
  const text = name.replace(WITH_HOST, '');
  return COORDINATE.test(text) ? githubCoordinate(text) : null;
}

// The names that a package part may have, with and without scope; none when a repository or an id was given instead of a
// name.
export function namesOf({ package: name }: PackageRequest, method: LookupMethod): string[] {
  if (method.by !== 'package_map' && method.by !== 'slug') return [];
  return [...new Set([name, lastSegment(name)])];
}

export function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
