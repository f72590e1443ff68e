// Hints for a caller when there is nothing to show.

import { ECOSYSTEMS } from '../ecosystems/index.ts';
import { type FollowState, followHints } from './history.ts';
import type { LookupMethod } from './requested-package.ts';

interface FetchHealth {
  failingSince: string | null;
  lastOutcome: string | null;
  lastFetchedAt: string | null;
}

export function unknownHint(method: LookupMethod, name: string): string {
  if (method.by === 'package_map') {
    return `No tracked source is mapped to the ${method.ecosystem} package ${name}. Ask for the repository instead: ecosystem=github with package=owner/repo.`;
  }
  if (method.by === 'id') return 'No source has this id.';
  if (method.by === 'coordinate') {
    return `The repository ${method.coordinate} is not tracked. POST /v1/lookups reads it once and makes it answer here.`;
  }
  if (method.by === 'slug' && !method.slug.includes('/')) {
    return `No tracked source has this slug. For a package give ${ECOSYSTEMS.map((one) => `ecosystem=${one}`).join(' or ')}, for a repository ecosystem=github with package=owner/repo.`;
  }
  if (method.by === 'nothing' && method.reason === 'not_tracked')
    return 'A repository is named owner/repo or github:owner/repo.';
  return method.by === 'slug' || method.coordinate === null
    ? `A name with a slash needs an ecosystem: ${ECOSYSTEMS.join(', ')} or github.`
    : `A bare ${method.coordinate} needs ecosystem=github, or write it github:${method.coordinate}.`;
}

export function ambiguousHint(slug: string): string {
  return `Several sources have the slug ${slug}. Add org=<slug of the org>, or ask by the id of one of the candidates.`;
}

export function packageHint(choices: readonly string[]): string {
  const example = choices[0] ?? 'name';
  return `This source releases several packages. Name one of them in both versions, as in from=${example}@1.0.0, or ask for it by its package name.`;
}

export function noReleasesHint(health: FetchHealth & FollowState): string {
  if (health.failingSince !== null) return `Nothing was read of this source yet. ${failing(health)}`;
  if (health.lastFetchedAt !== null) {
    return 'This source was fetched, but has published nothing that counts as a release.';
  }
  return ['This source was not fetched yet.', ...followHints(health)].join(' ');
}

export function sameVersionHint(version: string): string {
  return `Both bounds are ${version}; from is exclusive, so nothing lies between them.`;
}

export function upToDateHint(latest: string): string {
  return `The latest version is ${latest}.`;
}

// The hint for a range without releases; `outer` holds the lowest and the highest stored version.
export function emptyRangeHint(outer: readonly string[], health: FetchHealth): string {
  const [lowest, highest = lowest] = outer;
  const stored =
    lowest === undefined
      ? 'No release of this package has a version that can be put in order.'
      : `Stored versions reach from ${lowest} to ${highest}.`;
  return health.failingSince === null ? stored : `${stored} ${failing(health)}`;
}

// The hint for a range of which only breaks are wanted, and that is not known to have one.
export function noBreaksHint({ none, unknown }: { none: number; unknown: number }): string {
  const judged = `No break is known of the ${none + unknown} releases of this range`;
  return unknown === 0 ? `${judged}.` : `${judged}; ${unknown} of them do not tell.`;
}

function failing({ failingSince, lastOutcome }: FetchHealth): string {
  const outcome = lastOutcome === null ? '' : ` (last outcome: ${lastOutcome})`;
  return `Its fetches have failed since ${failingSince}${outcome}.`;
}
