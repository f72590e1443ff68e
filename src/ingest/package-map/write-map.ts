// Decides which source has a name, from what all sources say about it.
import { now, type WriteContext } from '../../context.ts';
import type { Ecosystem } from '../../contract/enums.ts';
import { newId } from '../../domain/ids.ts';
import { compareClaims, type PackageClaim } from '../../domain/upgrade/manifests/claims.ts';
import type { PackageRow } from '../../store/schema/repositories.ts';

interface MapChange {
  sourceId: string;
  // Entries without a claim are removed only when the claims of the source are complete.
  complete: boolean;
}

interface Name {
  ecosystem: Ecosystem;
  name: string;
}

// Returns how many entries were created, moved or removed.
export async function writeMap(ctx: WriteContext, { sourceId, complete }: MapChange): Promise<number> {
  // Locked, so that two sources with the same name see each other's claims.
  await ctx.store.dialect.lock(ctx.tx, 'package-map');
  const names = await namesAround(ctx, sourceId);
  let changes = 0;
  for (const [ecosystem, list] of Map.groupBy(names, (one) => one.ecosystem)) {
    changes += await writeNames(
      ctx,
      { sourceId, complete },
      { ecosystem, all: [...new Set(list.map(({ name }) => name))] },
    );
  }
  return changes;
}

// The names that the source claims now, and those that the map assigns to it.
async function namesAround(ctx: WriteContext, sourceId: string): Promise<Name[]> {
  const claimed = await ctx.tx
    .selectFrom('package_claims')
    .select(['ecosystem', 'name'])
    .where('source_id', '=', sourceId)
    .where('name', 'is not', null)
    .execute();
  const mapped = await ctx.tx
    .selectFrom('packages')
    .select(['ecosystem', 'name'])
    .where('source_id', '=', sourceId)
    .where('origin', '=', 'ingest')
    .execute();
  return [...claimed.map(({ ecosystem, name }) => ({ ecosystem, name: name ?? '' })), ...mapped];
}

const PAGE = 300;

async function writeNames(
  ctx: WriteContext,
  change: MapChange,
  { ecosystem, all }: { ecosystem: Ecosystem; all: readonly string[] },
) {
  let changes = 0;
  for (let start = 0; start < all.length; start += PAGE) {
    const names = all.slice(start, start + PAGE);
    const stored = await ctx.tx
      .selectFrom('packages')
      .selectAll()
      .where('ecosystem', '=', ecosystem)
      .where('name', 'in', names)
      .execute();
    const entries = new Map(stored.map((entry) => [entry.name, entry]));
    const claims = await claimsOn(ctx, ecosystem, names);
    await addImplied(ctx, { change, claims, stored });
    for (const name of names) {
      const [best] = (claims.get(name) ?? []).sort(compareClaims);
      if (await writeEntry(ctx, { named: { ecosystem, name }, stored: entries.get(name), best })) changes += 1;
    }
  }
  return changes;
}

async function writeEntry(
  ctx: WriteContext,
  { named, stored, best }: { named: Name; stored: PackageRow | undefined; best: PackageClaim | undefined },
) {
  if (stored?.origin === 'operator') return false;
  if (!best) {
    if (!stored) return false;
    await ctx.tx.deleteFrom('packages').where('id', '=', stored.id).where('origin', '=', 'ingest').execute();
    return true;
  }
  const owner = { source_id: best.sourceId, package_part: best.packagePart };
  if (stored?.source_id === owner.source_id && stored.package_part === owner.package_part) return false;
  const at = now(ctx);
  await ctx.tx
    .insertInto('packages')
    .values({ id: newId('pkg', ctx.randomBytes), ...named, ...owner, origin: 'ingest', created_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['ecosystem', 'name'])
        .doUpdateSet({ ...owner, updated_at: at })
        .where('packages.origin', '=', 'ingest'),
    )
    .execute();
  return true;
}

async function claimsOn(
  ctx: WriteContext,
  ecosystem: Ecosystem,
  names: readonly string[],
): Promise<Map<string, PackageClaim[]>> {
  const rows = await claimants(ctx)
    .innerJoin('package_claims as c', 'c.source_id', 's.id')
    .select(['c.name', 'c.package_part', 'c.is_own', 'c.location'])
    .where('c.ecosystem', '=', ecosystem)
    .where('c.name', 'in', names)
    .execute();
  const claims = new Map<string, PackageClaim[]>();
  // Of several manifests of one source the one nearest to the root counts, a tag last.
  for (const row of rows.sort(
    (a, b) => depthOf(a.location) - depthOf(b.location) || (a.location < b.location ? -1 : 1),
  )) {
    const list = claims.get(row.name ?? '') ?? [];
    claims.set(row.name ?? '', list);
    const own = list.find(({ sourceId }) => sourceId === row.id);
    if (own) {
      own.packagePart ??= row.package_part;
      own.isOwn ||= row.is_own === 1;
    } else list.push({ ...claimOf(row), packagePart: row.package_part, isOwn: row.is_own === 1 });
  }
  return claims;
}

function depthOf(location: string): number {
  return location.startsWith('tag:') ? Number.MAX_SAFE_INTEGER : location.split('/').length;
}

// Entries that came from an import, or from a tree that was not complete.
async function addImplied(
  ctx: WriteContext,
  {
    change: { sourceId, complete },
    claims,
    stored,
  }: { change: MapChange; claims: Map<string, PackageClaim[]>; stored: readonly PackageRow[] },
): Promise<void> {
  const implied = stored.filter(({ name, source_id, origin }) => {
    const isKnown = claims.get(name)?.some((claim) => claim.sourceId === source_id);
    return origin === 'ingest' && !isKnown && (source_id !== sourceId || !complete);
  });
  if (implied.length === 0) return;
  const ids = [...new Set(implied.map(({ source_id }) => source_id))];
  const rows = new Map((await claimants(ctx).where('s.id', 'in', ids).execute()).map((row) => [row.id, row]));
  for (const { name, source_id, package_part } of implied) {
    const row = rows.get(source_id);
    if (!row) continue;
    claims.set(name, [...(claims.get(name) ?? []), { ...claimOf(row), packagePart: package_part, isOwn: false }]);
  }
}

function claimants(ctx: WriteContext) {
  return ctx.tx
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.id', 's.is_hidden', 's.is_fork', 's.stars', 's.created_at', 's.org_id'])
    .select(['o.is_hidden as org_hidden', 'o.deleted_at as org_deleted', 'p.is_hidden as product_hidden'])
    .where('s.deleted_at', 'is', null);
}

type Claimant = Awaited<ReturnType<ReturnType<typeof claimants>['execute']>>[number];

function claimOf(row: Claimant): Omit<PackageClaim, 'packagePart' | 'isOwn'> {
  return {
    sourceId: row.id,
    isVisible: !row.is_hidden && !row.org_hidden && row.org_deleted === null && !row.product_hidden,
    isFork: row.is_fork === 1,
    stars: row.stars ?? 0,
    createdAt: row.created_at,
  };
}
