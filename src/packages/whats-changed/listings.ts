// What package registries list of the packages that are asked for, which version `latest` or a version range therefore means,
// and what is published where nothing is stored. All questions of a call share the reads.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { UpgradeHistory } from '../../contract/whats-changed.ts';
import { packageKey } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import { isBelow, keyRange, readBound } from '../../domain/upgrade/bounds.ts';
import {
  highestPublished,
  isListingCurrent,
  isPublishedPrerelease,
  latestPublished,
  publishedRange,
} from '../../domain/upgrade/published.ts';
import {
  choosePart,
  lastSegment,
  type PackageName,
  type PartsOfSource,
} from '../../domain/upgrade/requested-package.ts';
import { isLatest, readAskedRange, type VersionRange } from '../../domain/upgrade/version-range.ts';
import { packageViewer, seenPackages } from '../../entities/packages/viewer.ts';
import { listedShape } from './history.ts';
import type { PackageQuestion, Question, UpperBound } from './questions.ts';
import {
  fallingVersions,
  highestInRanges,
  latestVersions,
  type PublishedRequest,
  publishedVersions,
} from './versions.ts';

// A listing of the last fourteen days.
export interface Listing extends PackageName {
  // The version that the registry calls the latest.
  tag: string | null;
  // The key of the highest version that was ever listed.
  highest: string | null;
}

// The name under which a question knows its package; null when it asks for a source.
export function namedPackage({ method, target }: Question): PackageName | null {
  if (method.by === 'package_map') return { ecosystem: method.ecosystem, name: method.name };
  return target.source === null ? null : target.named;
}

