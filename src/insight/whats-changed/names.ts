// Names of tracked sources and packages, cached in memory for suggestions. They are read again when they have changed, and
// the visibility of a suggestion is checked before it is given.
import { sql } from 'kysely';
import { packageViewer, seenPackage } from '../../catalog/packages/viewer.ts';
import { visibleSource } from '../../catalog/visible.ts';
import { type Context, queries } from '../../context.ts';
import { createNameIndex, type NamedSource, type NameIndex } from '../../domain/upgrade/suggest.ts';
import type { Store } from '../../store/store.ts';

const MAX_SUGGESTIONS = 5;
// More candidates than suggestions, because some may be hidden.
const CANDIDATES = 15;

interface CachedNames {
  dataVersion: number;
  signature: string;
  index: NameIndex;
}

const cache = new WeakMap<Store, CachedNames>();

// For each name, slugs of visible sources that are close to it.
export async function suggestSlugs(ctx: Context, names: readonly string[]): Promise<Map<string, string[]>> {
  if (names.length === 0) return new Map();
  const index = await nameIndex(ctx);
  const close = new Map(names.map((name) => [name, index.closest(name, CANDIDATES)]));
  const visible = await visibleSlugs(ctx, [...new Set([...close.values()].flat())]);
  return new Map(
    [...close].map(([name, slugs]) => [name, slugs.filter((slug) => visible.has(slug)).slice(0, MAX_SUGGESTIONS)]),
  );
}

async function nameIndex(ctx: Context): Promise<NameIndex> {
  const dataVersion = ctx.store.dataVersion();
  const known = cache.get(ctx.store);
  if (known?.dataVersion === dataVersion) return known.index;
  const signature = await readSignature(ctx);
  const index = known?.signature === signature ? known.index : createNameIndex(await namedSources(ctx));
  cache.set(ctx.store, { dataVersion, signature, index });
  return index;
}

// A signature of all names; most commits add releases and change no name.
async function readSignature(ctx: Context): Promise<string> {
  const { rows } = await sql<{ signature: string }>`
    SELECT (SELECT COUNT(*) FROM sources WHERE deleted_at IS NULL) || ' '
      || COALESCE((SELECT MAX(updated_at) FROM sources), '') || ' '
      || (SELECT COUNT(*) FROM packages) || ' '
      || COALESCE((SELECT MAX(updated_at) FROM packages), '') || ' '
      || (SELECT COUNT(*) FROM package_registries) || ' '
      || (SELECT COUNT(DISTINCT registry) FROM package_states WHERE registry IS NOT NULL) AS signature`.execute(
    queries(ctx),
  );
  return rows[0]?.signature ?? '';
}

async function namedSources(ctx: Context): Promise<NamedSource[]> {
  const sources = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(['s.id', 's.slug', 's.name', 'f.release_count'])
    .where('s.deleted_at', 'is', null)
    .execute();
  // The index is shared by all callers, so names of private packages lead nobody anywhere.
  const viewer = await packageViewer(ctx);
  const packages = await queries(ctx)
    .selectFrom('packages as m')
    .select(['m.source_id', 'm.name'])
    .where(seenPackage(viewer.private, 'm'))
    .execute();
  const bySource = Map.groupBy(packages, ({ source_id }) => source_id);
  return sources.map(({ id, slug, name, release_count }) => ({
    slug,
    names: [slug, name, ...(bySource.get(id) ?? []).map((entry) => entry.name)],
    releases: release_count ?? 0,
  }));
}

async function visibleSlugs(ctx: Context, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.slug')
    .where('s.slug', 'in', slugs)
    .where(visibleSource())
    .execute();
  return new Set(rows.map((row) => row.slug));
}
