import type { Context } from '../../context.ts';
import type { CollectionListItem, OrgMemberPreview } from '../../contract/collection.ts';
import type { CollectionRow } from '../../store/schema.ts';
import { memberPreview } from './member-shape.ts';
import { visibleMembers } from './visible-members.ts';

const PREVIEWS = 3;

export async function collectionListItems(ctx: Context, rows: readonly CollectionRow[]): Promise<CollectionListItem[]> {
  const members = await visibleMembers(ctx, { collectionIds: rows.map((row) => row.id), most: PREVIEWS });
  return rows.map((row) => {
    const shown = members.get(row.id) ?? [];
    const previewMembers = shown.map(memberPreview);
    return {
      slug: row.slug,
      name: row.name,
      description: row.description,
      memberCount: shown[0]?.memberCount ?? 0,
      isFeatured: row.is_featured === 1,
      previewMembers,
      previewOrgs: previewMembers.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
    };
  });
}

export function withoutKind<T extends OrgMemberPreview & { kind: 'org' }>({ kind: _, ...org }: T): Omit<T, 'kind'> {
  return org;
}
