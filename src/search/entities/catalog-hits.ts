// What is found by name beside orgs and collections: products and sources in one list, sources and packages in lists of
// their own.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Category, Kind } from '../../contract/enums.ts';
import { type CatalogHit, MAX_ENTITIES, type PackageHit, type SourceHit } from '../../contract/search.ts';
import { CATEGORY_TIER } from '../../domain/entity-names/entity-names.ts';
import { ECOSYSTEMS, normalizePackageName, packageAddress } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { knownNames } from '../../entities/packages/known-names.ts';
import { visibleProduct, visibleSource } from '../../entities/visible.ts';
import { type LatestRow, latestColumns, latestIn } from '../../releases/stored-latest.ts';
import { together } from '../../store/pipeline.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import { PRODUCT_COLUMNS, SOURCE_COLUMNS } from '../filters/columns.ts';
import { allOf, conditionsOf, withoutLongLists } from '../filters/entry.ts';
import { ENTITY_FILTERS } from '../filters/table.ts';
import {
  byRank,
  type EntityScope,
  type NameCandidate,
  type RankedEntity,
  recentReleases,
  tiersOf,
} from './candidates.ts';

const OF_CATEGORY = 40;

interface CatalogHits {
  catalog: CatalogHit[];
  sources: SourceHit[];
}

export async function catalogHits(
  ctx: Context,
  input: {
    products: readonly NameCandidate[];
    sources: readonly NameCandidate[];
    category: Category | null;
    scope: EntityScope;
  },
): Promise<CatalogHits> {
  const { category, scope } = input;
  const [products, sources] = await together([
    namedProducts(ctx, input.products, scope),
    namedSources(ctx, input.sources, scope),
  ]);
  const missing = MAX_ENTITIES - products.length - sources.length;
  const known = new Set(products.map(({ id }) => id));
  const others = category !== null && missing > 0 ? await productsOfCategory(ctx, category, scope) : [];
  const listed = [...products, ...others.filter(({ id }) => !known.has(id)), ...sources];
  return {
    catalog: listed
      .sort(byRank)
      .slice(0, MAX_ENTITIES)
      .map(({ hit }) => hit),
    sources: sources
      .sort(byRank)
      .slice(0, MAX_ENTITIES)
      .map(({ asSource }) => asSource),
  };
}

interface RankedEntry extends RankedEntity {
  hit: CatalogHit;
}

interface RankedSource extends RankedEntry {
  asSource: SourceHit;
}

async function namedProducts(
  ctx: Context,
  candidates: readonly NameCandidate[],
  scope: EntityScope,
): Promise<RankedEntry[]> {
  if (candidates.length === 0) return [];
  const tiers = tiersOf(candidates);
  const rows = await shownProducts(ctx, scope)
    .where(ctx.store.dialect.amongIds('p.id', [...tiers.keys()]))
    .modifyEnd(ONE_PLAN)
    .execute();
  const isOwned = ownerCheck(scope);
  return rows
    .filter((row) => isOwned({ org_id: row.org_id, product_id: row.id }))
    .map((row) => productEntry(row, tiers.get(row.id) ?? 0));
}

async function productsOfCategory(ctx: Context, category: Category, scope: EntityScope): Promise<RankedEntry[]> {
  const rows = await queries(ctx)
    .selectFrom('products')
    .select('id')
    .where('category', '=', category)
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .orderBy('id')
    .limit(OF_CATEGORY)
    .execute();
  const candidates = rows.map(({ id }) => ({ id, tier: CATEGORY_TIER, byDomain: false }));
  return namedProducts(ctx, candidates, scope);
}

function shownProducts(ctx: Context, { filter }: EntityScope) {
  return queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.id', 'p.org_id', 'p.slug', 'p.name', 'p.name_key', 'p.kind'])
    .select(['o.slug as orgSlug', 'o.name as orgName', 'o.avatar_url as orgAvatarUrl'])
    .select(SOURCE_COLUMNS.category.as('category'))
    .select(recentReleases(ctx, sql`rs.product_id = p.id`).as('recent'))
    .where(visibleProduct())
    .where(
      allOf(
        conditionsOf(ENTITY_FILTERS, { ...withoutLongLists(filter), sourceIds: filter.sourceIds }, PRODUCT_COLUMNS),
      ),
    );
}

// Whether the filter admits the owners of a row. The lists are checked here, because they may be too long for a statement.
function ownerCheck({ filter }: EntityScope) {
  const [orgs, products] = [filter.orgIds, filter.productIds].map((ids) => (ids ? new Set(ids) : null));
  return (row: { org_id: string | null; product_id: string | null }): boolean =>
    (orgs?.has(row.org_id ?? '') ?? true) && (products?.has(row.product_id ?? '') ?? true);
}

interface NamedProductRow {
  id: string;
  org_id: string;
  slug: string;
  name: string;
  name_key: string;
  kind: Kind | null;
  category: Category | null;
  orgSlug: string;
  orgName: string;
  orgAvatarUrl: string | null;
  recent: number;
}

