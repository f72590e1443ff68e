import { addDependencies, type Context, queries } from '../../context.ts';
import type { CollectionDetail } from '../../contract/collection.ts';
import { notFound } from '../../contract/errors.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { collectionFields, placedMember, visibleMembers, withoutKind } from './collection-fields.ts';

export async function collectionDetail(ctx: Context, identifier: string): Promise<CollectionDetail> {
  const row = await resolveCollection(ctx, identifier);
  const found = await visibleMembers(ctx, { collectionIds: [row.id] });
  const members = (found.get(row.id) ?? []).map(placedMember);
  // The response shows the release counts of its members, so it depends on them.
  addDependencies(ctx, ...members.map(({ id }) => id));
  return {
    ...collectionFields(row),
    memberCount: members.length,
    members,
    orgs: members.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
  };
}

export async function findCollection(ctx: Context, identifier: string): Promise<CollectionRow | null> {
  const column = idPrefixOf(identifier) === 'col' ? 'id' : 'slug';
  const row = await queries(ctx)
    .selectFrom('collections')
    .selectAll()
    .where(column, '=', identifier)
    .executeTakeFirst();
  return row ?? null;
}

export async function resolveCollection(ctx: Context, identifier: string): Promise<CollectionRow> {
  const found = await findCollection(ctx, identifier);
  if (!found) throw notFound('collection', identifier);
  addDependencies(ctx, found.id);
  return found;
}

export interface MemberKey {
  orgId: string;
  orgSlug: string | null;
  productId: string | null;
  productSlug: string | null;
}

// The ids of visible members, without the columns of the wire shape.
export async function memberKeys(ctx: Context, collectionId: string): Promise<MemberKey[]> {
  const orgs = await queries(ctx)
    .selectFrom('collection_members as m')
    .innerJoin('orgs as o', 'o.id', 'm.org_id')
    .select(['o.id as orgId', 'o.slug as orgSlug'])
    .where('m.collection_id', '=', collectionId)
    .where('m.org_id', 'is not', null)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  const products = await queries(ctx)
    .selectFrom('collection_members as m')
    .innerJoin('products as p', 'p.id', 'm.product_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.org_id as orgId', 'p.id as productId', 'p.slug as productSlug'])
    .where('m.collection_id', '=', collectionId)
    .where('m.product_id', 'is not', null)
    .where('p.deleted_at', 'is', null)
    .where('p.is_hidden', '=', 0)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return [
    ...orgs.map((org) => ({ ...org, productId: null, productSlug: null })),
    ...products.map((product) => ({ ...product, orgSlug: null })),
  ];
}