// The listings of packages by name, without those that are too old or that the caller may not see.
async function readListings(ctx: Context, names: readonly PackageName[]): Promise<Map<string, Listing>> {
  const seen = await visiblePackages(ctx, names);
  if (seen.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('package_states as p')
    .select(['p.id', 'p.ecosystem', 'p.name', 'p.latest as tag', 'p.listed_at'])
    .select(
      sql<string | null>`(SELECT MAX(v.version_sort) FROM package_versions v
        WHERE v.ecosystem = p.ecosystem AND v.name = p.name)`.as('highest'),
    )
    .where('p.id', 'in', [...new Set(seen.map(packageKey))])
    .execute();
  const current = rows.filter(({ listed_at }) => isListingCurrent(listed_at, ctx.clock()));
  return new Map(current.map(({ id, listed_at: _, ...listing }) => [id, listing]));
}

// Only names with a scope can belong to a private registry, so most questions need not know who is asking.
export async function visiblePackages<T extends PackageName>(ctx: Context, names: readonly T[]): Promise<T[]> {
  if (names.every(({ name }) => !name.startsWith('@'))) return [...names];
  return seenPackages(ctx, await packageViewer(ctx), names);
}

interface MappedPackage extends PackageName {
  source_id: string;
  package_part: string | null;
}

// The package of each question. A question that names a source means the one package that the source publishes under the
// part that was chosen.
export async function packagesOf(ctx: Context, questions: readonly PackageQuestion[]): Promise<(PackageName | null)[]> {
  const unnamed = questions.filter((question) => namedPackage(question) === null && question.of.source.hasPackages);
  const bySource = await packagesOfSources(ctx, [...new Set(unnamed.map(({ of }) => of.source.id))]);
  return questions.map((question) => {
    const { source, part } = question.of;
    return namedPackage(question) ?? onlyPackage(bySource.get(source.id) ?? [], question.parts, part);
  });
}

// The listings of these packages, in their order.
export async function listingsOf(ctx: Context, names: readonly (PackageName | null)[]): Promise<(Listing | null)[]> {
  const listings = await readListings(
    ctx,
    names.flatMap((name) => name ?? []),
  );
  return names.map((name) => (name && listings.get(packageKey(name))) ?? null);
}

async function packagesOfSources(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, MappedPackage[]>> {
  if (sourceIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select(['ecosystem', 'name', 'source_id', 'package_part'])
    .where('source_id', 'in', sourceIds)
    .execute();
  return Map.groupBy(rows, ({ source_id }) => source_id);
}

function onlyPackage(
  packages: readonly MappedPackage[],
  parts: PartsOfSource,
  part: string | null,
): PackageName | null {
  const [only, ...others] = packages.filter(({ name, package_part: mapped }) => {
    const choice = choosePart(parts, { mapped, names: [name, lastSegment(name)], inBounds: [], coordinate: null });
    return 'part' in choice && choice.part === part;
  });
  return only && others.length === 0 ? { ecosystem: only.ecosystem, name: only.name } : null;
}

// The upper bounds: `latest` and version ranges are looked up in the listing, or else among the stored versions; a version
// is used as it is.
export async function upperBounds(
  ctx: Context,
  packages: readonly PackageQuestion[],
  listings: readonly (Listing | null)[],
): Promise<UpperBound[]> {
  const bounds = packages.map((question, slot) => {
    const { to } = question.requested;
    const range = readAskedRange(to)?.range ?? null;
    const by = isLatest(to) ? 'latest' : range ? 'range' : 'version';
    return { question, range, by, listing: elementAt(listings, slot) } as const;
  });
  const listed = bounds.flatMap((bound) =>
    bound.by !== 'version' && bound.listing ? [{ bound, ...bound, listing: bound.listing }] : [],
  );
  const published = await upperPublished(ctx, listed);
  const byListing = new Map(listed.map(({ bound }, slot) => [bound, elementAt(published, slot)]));
  const open = bounds.filter((bound) => !byListing.get(bound));
  const wantLatest = open.filter(({ by }) => by === 'latest');
  const latest = await latestVersions(
    ctx,
    wantLatest.map(({ question }) => question.of),
  );
  const ranged = open.flatMap((bound) => (bound.range ? [{ bound, range: bound.range, ...bound.question.of }] : []));
  const highest = await highestInRanges(ctx, ranged);
  const stored = new Map([
    ...wantLatest.map((bound, slot) => [bound, latest[slot] ?? null] as const),
    ...ranged.map(({ bound }, slot) => [bound, highest[slot] ?? null] as const),
  ]);
  return bounds.map((bound): UpperBound => {
    const { by, range, question } = bound;
    const text = byListing.get(bound) ?? stored.get(bound) ?? null;
    if (by === 'latest') return { by, text };
    return by === 'range' && range
      ? { by, text: text ?? range.lowest, range }
      : { by: 'version', text: question.requested.to };
  });
}

interface UpperRequest {
  listing: Listing;
  // Null for `latest`.
  range: VersionRange | null;
}

// The upper bounds by what is listed; null where a listing does not tell.
async function upperPublished(ctx: Context, asked: readonly UpperRequest[]): Promise<(string | null)[]> {
  const says = ({ ecosystem, tag }: Listing) => latestPublished(ecosystem, { tag, falling: [] }) !== null;
  const open = asked.filter(({ listing, range }) => range !== null || !says(listing));
  const falling = await fallingVersions(ctx, open);
  return asked.map((one) => {
    const { listing, range } = one;
    const versions = falling[open.indexOf(one)] ?? [];
    if (range !== null) return highestPublished(range, versions);
    return latestPublished(listing.ecosystem, { tag: listing.tag, falling: versions });
  });
}

// What is published in a range of which nothing is stored: the package is known by its registry alone.

export interface UnmappedHistory {
  history: UpgradeHistory;
  toVersion: string | null;
}

// By the index of the question, for those whose package has a current listing.
export async function unmappedHistories(
  ctx: Context,
  questions: readonly Question[],
): Promise<Map<number, UnmappedHistory | ApiError>> {
  const names = questions.flatMap((question) => namedPackage(question) ?? []);
  if (names.length === 0) return new Map();
  const listings = await readListings(ctx, names);
  const listed = questions.flatMap((question) => {
    const named = namedPackage(question);
    const listing = named && listings.get(packageKey(named));
    return listing ? [{ question, listing, range: readAskedRange(question.requested.to)?.range ?? null }] : [];
  });
  const uppers = await upperPublished(
    ctx,
    listed.filter(({ question, range }) => range !== null || isLatest(question.requested.to)),
  );
  const texts = uppers.values();
  const ranges = listed.map(({ question, listing, range }) => {
    const { from, to } = question.requested;
    const upper = range !== null || isLatest(to) ? (texts.next().value ?? null) : to;
    const lower = readAskedRange(from)?.range?.lowest ?? from;
    return { question, toVersion: upper && readBound(upper).version, upper, request: requestOf(listing, lower, upper) };
  });
  const open = ranges.flatMap(({ request }) => request ?? []);
  const found = await publishedVersions(ctx, open);
  return new Map(
    ranges.map(({ question, toVersion, upper, request }): [number, UnmappedHistory | ApiError] => {
      const versions = request === null ? [] : elementAt(found, open.indexOf(request));
      if (versions instanceof ApiError) return [question.index, versions];
      const includes = question.requested.includePrereleases === true || isPublishedPrerelease(upper ?? '');
      return [
        question.index,
        { toVersion, history: { ...UNSTORED, ...listedShape(publishedRange(versions, includes)) } },
      ];
    }),
  );
}

const UNSTORED = { lowest: null, highest: null, checkedAt: null, tracked: false, complete: false };

// Null for a range that is empty or cannot be put in order.
function requestOf(listing: Listing, from: string, to: string | null): PublishedRequest | null {
  const [lower, upper] = [readBound(from), readBound(to ?? '')];
  if (lower.key === null || upper.key === null || !isBelow(lower.key, upper.key)) return null;
  const window = keyRange({ ...lower, key: lower.key }, { ...upper, key: upper.key });
  return { listing, sourceId: '', part: null, visible: true, window: { by: 'version', ...window } };
}
