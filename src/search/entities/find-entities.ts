import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import {
  type CatalogHit,
  type CollectionHit,
  MAX_ENTITIES,
  type OrgHit,
  type SourceHit,
} from '../../contract/search.ts';
import { CATEGORY_TIER, nameQuery, normalName } from '../../domain/entity-names/entity-names.ts';
import { elementAt, pick } from '../../domain/records.ts';
import { collectionListItems } from '../../entities/collections/collection-fields.ts';
import { orgFields } from '../../entities/orgs/org-fields.ts';
import { categoryTexts } from '../../entities/taxonomy/category-text.ts';
import { together } from '../../store/pipeline.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { ORG_COLUMNS } from '../filters/columns.ts';
import { allOf, conditionsOf } from '../filters/entry.ts';
import { ENTITY_FILTERS } from '../filters/table.ts';
import {
  byRank,
  type EntityScope,
  editedCandidates,
  type NameCandidate,
  type NameCandidates,
  nameCandidates,
  type RankedEntity,
  recentReleases,
  tiersOf,
} from './candidates.ts';
import { catalogHits } from './catalog-hits.ts';

export interface FoundEntities {
  orgs: OrgHit[];
  catalog: CatalogHit[];
  sources: SourceHit[];
  collections: CollectionHit[];
}

export const NO_ENTITIES: FoundEntities = { orgs: [], catalog: [], sources: [], collections: [] };

// The entities that a text names. Names with a typing error count only when no name matches exactly.
export async function findEntities(ctx: Context, input: { text: string; scope: EntityScope }): Promise<FoundEntities> {
  const { text, scope } = input;
  const query = nameQuery(text);
  const category = await categoryNamed(ctx, query.normal);
  const found = await sectionsOf(ctx, await nameCandidates(ctx, query), category, scope);
  if (isNamed(found)) return found;
  const edited = await editedCandidates(ctx, query);
  const isAny = Object.values(edited).some((list) => list.length > 0);
  return isAny ? sectionsOf(ctx, edited, category, scope) : found;
}

async function sectionsOf(
  ctx: Context,
  candidates: NameCandidates,
  category: Category | null,
  scope: EntityScope,
): Promise<FoundEntities> {
  const { product: products, source: sources } = candidates;
  const [orgs, entries] = await together([
    orgHits(ctx, { candidates: candidates.org, category, scope }),
    catalogHits(ctx, { products, sources, category, scope }),
  ]);
  const members = membersAmong(orgs, entries.catalog);
  const collections = await collectionHits(ctx, { candidates: candidates.collection, members, scope });
  return { orgs, ...entries, collections };
}

// The members by which collections are found. Orgs that were found by their category do not count, because that would show
// too many collections.
function membersAmong(orgs: readonly OrgHit[], catalog: readonly CatalogHit[]): FoundMembers {
  const named = <T extends { tier: number }>(hits: readonly T[]) => hits.filter(({ tier }) => tier !== CATEGORY_TIER);
  const products = named(catalog).filter(({ entryType }) => entryType === 'product');
  return {
    orgs: new Map(named(orgs).map(({ id, slug }) => [id, slug])),
    products: new Map(products.map(({ id, orgSlug }) => [id, orgSlug ?? ''])),
  };
}

function isNamed({ orgs, catalog, collections }: FoundEntities): boolean {
  return collections.length > 0 || [...orgs, ...catalog].some(({ tier }) => tier < CATEGORY_TIER);
}

// Categories by name and alias, cached until the data changes.
const categories = new WeakMap<Context['store'], { version: number; named: Map<string, Category> }>();

async function categoryNamed(ctx: Context, normal: string): Promise<Category | null> {
  if (normal === '') return null;
  const version = ctx.store.dataVersion();
  let known = categories.get(ctx.store);
  if (known?.version !== version) {
    known = { version, named: await namedCategories(ctx) };
    // Nothing is cached inside a transaction, because others do not see its state yet.
    if (!ctx.tx) categories.set(ctx.store, known);
  }
  return known.named.get(normal) ?? null;
}

async function namedCategories(ctx: Context): Promise<Map<string, Category>> {
  const texts = await categoryTexts(ctx);
  const names = texts.flatMap(({ slug, name, aliases }) => {
    return [slug, name, ...aliases].map((text): [string, Category] => [normalName(text), slug]);
  });
  // The names are reversed, so that the first category with a name wins.
  return new Map(names.reverse());
}

// Collections found by their own names, or because a found org or product is a member.

interface FoundMembers {
  // Ids with the slug of their org, the best matches first.
  orgs: ReadonlyMap<string, string>;
  products: ReadonlyMap<string, string>;
}

