import type { Context } from '../../context.ts';
import type { CollectionDetail } from '../../contract/collection.ts';
import { collectionFields, withoutKind } from './collection-fields.ts';
import { resolveCollection } from './find.ts';
import { placedMember } from './member-shape.ts';
import { visibleMembers } from './visible-members.ts';

export async function collectionDetail(ctx: Context, identifier: string): Promise<CollectionDetail> {
  const row = await resolveCollection(ctx, identifier);
  const found = await visibleMembers(ctx, { collectionIds: [row.id] });
  const members = (found.get(row.id) ?? []).map(placedMember);
  return {
    ...collectionFields(row),
    memberCount: members.length,
    members,
    orgs: members.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
  };
}
