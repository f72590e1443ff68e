import type { Context } from '../../context.ts';
import type { CollectionDetail } from '../../contract/collection.ts';
import { collectionRowShape, resolveCollection } from './find.ts';
import { withoutKind } from './list-item.ts';
import { placedMember } from './member-shape.ts';
import { visibleMembers } from './visible-members.ts';

export async function collectionDetail(ctx: Context, identifier: string): Promise<CollectionDetail> {
  const row = await resolveCollection(ctx, identifier);
  const found = await visibleMembers(ctx, { collectionIds: [row.id] });
  const members = (found.get(row.id) ?? []).map(placedMember);
  return {
    ...collectionRowShape(row),
    memberCount: members.length,
    members,
    orgs: members.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
  };
}
