// The versions of a package, newest first: those that its registry lists, or the stored ones while it was never listed.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { PackageVersion } from '../../contract/package.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { isBreaking } from '../../domain/upgrade/judgement.ts';
import { isPublishedPrerelease } from '../../domain/upgrade/published.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';

import { isWithdrawn } from '../../domain/withdrawal.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { BY_VERSION, isStoredVersion, packageRows } from '../whats-changed/spans.ts';
import type { KnownPackage } from './known-package.ts';

interface ToldTitle {
  version: string | null;
  title: string;
  titleShort: string | null;
  titleGenerated: string | null;
  summary: string;
  contentChars: number;
}

export interface VersionOfPackage extends PackageVersion {
  // The order key; null for a text that cannot be put in order.
  key: string | null;
  prerelease: boolean;
  // The date is that of its release and not of the package registry alone.
  isDatedHere: boolean;
  // A release with text is stored.
  noted: boolean;
  title: string | null;
  // What its page calls it in short; null without a release.
  told: ToldTitle | null;
  // Its verdict rests on the number of the version alone.
  byVersion: boolean;
  // The release whose page tells about it: of a release that another one covers, that one.
  toldById: string | null;
}

// All versions, the highest first; what has no order comes last.
export async function versionsOfPackage(ctx: Context, known: KnownPackage): Promise<VersionOfPackage[]> {
  const releases = await storedReleases(ctx, known);
  const isListed = known.state?.listed_at != null;
  const versions = isListed ? await listedVersions(ctx, known, releases) : releases.map(storedVersion);
  return versions.sort((a, b) => compareVersionKeys(b.key ?? '', a.key ?? '') || (a.version < b.version ? 1 : -1));
}

const COLUMNS = [
  'r.id',
  'r.version',
  'r.version_sort',
  'r.published_at',
  'r.breaking',
  'r.content_chars',
  'r.prerelease',
  'r.coverage_of',
  'r.title',
  'r.title_generated',
  'r.title_short',
  'r.summary',
  'r.suppressed_by',
  'r.suppressed_reason',
] as const;

type ReleaseColumn = (typeof COLUMNS)[number] extends `r.${infer Name}` ? Name : never;

interface StoredRelease extends Pick<ReleaseRow, ReleaseColumn> {
  covering_id: string | null;
  covering_verdict: ReleaseRow['breaking'] | null;
  is_by_version: number;
}

// One release a version: the listed one, else the newest.
async function storedReleases(ctx: Context, { notes }: KnownPackage): Promise<StoredRelease[]> {
  if (notes === null) return [];
  const { source, part } = notes;
  const rows = await packageRows(ctx, { sourceId: source.id, part })
    .where(isStoredVersion(source))
    .where('r.version_sort', '>', '')
    .leftJoin('releases as k', (join) =>
      join.onRef('k.id', '=', 'r.coverage_of').on('k.listing', '<>', 0).on('k.feed_at', '<=', now(ctx)),
    )
    .select(COLUMNS)
    .select(['k.id as covering_id', 'k.breaking as covering_verdict'])
    .select(sql<number>`CASE WHEN ${BY_VERSION} THEN 1 ELSE 0 END`.as('is_by_version'))
    .orderBy(sql`ABS(r.listing)`, 'desc')
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.id')
    .execute();
  const byKey = new Map<string, StoredRelease>();
  for (const row of rows) if (!byKey.has(row.version_sort ?? '')) byKey.set(row.version_sort ?? '', row);
  return [...byKey.values()];
}

async function listedVersions(
  ctx: Context,
  { ecosystem, name }: KnownPackage,
  releases: readonly StoredRelease[],
): Promise<VersionOfPackage[]> {
  const rows = await queries(ctx)
    .selectFrom('package_versions')
    .select(['version', 'version_sort as key', 'published_at', 'withdrawn', 'deprecated'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .execute();
  const byKey = new Map(releases.map((release) => [release.version_sort, release]));
  return rows.map(({ version, key, published_at, withdrawn, deprecated }) => {
    const release = key === null ? undefined : byKey.get(key);
    return {
      version,
      key,
      // A mirror rewrites times, so the date of a release is the better one.
      publishedAt: release?.published_at ?? published_at,
      isDatedHere: release?.published_at != null,
      withdrawn: withdrawn === 1 || (release !== undefined && isWithdrawn(release)),
      deprecated,
      prerelease: isPublishedPrerelease(version),
      ...toldBy(release),
    };
  });
}

function storedVersion(release: StoredRelease): VersionOfPackage {
  const { version, version_sort: key, published_at: publishedAt, prerelease } = release;
  return {
    version: readBound(version ?? '').version,
    key,
    publishedAt,
    isDatedHere: publishedAt !== null,
    withdrawn: isWithdrawn(release),
    deprecated: null,
    prerelease: prerelease === 1,
    ...toldBy(release),
  };
}

function toldBy(release: StoredRelease | undefined) {
  return {
    releaseId: release?.id ?? null,
    breaking: release?.covering_verdict ?? release?.breaking ?? null,
    noted: release !== undefined && (release.content_chars > 0 || release.coverage_of !== null),
    byVersion: Number(release?.is_by_version ?? 0) === 1,
    toldById: release?.covering_id ?? release?.id ?? null,
    title: release ? (release.title_generated ?? release.title) : null,
    told: release ? titlesOf(release) : null,
  };
}

function titlesOf(release: StoredRelease): ToldTitle {
  const { version, title, summary } = release;
  return {
    version,
    title,
    summary,
    titleShort: release.title_short,
    titleGenerated: release.title_generated,
    contentChars: release.content_chars,
  };
}

export const VERSION_CHOICES = ['all', 'breaking', 'unnoted', 'withdrawn'] as const;
export type VersionChoice = (typeof VERSION_CHOICES)[number];

const CHOSEN: Record<VersionChoice, (version: VersionOfPackage) => boolean> = {
  all: () => true,
  breaking: ({ breaking }) => breaking !== null && isBreaking(breaking),
  unnoted: ({ noted }) => !noted,
  withdrawn: ({ withdrawn }) => withdrawn,
};

export function chosenVersions(
  versions: readonly VersionOfPackage[],
  { show, prereleases }: { show: VersionChoice; prereleases: boolean },
): VersionOfPackage[] {
  return versions.filter((version) => CHOSEN[show](version) && (prereleases || !version.prerelease));
}

export function pageOfVersions<T>(versions: readonly T[], { page, limit }: { page: number; limit: number }): Page<T> {
  const items = versions.slice((page - 1) * limit, page * limit);
  return { items, pagination: paginate({ page, limit, returned: items.length, total: versions.length }) };
}
