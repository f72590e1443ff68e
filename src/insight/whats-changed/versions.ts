// Stored versions of a package: the latest one, the highest of a range, and when a named one came.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { calendarBlock } from '../../domain/upgrade/bounds.ts';
import type { KeyInterval, VersionRange } from '../../domain/upgrade/version-range.ts';
import { compareVersionKeys, parseVersion, schemeOfKey, versionSort } from '../../domain/versions/index.ts';
import type { PackageSource } from './package-sources.ts';
import { asBranch, inUnions, isStoredVersion, outside, packageRows, shownListing } from './spans.ts';

export interface PackageOfSource {
  source: PackageSource;
  part: string | null;
}

// A key below all others. `> LOWEST` means "has a key" and lets the engine use the version index.
const LOWEST = '';

type PackageRows = ReturnType<typeof packageRows>;

function rowsOf(ctx: Context, { source, part }: PackageOfSource): PackageRows {
  return packageRows(ctx, { sourceId: source.id, part }).where('r.listing', '=', shownListing(source));
}

// The latest version of each package, by the same rule as that of a source; null when no release has a version.
export async function latestVersions(ctx: Context, packages: readonly PackageOfSource[]): Promise<(string | null)[]> {
  const latest = packages.map(latestOfSource);
  const open = latest.flatMap((version, slot) => (version === null ? slot : []));
  const newest = await newestKeys(ctx, packages, open);
  const rows = await inUnions(ctx, [...newest], ([index, key], slot) =>
    highestLike(ctx, elementAt(packages, index), slot, key),
  );
  for (const { slot, version } of rows) latest[elementAt([...newest.keys()], slot)] = version;
  return latest;
}

function latestOfSource({ source: { latestVersion }, part }: PackageOfSource): string | null {
  const parsed = latestVersion === null ? null : parseVersion(latestVersion);
  return parsed?.packagePart === part ? latestVersion : null;
}

interface Newest {
  version_sort: string;
  prerelease: number;
}

// The key of the newest stable release, which decides the scheme; when there is none, that of the newest release.
async function newestKeys(ctx: Context, packages: readonly PackageOfSource[], wanted: readonly number[]) {
  const newest = new Map<number, Newest>();
  for (const prerelease of [0, 1]) {
    const open = wanted.filter((index) => !newest.has(index));
    const rows = await inUnions(ctx, open, (index, slot) =>
      newestKey(ctx, elementAt(packages, index), slot, prerelease),
    );
    for (const { slot, version_sort } of rows) {
      if (version_sort !== null) newest.set(elementAt(open, slot), { version_sort, prerelease });
    }
  }
  return newest;
}

function newestKey(ctx: Context, requested: PackageOfSource, slot: number, prerelease: number) {
  const rows = rowsOf(ctx, requested)
    .where('r.prerelease', '<=', prerelease)
    .where('r.version_sort', '>', LOWEST)
    .select([sql.lit(slot).as('slot'), 'r.version_sort'])
    // Not the bare column: its own index would be walked past all other packages of the source.
    .orderBy(sql`r.feed_at || ''`, 'desc')
    .orderBy('r.version_sort', 'desc')
    .limit(1);
  return asBranch(rows);
}

function highestLike(ctx: Context, requested: PackageOfSource, slot: number, { version_sort, prerelease }: Newest) {
  const rows = ofScheme(rowsOf(ctx, requested), requested.source, version_sort)
    .where('r.prerelease', '<=', prerelease)
    .select([sql.lit(slot).as('slot'), 'r.version'])
    .orderBy('r.version_sort', 'desc')
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1);
  return asBranch(rows);
}

// Versions of the scheme of a given one.
function ofScheme(rows: PackageRows, source: PackageSource, key: string): PackageRows {
  return rows.where(inScheme(key, source));
}

export function inScheme(key: string, { scheme }: Pick<PackageSource, 'scheme'>): RawBuilder<boolean> {
  if (scheme !== 'auto') return HAS_KEY;
  const [start, end] = calendarBlock(key);
  return schemeOfKey(key) === 'calendar'
    ? sql<boolean>`r.version_sort >= ${start} AND r.version_sort < ${end}`
    : sql<boolean>`r.version_sort > '' AND ${outside('r.version_sort', [start, end])}`;
}

const HAS_KEY: RawBuilder<boolean> = sql`r.version_sort > ''`;

// The highest stored stable version that each range admits; null when there is none.
export async function highestInRanges(
  ctx: Context,
  packages: readonly (PackageOfSource & { range: VersionRange })[],
): Promise<(string | null)[]> {
  const intervals = packages.flatMap((requested, index) =>
    requested.range.intervals.map((interval) => ({ requested, index, interval })),
  );
  const rows = await inUnions(ctx, intervals, ({ requested, interval }, slot) =>
    highestInInterval(ctx, requested, slot, interval),
  );
  const highest: (HighestRow | null)[] = packages.map(() => null);
  for (const row of rows) {
    const { index } = elementAt(intervals, row.slot);
    const best = highest[index]?.version_sort ?? LOWEST;
    if (compareVersionKeys(row.version_sort ?? LOWEST, best) > 0) highest[index] = row;
  }
  return highest.map((row) => row?.version ?? null);
}

type HighestRow = Awaited<ReturnType<ReturnType<typeof highestInInterval>['execute']>>['rows'][number];

function highestInInterval(
  ctx: Context,
  requested: PackageOfSource & { range: VersionRange },
  slot: number,
  { lower, upper, excluded }: KeyInterval,
) {
  const key = versionSort(requested.range.lowest) ?? LOWEST;
  let rows = rowsOf(ctx, requested).where('r.prerelease', '=', 0).where('r.version_sort', '>', LOWEST);
  // A range without a lower bound does not say which scheme it means, so both count.
  if (lower !== null) rows = ofScheme(rows, requested.source, key);
  if (lower !== null) rows = rows.where('r.version_sort', lower.inclusive ? '>=' : '>', lower.key);
  if (upper !== null) rows = rows.where('r.version_sort', upper.inclusive ? '<=' : '<', upper.key);
  for (const { from, to } of excluded)
    rows = rows.where(outside('r.version_sort', [from.key, to.inclusive ? `${to.key}!` : to.key]));
  const newest = rows
    .select([sql.lit(slot).as('slot'), 'r.version', 'r.version_sort'])
    .orderBy('r.version_sort', 'desc')
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1);
  return asBranch(newest);
}

export interface StoredVersion {
  version: string;
  // Empty for a release without a date.
  feedAt: string;
  prerelease: boolean;
}

// The release with this version text, or else with the same order key.
export async function storedVersion(
  ctx: Context,
  { source, part }: PackageOfSource,
  { text, key }: { text: string; key: string | null },
): Promise<StoredVersion | null> {
  const rows = packageRows(ctx, { sourceId: source.id, part })
    .where(isStoredVersion(source))
    .where('r.version_sort', key === null ? 'is' : '=', key);
  const row = await (key === null ? rows.where('r.version', '=', text) : rows)
    .select(['r.version', 'r.published_at', 'r.prerelease'])
    .orderBy('r.feed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { version: row.version ?? text, feedAt: row.published_at ?? '', prerelease: row.prerelease === 1 }
    : null;
}