function productEntry({ name_key, recent, ...row }: NamedProductRow, tier: number): RankedEntry {
  const { id, slug, name, orgSlug, orgName, orgAvatarUrl, kind, category } = row;
  const hit: CatalogHit = {
    entryType: 'product',
    id,
    slug,
    name,
    orgSlug,
    orgName,
    orgAvatarUrl,
    category,
    kind,
    tier,
  };
  return { id, tier, recent: Number(recent), nameKey: name_key, hit };
}

async function namedSources(
  ctx: Context,
  candidates: readonly NameCandidate[],
  scope: EntityScope,
): Promise<RankedSource[]> {
  if (candidates.length === 0) return [];
  const listed = scope.filter.sourceIds && new Set(scope.filter.sourceIds);
  const tiers = tiersOf(listed ? candidates.filter(({ id }) => listed.has(id)) : candidates);
  if (tiers.size === 0) return [];
  const rows = await shownSources(ctx, scope, [...tiers.keys()]).execute();
  return rows.filter(ownerCheck(scope)).map(({ name_key, recent, ...row }) => {
    const { id, slug, name, orgSlug, orgName, orgAvatarUrl, productSlug, stars, type, kind, category } = row;
    const tier = tiers.get(id) ?? 0;
    const entry = { id, slug, name, orgSlug, orgName };
    return {
      id,
      tier,
      recent: Number(recent),
      nameKey: name_key,
      hit: { entryType: 'source', ...entry, orgAvatarUrl, category, kind, sourceSlug: slug, sourceType: type, tier },
      asSource: { ...entry, type, productSlug, stars, tier },
    };
  });
}

function shownSources(ctx: Context, { filter }: EntityScope, ids: readonly string[]) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.id', 's.org_id', 's.product_id', 's.slug', 's.name', 's.name_key', 's.type', 's.stars'])
    .select('p.slug as productSlug')
    .select(['o.slug as orgSlug', 'o.name as orgName', 'o.avatar_url as orgAvatarUrl'])
    .select(SOURCE_COLUMNS.kind.as('kind'))
    .select(SOURCE_COLUMNS.category.as('category'))
    .select(recentReleases(ctx, sql`rs.id = s.id`).as('recent'))
    .where(ctx.store.dialect.amongIds('s.id', ids))
    .where(visibleSource())
    .where(allOf(conditionsOf(ENTITY_FILTERS, withoutLongLists(filter), SOURCE_COLUMNS)))
    .modifyEnd(ONE_PLAN);
}

// Packages by name: the one that is spelled like the query first, then those that begin with it.

const NAME = /^@?[^\s@]{2,214}$/;
// Above every character of a name.
const HIGHEST = '\u{10ffff}';

interface HitRow extends PackageName, LatestRow {
  slug: string | null;
  org_slug: string | null;
}

// Filters by owner or collection are about what sources publish, not about names.
export async function packageHits(
  ctx: Context,
  { text, scope }: { text: string; scope: EntityScope },
): Promise<PackageHit[]> {
  const q = text.trim();
  if (!NAME.test(q) || scope.owners !== null || scope.collectionId !== null) return [];
  const names = ECOSYSTEMS.map((ecosystem) => ({ ecosystem, name: normalizePackageName(ecosystem, q) }));
  const known = await knownNames(ctx, (alias) => [sql<boolean>`(${sql.join(names.map(beginning(alias)), sql` OR `)})`]);
  const isExact = sql`CASE WHEN ${sql.join(
    names.map(({ ecosystem, name }) => sql`(k.ecosystem = ${ecosystem} AND k.name = ${name})`),
    sql` OR `,
  )} THEN 0 ELSE 1 END`;
  const { rows } = await sql<HitRow>`SELECT k.ecosystem, k.name, ${latestColumns(ctx)},
      CASE WHEN ${visibleSource()} THEN s.slug END AS slug, CASE WHEN ${visibleSource()} THEN o.slug END AS org_slug
    FROM (SELECT k.ecosystem, k.name, ${isExact} AS rank FROM (${known}) AS k
      ORDER BY rank, length(k.name), k.name, k.ecosystem LIMIT ${sql.lit(MAX_ENTITIES)}) AS k
    LEFT JOIN package_states t ON t.ecosystem = k.ecosystem AND t.name = k.name
    LEFT JOIN packages m ON m.ecosystem = k.ecosystem AND m.name = k.name
    LEFT JOIN sources s ON s.id = m.source_id LEFT JOIN orgs o ON o.id = s.org_id
    LEFT JOIN products p ON p.id = s.product_id
    ORDER BY k.rank, length(k.name), k.name, k.ecosystem ${ONE_PLAN}`.execute(queries(ctx));
  return rows.map(({ ecosystem, name, slug, org_slug: orgSlug, ...versions }) => ({
    ecosystem,
    name,
    latest: latestIn(versions),
    sourceSlug: slug,
    orgSlug,
    isExact: names.some((one) => one.ecosystem === ecosystem && one.name === name),
    webUrl: `${ctx.config.webUrl}${packageAddress(ecosystem, name)}`,
  }));
}

function beginning(alias: string) {
  return ({ ecosystem, name }: PackageName): RawBuilder<boolean> =>
    sql<boolean>`(${sql.ref(`${alias}.ecosystem`)} = ${ecosystem} AND ${sql.ref(`${alias}.name`)} >= ${name}
      AND ${sql.ref(`${alias}.name`)} < ${`${name}${HIGHEST}`})`;
}
