// What a lookup is asked for.
import { badRequest } from '../../contract/errors.ts';
import { hasControlCharacter } from '../../domain/clean-text.ts';
import {
  ECOSYSTEMS,
  isEcosystem,
  isPossibleName,
  normalizePackageName,
  type PackageName,
} from '../../domain/ecosystems/index.ts';
import { githubCoordinate } from '../../domain/urls.ts';

// A package as it was asked for: its name in the package map, and as its registry spells it.
export interface AskedPackage extends PackageName {
  spelling: string;
}

export interface LookupRequest {
  provider?: unknown;
  coordinate?: unknown;
  ecosystem?: unknown;
  package?: unknown;
}

const COORDINATE = /^(?:github:)?[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/i;

export function readRequest(request: LookupRequest): { coordinate: string } | { asked: AskedPackage } {
  if (request.ecosystem !== undefined || request.package !== undefined) return { asked: askedPackage(request) };
  if (request.provider !== 'github') throw badRequest('provider', 'must be github');
  const text = typeof request.coordinate === 'string' ? request.coordinate : '';
  const coordinate = COORDINATE.test(text) ? githubCoordinate(text) : null;
  if (coordinate === null) throw badRequest('coordinate', 'must be owner/repo or github:owner/repo');
  return { coordinate };
}

function askedPackage({ provider, coordinate, ecosystem, package: name }: LookupRequest): AskedPackage {
  if (provider !== undefined || coordinate !== undefined) {
    throw badRequest('package', 'must not be given together with a repository');
  }
  if (!isEcosystem(ecosystem)) throw badRequest('ecosystem', `must be one of ${ECOSYSTEMS.join(', ')}`);
  const spelling = typeof name === 'string' ? name.trim() : '';
  if (hasControlCharacter(spelling) || !isPossibleName(ecosystem, spelling)) {
    throw badRequest('package', `must be the name of a package of ${ecosystem}`);
  }
  return { ecosystem, name: normalizePackageName(ecosystem, spelling), spelling };
}
