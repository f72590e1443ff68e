// Hints for a caller when there is nothing to show, or when versions of a range may be missing.
import type { LookupMethod } from './asked.ts';

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
    return 'No tracked source has this slug. For a package give ecosystem=npm or ecosystem=pypi, for a repository ecosystem=github with package=owner/repo.';
  }
  if (method.by === 'nothing' && method.reason === 'not_tracked')
    return 'A repository is named owner/repo or github:owner/repo.';
  return method.by === 'slug' || method.coordinate === null
    ? 'A name with a slash needs an ecosystem: npm, pypi or github.'
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

// What decides how a caller can have the source polled.
interface FollowState {
  tracked: boolean;
  coordinate: string | null;
  id: string;
}

interface HintedHistory extends FollowState {
  ends: boolean;
  begins: boolean;
  missing: { from: boolean; to: boolean };
  lowest: string | null;
  highest: string | null;
  from: string;
  // Null when the caller asked for the newest version.
  to: string | null;
  // The version that is taken for the upper bound.
  toVersion: string | null;
  checkedAt: string | null;
  failingSince: string | null;
  // What a package registry lists of the range; null when no listing is known.
  published: number | null;
  withoutNotes: readonly string[];
  withoutNotesCount: number;
}

// The hint for versions of a range that may be missing, with how to have the source polled.
export function historyHint(facts: HintedHistory): string {
  const ends = facts.published === null ? ending : beyondListing;
  const sentences = [
    facts.ends ? ends(facts) : null,
    facts.begins && facts.published === null ? beginning(facts) : null,
    missingBounds(facts),
    unnotedVersions(facts),
    ...check(facts),
  ];
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

const MAX_NAMED = 12;

// The published versions of a range that have no notes, by name.
function unnotedVersions({ published, withoutNotes, withoutNotesCount }: HintedHistory): string | null {
  if (published === null || withoutNotesCount === 0) return null;
  const named = withoutNotes.slice(0, MAX_NAMED).join(', ');
  const more = withoutNotesCount > MAX_NAMED ? ` and ${withoutNotesCount - MAX_NAMED} more` : '';
  const have = withoutNotesCount === 1 ? 'has' : 'have';
  return `${withoutNotesCount} of ${published} published versions of this range ${have} no notes here, so what changed there is not known: ${named}${more}.`;
}

// With a listing, only a version that nobody has published is not accounted for.
function beyondListing({ highest, to, withoutNotesCount }: HintedHistory): string | null {
  if (withoutNotesCount > 0) return highest === null ? null : `Stored versions end at ${highest}.`;
  return `${to ?? 'The version asked for'} is neither published nor stored${highest === null ? '' : `; stored versions end at ${highest}`}.`;
}

function ending({ highest, to }: HintedHistory): string {
  const known = highest === null ? 'No version of this package is stored' : `Stored versions end at ${highest}`;
  return to === null ? `${known}, and newer ones may exist.` : `${known}; what came after it up to ${to} is not known.`;
}

function beginning({ lowest, from }: HintedHistory): string {
  return `Stored versions begin at ${lowest}; what came between ${from} and it is not known.`;
}

function missingBounds({ missing, from, toVersion, ends, begins, lowest, highest }: HintedHistory): string | null {
  const [one, other] = [missing.from ? from : [], missing.to ? (toVersion ?? []) : []].flat();
  if (one === undefined) return null;
  const named = other === undefined ? `Version ${one} is` : `Versions ${one} and ${other} are`;
  const gap = `${named} not stored, so what changed there is not known, and other versions of the range may be missing too.`;
  return ends || begins ? gap : `${gap} Stored versions reach from ${lowest} to ${highest}.`;
}

function check({ checkedAt, failingSince, ...followed }: HintedHistory): (string | null)[] {
  const last =
    checkedAt === null
      ? 'The source was never checked for newer releases.'
      : `The source was last checked at ${checkedAt}.`;
  if (failingSince !== null) return [last, `Its fetches have failed since ${failingSince}.`, ...followHints(followed)];
  return [last, ...(followed.tracked ? ['It is checked regularly, so ask again later.'] : followHints(followed))];
}

// Hints on how to have a source polled; none for a source that is polled anyway.
function followHints({ tracked, coordinate, id }: FollowState): string[] {
  if (tracked) return [];
  const lookup = coordinate === null ? [] : [`POST /v1/lookups for ${coordinate} reads it now.`];
  const resume = `To have it followed, an operator resumes it (PATCH /v1/sources/${id} with fetchPriority normal and isHidden false) or imports it with --track.`;
  return [...lookup, resume];
}
