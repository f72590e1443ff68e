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
