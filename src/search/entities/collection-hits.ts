// Collections found by their own names, or because a found org or product is a member.
import { collectionListItems } from '../../catalog/collections/collection-fields.ts';
import { type Context, queries } from '../../context.ts';
import { type CollectionHit, MOST_ENTITIES } from '../../contract/search.ts';
import { elementAt } from '../../domain/records.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import type { NameCandidate } from './candidates.ts';
import { type EntityScope, tiersOf } from './ranked.ts';

export interface FoundMembers {
  // Ids with the slug of their org, the best matches first.
  orgs: ReadonlyMap<string, string>;
  products: ReadonlyMap<string, string>;
}

export async function collectionHits(
  ctx: Context,
  input: { candidates: readonly NameCandidate[]; members: FoundMembers; scope: EntityScope },
): Promise<CollectionHit[]> {
  const { candidates, members, scope } = input;
  const tiers = tiersOf(candidates);
  const belonging = await memberships(ctx, members);
  const ids = [...new Set([...tiers.keys(), ...belonging.keys()])];
  const rows = (await collectionRows(ctx, ids))
    .filter(({ id }) => scope.collectionId === null || scope.collectionId === id)
    .map((row) => ({ row, tier: tiers.get(row.id) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.tier === b.tier ? byName(a.row, b.row) : a.tier - b.tier))
    .slice(0, MOST_ENTITIES);
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

function collectionRows(ctx: Context, ids: readonly string[]): Promise<CollectionRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return queries(ctx).selectFrom('collections').selectAll().where('id', 'in', ids).execute();
}

function byName(a: CollectionRow, b: CollectionRow): number {
  if (a.name_key !== b.name_key) return a.name_key < b.name_key ? -1 : 1;
  return a.slug < b.slug ? -1 : 1;
}
