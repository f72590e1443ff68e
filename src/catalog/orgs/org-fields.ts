// The row of an org as wire fields. Lists, details and search hits of orgs select from these.
import { type Context, queries } from '../../context.ts';
import type { OrgFields, OrgRowShape } from '../../contract/org.ts';
import { parseJson } from '../../store/json-text.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { aliasesOf } from './entity-aliases.ts';
import { tagNamesOf } from './entity-tags.ts';

type CoreColumn = 'id' | 'slug' | 'name' | 'domain' | 'description' | 'category' | 'avatar_url';

// The fields that every shape of an org begins with.
export function orgCore(row: Pick<OrgRow, CoreColumn>) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatar_url,
  };
}

export function orgFields(row: OrgRow): OrgFields {
  return {
    ...orgCore(row),
    discovery: row.discovery,
    status: row.status,
    isHidden: row.is_hidden === 1,
    featured: row.featured === 1,
    fetchPaused: row.fetch_paused === 1,
    autoGenerateContent: row.auto_generate_content === 1,
    overviewCadenceDays: row.overview_cadence_days,
    trackingRequestedAt: row.tracking_requested_at,
    notice: row.notice && parseJson(row.notice),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}

// The response of writes.
export async function orgRowShape(ctx: Context, row: OrgRow): Promise<OrgRowShape> {
  const { notice, createdAt, updatedAt, deletedAt, ...fields } = orgFields(row);
  return {
    ...fields,
    tags: await tagNamesOf(ctx, { orgId: row.id }),
    aliases: await aliasesOf(ctx, { orgId: row.id }),
    notice,
    createdAt,
    updatedAt,
    deletedAt,
  };
}

export async function orgRowById(ctx: Context, id: string): Promise<OrgRowShape> {
  const row = await queries(ctx).selectFrom('orgs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return orgRowShape(ctx, row);
}
