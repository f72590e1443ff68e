// Stores what a registry lists of a package, whole and in one transaction. Versions that have gone are marked, not deleted.

import { sql } from 'kysely';
import { now, type WriteContext } from '../../context.ts';
import { isComparedEcosystem } from '../../domain/ecosystems/index.ts';
import {
  type ListedVersion,
  normalizePackageName,
  type PackageListing,
  packageKey,
} from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { versionSort } from '../../domain/versions/index.ts';
import { WITHDRAWN_RELEASE } from '../../entities/visible.ts';
import { noteWithdrawals } from '../../releases/withdrawn.ts';
import { insertMany } from '../../store/insert-many.ts';
import { toJson } from '../../store/json-text.ts';
import type { ListingValidators, PackageStateRow, PackageVersionRow } from '../../store/schema/packages.ts';
import { noteProofs } from '../evidence/note-proof.ts';

export interface StoredListing {
  inserted: number;
  changed: number;
  // Versions that were listed before and are not any more.
  gone: number;
}

interface ReadingInfo {
  // When the listing was read; now unless it comes from a file.
  listedAt?: string | null;
  validators?: ListingValidators | null;
  // What could not be read beside the versions.
  reason?: string | null;
  outcome?: 'listed' | 'unpublished';
}

export async function storeListing(
  ctx: WriteContext,
  listing: PackageListing,
  { listedAt = now(ctx), validators = null, reason = null, outcome = 'listed' }: ReadingInfo = {},
): Promise<StoredListing> {
  const { ecosystem, spelling } = listing;
  const named = { ecosystem, name: normalizePackageName(ecosystem, spelling) };
  await ctx.store.dialect.lock(ctx.tx, `listing ${packageKey(named)}`);
  await forgetOtherRegistry(ctx, named, listing.registry);
  const stored = await storedVersions(ctx, named);
  const releaseOf = await releasesOfVersions(ctx, named);
  const rows = new Map<string, PackageVersionRow>();
  for (const version of listing.versions) {
    const row = rowOf(named, version, stored.get(version.version));
    rows.set(row.version, { ...row, release_id: releaseOf(row) });
  }
  let gone = 0;
  for (const row of stored.values()) {
    if (rows.has(row.version)) continue;
    if (row.withdrawn === 0) gone += 1;
    rows.set(row.version, { ...row, withdrawn: 1, release_id: releaseOf(row) });
  }
  const written = await writeVersions(ctx, named, { stored, rows });
  const turned = [...rows.values()].filter((row) => row.withdrawn !== (stored.get(row.version)?.withdrawn ?? 0));
  await noteWithdrawals(
    ctx,
    turned.flatMap(({ release_id }) => release_id ?? []),
  );
  await writeState(ctx, named, {
    spelling,
    registry: listing.registry,
    latest: listing.latest,
    dist_tags: listing.tags ? toJson(listing.tags) : null,
    repository: listing.repository,
    homepage: listing.homepage,
    ...(listing.facts ? { facts: toJson(listing.facts) } : {}),
    listed_at: listedAt,
    checked_at: listedAt,
    validators: toJson(validators),
    outcome,
    reason,
    failing_since: null,
  });
  if (isComparedEcosystem(ecosystem)) await noteProofs(ctx, ecosystem, [named.name]);
  return { ...written, gone };
}

// Two registries may have different packages of one name.
async function forgetOtherRegistry(ctx: WriteContext, named: PackageName, registry: string | null): Promise<void> {
  const id = packageKey(named);
  const state = await ctx.tx.selectFrom('package_states').select('registry').where('id', '=', id).executeTakeFirst();
  if (!state || state.registry === registry) return;
  const { ecosystem, name } = named;
  await ctx.tx.deleteFrom('package_versions').where('ecosystem', '=', ecosystem).where('name', '=', name).execute();
}

async function storedVersions(ctx: WriteContext, named: PackageName): Promise<Map<string, PackageVersionRow>> {
  const rows = await ctx.tx
    .selectFrom('package_versions')
    .selectAll()
    .where('ecosystem', '=', named.ecosystem)
    .where('name', '=', named.name)
    .execute();
  return new Map(rows.map((row) => [row.version, row]));
}

