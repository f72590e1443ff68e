// What package registries list of the packages that are asked for, and what `latest` or a version range means by it. All
// questions of a call share the reads.
import { sql } from 'kysely';
import { packageViewer, seenPackages } from '../../catalog/packages/viewer.ts';
import { type Context, queries } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { lastSegment, type PackageName } from '../../domain/upgrade/asked.ts';
import { choosePart, type PartsOfSource } from '../../domain/upgrade/package-part.ts';
import { highestPublished, isListingCurrent, latestPublished } from '../../domain/upgrade/published.ts';
import type { VersionRange } from '../../domain/upgrade/version-range.ts';
import { fallingVersions } from './published-rows.ts';
import type { PackageQuestion, Question } from './questions.ts';

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
export async function readListings(ctx: Context, names: readonly PackageName[]): Promise<Map<string, Listing>> {
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

interface UpperRequest {
  listing: Listing;
  // Null for `latest`.
  range: VersionRange | null;
}

// The upper bounds by what is listed; null where a listing does not tell.
export async function upperPublished(ctx: Context, asked: readonly UpperRequest[]): Promise<(string | null)[]> {
  const open = asked.filter(({ listing, range }) => range !== null || listing.ecosystem !== 'npm' || !listing.tag);
  const falling = await fallingVersions(ctx, open);
  return asked.map((one) => {
    const { listing, range } = one;
    const versions = falling[open.indexOf(one)] ?? [];
    if (range !== null) return highestPublished(range, versions);
    return latestPublished(listing.ecosystem, { tag: listing.tag, falling: versions });
  });
}
