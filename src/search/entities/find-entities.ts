import { categoryTexts } from '../../catalog/taxonomy/category-text.ts';
import type { Context } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import type { CatalogHit, CollectionHit, OrgHit, SourceHit } from '../../contract/search.ts';
import { normalName } from '../../domain/entity-names/normal-name.ts';
import { CATEGORY_TIER, nameQuery } from '../../domain/entity-names/tiers.ts';
import { editedCandidates, type NameCandidates, nameCandidates } from './candidates.ts';
import { catalogHits } from './catalog-hits.ts';
import { collectionHits, type FoundMembers } from './collection-hits.ts';
import { orgHits } from './org-hits.ts';
import type { EntityScope } from './ranked.ts';

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
  const orgs = await orgHits(ctx, { candidates: candidates.org, category, scope });
  const { product: products, source: sources } = candidates;
  const entries = await catalogHits(ctx, { products, sources, category, scope });
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
