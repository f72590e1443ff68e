// The row of a collection as wire fields, for lists and search hits.
import type { Context } from '../../context.ts';
import type { CollectionListItem, CollectionRowShape, OrgMemberPreview } from '../../contract/collection.ts';
import { pick } from '../../contract/pick.ts';
import type { CollectionRow } from '../../store/schema/taxonomy.ts';
import { memberPreview } from './member-shape.ts';
import { visibleMembers } from './visible-members.ts';

const PREVIEWS = 3;

export function collectionFields(row: CollectionRow): CollectionRowShape {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    isFeatured: row.is_featured === 1,
    dailySummaryEnabled: false,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function collectionListItems(ctx: Context, rows: readonly CollectionRow[]): Promise<CollectionListItem[]> {
  const members = await visibleMembers(ctx, { collectionIds: rows.map((row) => row.id), most: PREVIEWS });
  return rows.map((row) => {
    const shown = members.get(row.id) ?? [];
    const previewMembers = shown.map(memberPreview);
    const fields = collectionFields(row);
    return {
      ...pick(fields, 'slug', 'name', 'description'),
      memberCount: shown[0]?.memberCount ?? 0,
      isFeatured: fields.isFeatured,
      previewMembers,
      previewOrgs: previewMembers.flatMap((member) => (member.kind === 'org' ? [withoutKind(member)] : [])),
    };
  });
}

export function withoutKind<T extends OrgMemberPreview & { kind: 'org' }>({ kind: _, ...org }: T): Omit<T, 'kind'> {
  return org;
}