function rowOf(named: PackageName, listed: ListedVersion, before: PackageVersionRow | undefined): PackageVersionRow {
  const { version } = listed;
  return {
    ecosystem: named.ecosystem,
    name: named.name,
    version,
    version_sort: before ? before.version_sort : versionSort(version),
    // A short listing has no times, which takes none away.
    published_at: listed.publishedAt ?? before?.published_at ?? null,
    withdrawn: listed.withdrawn ? 1 : 0,
    withdrawn_reason: listed.withdrawnReason,
    deprecated: listed.deprecated,
    tarball_url: listed.tarballUrl,
    integrity: listed.integrity,
    release_id: null,
  };
}

// Few statements whatever the number of versions: a changed row is deleted and inserted again.
const CHUNK = 500;

async function writeVersions(
  ctx: WriteContext,
  named: PackageName,
  { stored, rows }: Record<'stored' | 'rows', ReadonlyMap<string, PackageVersionRow>>,
): Promise<{ inserted: number; changed: number }> {
  const written = [...rows.values()].filter((row) => !isSame(row, stored.get(row.version)));
  const changed = written.filter((row) => stored.has(row.version)).map((row) => row.version);
  for (let start = 0; start < changed.length; start += CHUNK) {
    await ctx.tx
      .deleteFrom('package_versions')
      .where('ecosystem', '=', named.ecosystem)
      .where('name', '=', named.name)
      .where('version', 'in', changed.slice(start, start + CHUNK))
      .execute();
  }
  await insertMany(ctx.tx, 'package_versions', written);
  return { inserted: written.length - changed.length, changed: changed.length };
}

function isSame(row: PackageVersionRow, stored: PackageVersionRow | undefined): boolean {
  return (
    stored !== undefined &&
    row.published_at === stored.published_at &&
    row.withdrawn === stored.withdrawn &&
    row.withdrawn_reason === stored.withdrawn_reason &&
    row.deprecated === stored.deprecated &&
    row.tarball_url === stored.tarball_url &&
    row.integrity === stored.integrity &&
    row.release_id === stored.release_id
  );
}

// What a short listing does not tell stays.
type StateColumns = Omit<PackageStateRow, 'id' | 'ecosystem' | 'name' | 'next_read_at' | 'wanted_at' | 'facts'> &
  Partial<Pick<PackageStateRow, 'facts'>>;

async function writeState(ctx: WriteContext, named: PackageName, columns: StateColumns): Promise<void> {
  const { ecosystem, name } = named;
  await ctx.tx
    .insertInto('package_states')
    .values({ id: packageKey(named), ecosystem, name, facts: null, ...columns, next_read_at: null, wanted_at: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

// Which stored release tells of a published version: one of the source that the package map names, with the same version
// and the package's own part of the repository.

type ReleaseOfVersion = (row: Pick<PackageVersionRow, 'version' | 'version_sort'>) => string | null;

interface VersionedRelease {
  id: string;
  version: string | null;
  version_sort: string;
}

async function releasesOfVersions(ctx: WriteContext, { ecosystem, name }: PackageName): Promise<ReleaseOfVersion> {
  const { rows } = await sql<VersionedRelease>`SELECT r.id, r.version, r.version_sort
    FROM packages m JOIN releases r ON r.source_id = m.source_id
      AND COALESCE(r.package_part, '') = COALESCE(m.package_part, '')
    WHERE m.ecosystem = ${ecosystem} AND m.name = ${name} AND r.version_sort IS NOT NULL
      AND (r.listing > 0 OR ${WITHDRAWN_RELEASE})
    ORDER BY r.listing DESC, r.feed_at DESC, r.id`.execute(ctx.tx);
  const bySort = Map.groupBy(rows, (row) => row.version_sort);
  return ({ version, version_sort }) => {
    const same = version_sort === null ? [] : (bySort.get(version_sort) ?? []);
    // Builds of one version share a key.
    return (same.find((one) => one.version === version) ?? same[0])?.id ?? null;
  };
}
