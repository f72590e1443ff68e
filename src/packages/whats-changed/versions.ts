// Versions of packages: the latest and the highest of a range among those that are stored, and those that are published.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { ApiError } from '../../contract/errors.ts';
import { onceEach } from '../../domain/once-each.ts';
import { packageKey } from '../../domain/published-package.ts';
import { elementAt } from '../../domain/records.ts';
import { calendarBlock, isBelow } from '../../domain/upgrade/bounds.ts';
import { isPublishedPrerelease, type PublishedVersion } from '../../domain/upgrade/published.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { indexRanges, widestRange } from '../../domain/upgrade/rising-keys.ts';
import type { KeyInterval, VersionRange } from '../../domain/upgrade/version-range.ts';
import { compareVersionKeys, parseVersion, schemeOfKey, versionSort } from '../../domain/versions/index.ts';
import { readSpans, type VersionSpan } from '../../entities/packages/version-spans.ts';
import { inVersionOrder } from '../../releases/versions.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { PackageSource } from './package-sources.ts';
import {
  asBranch,
  inUnions,
  isStoredVersion,
  outside,
  packageRows,
  type ReleaseSpan,
  type ReleaseWindow,
  shownListing,
} from './spans.ts';
import { tooManyVersions, withinLimit } from './version-limit.ts';

export interface PackageOfSource {
  source: PackageSource;
  part: string | null;
}

// A key below all others. `> LOWEST` means "has a key" and lets the engine use the version index.
const LOWEST = '';

function rowsOf(ctx: Context, { source, part }: PackageOfSource) {
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
    .limit(sql.lit(1));
  return asBranch(rows);
}

function highestLike(ctx: Context, requested: PackageOfSource, slot: number, { version_sort, prerelease }: Newest) {
  const rows = rowsOf(ctx, requested)
    .where(inScheme(version_sort, requested.source))
    .where('r.prerelease', '<=', prerelease)
    .select([sql.lit(slot).as('slot'), 'r.version'])
    .orderBy(inVersionOrder('r', 'DESC'))
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(sql.lit(1));
  return asBranch(rows);
}

// Versions of the scheme of a given one.
export function inScheme(key: string, { scheme }: Pick<PackageSource, 'scheme'>): RawBuilder<boolean> {
  if (scheme !== 'auto') return sql<boolean>`r.version_sort > ''`;
  const [start, end] = calendarBlock(key);
  return schemeOfKey(key) === 'calendar'
    ? sql<boolean>`r.version_sort >= ${start} AND r.version_sort < ${end}`
    : sql<boolean>`r.version_sort > '' AND ${outside('r.version_sort', [start, end])}`;
}

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
  if (lower !== null) rows = rows.where(inScheme(key, requested.source));
  if (lower !== null) rows = rows.where('r.version_sort', lower.inclusive ? '>=' : '>', lower.key);
  if (upper !== null) rows = rows.where('r.version_sort', upper.inclusive ? '<=' : '<', upper.key);
  for (const { from, to } of excluded)
    rows = rows.where(outside('r.version_sort', [from.key, to.inclusive ? `${to.key}!` : to.key]));
  const newest = rows
    .select([sql.lit(slot).as('slot'), 'r.version', 'r.version_sort'])
    .orderBy(inVersionOrder('r', 'DESC'))
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(sql.lit(1));
  return asBranch(newest);
}

// Published versions as they are listed, with whether there are notes of each: one statement for all questions of a call.

type VersionWindow = Extract<ReleaseWindow, { by: 'version' }>;

export interface PublishedRequest extends Pick<ReleaseSpan, 'sourceId' | 'part' | 'visible'> {
  listing: PackageName;
  window: VersionWindow;
}

// The published versions of each range, rising; an error for those that are too many together with the ranges before them.
export async function publishedVersions(
  ctx: Context,
  requests: readonly PublishedRequest[],
): Promise<(PublishedVersion[] | ApiError)[]> {
  return onceEach(requests, async (distinct) => {
    const within = new Set(await withinLimit(ctx, distinct));
    const found = await readPublished(ctx, [...within]);
    return distinct.map((one) => (within.has(one) ? (found.get(one) ?? []) : tooManyVersions()));
  });
}