async function collectionHits(
  ctx: Context,
  input: { candidates: readonly NameCandidate[]; members: FoundMembers; scope: EntityScope },
): Promise<CollectionHit[]> {
  const { candidates, members, scope } = input;
  const tiers = tiersOf(candidates);
  const belonging = await memberships(ctx, members);
  const ids = [...new Set([...tiers.keys(), ...belonging.keys()])];
  if (ids.length === 0) return [];
  const stored = await queries(ctx).selectFrom('collections').selectAll().where('id', 'in', ids).execute();
  const rows = stored
    .filter(({ id }) => scope.collectionId === null || scope.collectionId === id)
    .map((row) => ({ row, tier: tiers.get(row.id) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.tier === b.tier ? byName(a.row, b.row) : a.tier - b.tier))
    .slice(0, MAX_ENTITIES);
  const items = await collectionListItems(
    ctx,
    rows.map(({ row }) => row),
  );
  return items.map(({ slug, name, description, memberCount, previewMembers }, index) => {
    const { row, tier } = elementAt(rows, index);
    const matched = belonging.get(row.id) ?? [];
    return {
      slug,
      name,
      description,
      memberCount,
      via: Number.isFinite(tier) ? 'direct' : 'member',
      ...(matched.length > 0 ? { matchedOrgSlugs: matched } : {}),
      previewMembers,
    };
  });
}

// Collections of the found members, with the slugs of the orgs by which they were found.
async function memberships(ctx: Context, { orgs, products }: FoundMembers): Promise<Map<string, string[]>> {
  if (orgs.size + products.size === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('collection_members')
    .select(['collection_id', 'org_id', 'product_id'])
    .where((eb) => eb.or([eb('org_id', 'in', [...orgs.keys(), '']), eb('product_id', 'in', [...products.keys(), ''])]))
    .execute();
  const found = new Map<string, string[]>();
  for (const { collection_id, org_id, product_id } of rows) {
    const slug = (org_id === null ? products.get(product_id ?? '') : orgs.get(org_id)) ?? '';
    const slugs = found.get(collection_id) ?? [];
    if (!slugs.includes(slug)) slugs.push(slug);
    found.set(collection_id, slugs);
  }
  for (const slugs of found.values()) slugs.sort();
  return found;
}

function byName(a: CollectionRow, b: CollectionRow): number {
  if (a.name_key !== b.name_key) return a.name_key < b.name_key ? -1 : 1;
  return a.slug < b.slug ? -1 : 1;
}

const OF_CATEGORY = 40;

// Orgs without a visible release are left out, unless somebody typed the whole domain.
async function orgHits(
  ctx: Context,
  input: { candidates: readonly NameCandidate[]; category: Category | null; scope: EntityScope },
): Promise<OrgHit[]> {
  const { candidates, category, scope } = input;
  const named = await namedOrgs(ctx, candidates, scope);
  const missing = MAX_ENTITIES - named.length;
  const others = category !== null && missing > 0 ? await orgsOfCategory(ctx, category, scope) : [];
  const known = new Set(named.map(({ id }) => id));
  const ranked = [...named, ...others.filter(({ id }) => !known.has(id))].sort(byRank).slice(0, MAX_ENTITIES);
  const aliases = await aliasDomains(
    ctx,
    ranked.map(({ id }) => id),
  );
  return ranked.map(({ row, tier }) => ({
    ...pick(orgFields(row), 'id', 'slug', 'name', 'domain', 'avatarUrl', 'category', 'status'),
    aliasDomains: aliases.get(row.id) ?? [],
    tier,
  }));
}

interface RankedOrg extends RankedEntity {
  row: OrgRow;
}

// Visibility is checked here and not in the query, which might then scan an index of visible orgs instead of reading these.
async function namedOrgs(ctx: Context, candidates: readonly NameCandidate[], scope: EntityScope): Promise<RankedOrg[]> {
  const { owners, filter } = scope;
  const inScope = [owners, filter.orgIds].flatMap((ids) => (ids ? new Set(ids) : []));
  const wanted = candidates.filter(({ id }) => inScope.every((ids) => ids.has(id)));
  if (wanted.length === 0) return [];
  const known = new Map(wanted.map((candidate) => [candidate.id, candidate]));
  const rows = await orgQuery(ctx, scope)
    .where(ctx.store.dialect.amongIds('o.id', [...known.keys()]))
    .modifyEnd(ONE_PLAN)
    .execute();
  const shown = rows.filter((row) => {
    const isShown = row.release_count > 0 || scope.includeEmpty || known.get(row.id)?.byDomain;
    return isShown && row.is_hidden === 0 && row.deleted_at === null;
  });
  return shown.map((row) => toRanked(row, known.get(row.id)?.tier ?? 0));
}

// The orgs of a category, the largest first; recent releases do not count here.
async function orgsOfCategory(ctx: Context, category: Category, scope: EntityScope): Promise<RankedOrg[]> {
  let largest = queries(ctx)
    .selectFrom('orgs')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .where('category', '=', category)
    .where('release_count', '>', 0);
  if (scope.owners !== null) largest = largest.where('id', 'in', [...scope.owners, '']);
  const rows = await largest.orderBy('release_count', 'desc').orderBy('id').limit(OF_CATEGORY).execute();
  const candidates = rows.map(({ id }) => ({ id, tier: CATEGORY_TIER, byDomain: false }));
  return namedOrgs(ctx, candidates, scope);
}

function orgQuery(ctx: Context, { filter }: EntityScope) {
  return queries(ctx)
    .selectFrom('orgs as o')
    .selectAll('o')
    .select(recentReleases(ctx, sql`rs.org_id = o.id`).as('recent'))
    .where(allOf(conditionsOf(ENTITY_FILTERS, { ...filter, orgIds: undefined }, ORG_COLUMNS)));
}

function toRanked(row: OrgRow & { recent: number }, tier: number): RankedOrg {
  return { id: row.id, tier, recent: Number(row.recent), nameKey: row.name_key, row };
}

async function aliasDomains(ctx: Context, orgIds: readonly string[]): Promise<Map<string, string[]>> {
  if (orgIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('domain_aliases')
    .select(['org_id', 'domain'])
    .where('org_id', 'in', orgIds)
    .where('deleted_at', 'is', null)
    .orderBy('domain')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.org_id ?? '');
  return new Map([...groups].map(([id, aliases]) => [id, aliases.map(({ domain }) => domain)]));
}