async function readPublished(ctx: Context, requests: readonly PublishedRequest[]) {
  const found = new Map<PublishedRequest, PublishedVersion[]>();
  for (const alike of Map.groupBy(
    requests,
    ({ sourceId, part, visible }) => `${sourceId === ''} ${part === null} ${visible}`,
  ).values()) {
    // Several ranges of one package are cut from one read of all of them.
    const packages = [...Map.groupBy(alike, packageOf).values()];
    const bySlot = Map.groupBy(await readRows(ctx, packages.map(widest)), ({ slot }) => slot);
    for (const [slot, ranges] of packages.entries()) {
      const rising = bySlot.get(slot) ?? [];
      const keys = rising.map(({ key }) => key);
      for (const one of ranges) {
        await endLongTurn();
        found.set(
          one,
          indexRanges(keys, one.window).flatMap(([start, end]) => rising.slice(start, end)),
        );
      }
    }
  }
  return found;
}

function packageOf({ listing, sourceId, part }: PublishedRequest): string {
  return JSON.stringify([packageKey(listing), sourceId, part]);
}

interface AskedVersions extends VersionSpan {
  notes?: Pick<ReleaseSpan, 'sourceId' | 'part' | 'visible'>;
}

function widest(ranges: readonly PublishedRequest[]): AskedVersions {
  const { listing, sourceId, part, visible } = elementAt(ranges, 0);
  const { ecosystem, name } = listing;
  const span = { ecosystem, name, ...widestRange(ranges.map(({ window }) => window)) };
  return sourceId === '' ? span : { ...span, notes: { sourceId, part, visible } };
}

// Above every key.
const HIGHEST = '\u007f';

// The versions that a range may admit, or all of them, highest first.
export async function fallingVersions(
  ctx: Context,
  requests: readonly { listing: PackageName; range: VersionRange | null }[],
): Promise<PublishedVersion[][]> {
  const asked = requests.map(({ listing: { ecosystem, name }, range }) => {
    return { ecosystem, name, after: lowestOf(range), upTo: highestOf(range) };
  });
  const bySlot = Map.groupBy(await readRows(ctx, asked), ({ slot }) => slot);
  return requests.map((_, slot) => (bySlot.get(slot) ?? []).reverse());
}

// A key sorts above its own beginning.
function lowestOf(range: VersionRange | null): string {
  const lower = (range?.intervals ?? []).map((interval) => interval.lower?.key.slice(0, -1) ?? '');
  return lower.length === 0 ? '' : lower.reduce((a, b) => (isBelow(b, a) ? b : a));
}

function highestOf(range: VersionRange | null): string {
  const upper = (range?.intervals ?? []).map((interval) => interval.upper?.key ?? HIGHEST);
  return upper.length === 0 ? HIGHEST : upper.reduce((a, b) => (isBelow(a, b) ? b : a));
}

interface VersionRow {
  version: string;
  version_sort: string;
  withdrawn: number;
  noted: number;
}

// Those with notes either all have a part or all have none.
async function readRows(
  ctx: Context,
  asked: readonly AskedVersions[],
): Promise<(PublishedVersion & { slot: number })[]> {
  const noted = asked[0]?.notes ? isNoted(ctx, asked[0].notes) : sql`0`;
  const rows = await readSpans(ctx, asked, sql<VersionRow>`v.version, v.version_sort, v.withdrawn, ${noted} AS noted`);
  return rows.map(({ slot, version, version_sort: key, withdrawn, noted }) => {
    const isPrerelease = isPublishedPrerelease(version);
    return { slot, version, key, withdrawn: withdrawn === 1, isPrerelease, noted: noted === 1 };
  });
}

// Whether a release with text is stored. A verdict of none or minor rests on words, so the text itself need not be looked
// at; a release that another one covers is told by that one.
function isNoted(ctx: Context, { part, visible }: NonNullable<AskedVersions['notes']>): RawBuilder<number> {
  return sql<number>`CASE WHEN EXISTS (SELECT 1 FROM releases r
    WHERE r.source_id = a.source_id AND r.package_part ${part === null ? sql`IS NULL` : sql`= a.part`}
      AND r.version_sort = v.version_sort AND r.feed_at <= ${now(ctx)} AND ${isStoredVersion({ visible })}
      AND (r.breaking IN ('none', 'minor') OR r.content_chars > 0 OR r.coverage_of IS NOT NULL)) THEN 1 ELSE 0 END`;
}
