import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import type { OrgRowShape } from '../../contract/org.ts';
import type { OrgChange } from '../../contract/org-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { changedColumns } from '../../store/changed-columns.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { lockOrgs, requireFreeDomain, requireFreeSlug } from '../org-claims.ts';
import { refreshNames } from '../refresh-names.ts';
import { resolveOrg } from '../resolve.ts';
import { changedCategory } from '../taxonomy/category.ts';
import { aliasesOf, checkTagNames, replaceAliases, replaceTags } from '../taxonomy/entity-labels.ts';
import { orgRowShape } from './org-fields.ts';

export async function updateOrg(ctx: Context, input: { org: string; change: OrgChange }): Promise<OrgRowShape> {
  const { change } = input;
  checkTagNames(change.tags);
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const category = await changedCategory(ctx, change.category);
    const row = await resolveOrg(ctx, input.org);
    const before = await orgRowShape(ctx, row);
    const columns = changedColumns(row, wantedColumns({ ...change, category }));
    const aliases = await wantedAliases(ctx, row, change);
    await requireFree(ctx, { row, columns, aliases });

    if (aliases) await replaceAliases(ctx, { orgId: row.id }, aliases);
    if (change.tags) await replaceTags(ctx, { orgId: row.id }, change.tags);
    const next: OrgRow = { ...row, ...columns };
    const after = await orgRowShape(ctx, next);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    next.updated_at = now(ctx);
    await ctx.tx
      .updateTable('orgs')
      .set({ ...columns, ...followUps(row, columns), updated_at: next.updated_at })
      .where('id', '=', row.id)
      .execute();
    if (NAMING.some((column) => column in columns)) await refreshNames(ctx, [{ type: 'org', id: row.id }]);
    if ('is_hidden' in columns || 'category' in columns) await relistOrg(ctx, row.id);
    const shape = { ...after, updatedAt: next.updated_at };
    await recordAudit(ctx, { action: 'org.update', targetType: 'org', targetId: row.id, before, after: shape });
    return shape;
  });
}

// The columns by whose values an org is found.
const NAMING = ['name', 'slug', 'domain'] as const;

type CheckedOrgChange = Omit<OrgChange, 'category'> & { category?: Category | null };

function wantedColumns(change: CheckedOrgChange): Partial<OrgRow> {
  return {
    name: change.name,
    name_key: change.name === undefined ? undefined : foldName(change.name),
    slug: change.slug,
    domain: change.domain,
    description: change.description === '' ? null : change.description,
    category: change.category,
    avatar_url: change.avatarUrl,
    featured: flagOf(change.featured),
    is_hidden: flagOf(change.isHidden),
    auto_generate_content: flagOf(change.autoGenerateContent),
    fetch_paused: flagOf(change.fetchPaused),
    overview_cadence_days: change.overviewCadenceDays,
    discovery: change.discovery,
    notice: change.notice ? toJson(change.notice) : change.notice,
    tracking_requested_at: change.trackingRequestedAt,
  };
}

function flagOf(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

// Null when the aliases do not change. A domain that becomes the org's own is removed from its aliases.
async function wantedAliases(ctx: WriteContext, row: OrgRow, change: OrgChange): Promise<string[] | null> {
  if (!change.aliases && !change.domain) return null;
  const domain = change.domain === undefined ? row.domain : change.domain;
  const aliases = change.aliases ?? (await aliasesOf(ctx, { orgId: row.id }));
  return [...new Set(aliases)].filter((alias) => alias !== domain);
}

async function requireFree(
  ctx: WriteContext,
  { row, columns, aliases }: { row: OrgRow; columns: Partial<OrgRow>; aliases: readonly string[] | null },
): Promise<void> {
  const exceptOrg = row.id;
  if (columns.slug) await requireFreeSlug(ctx, columns.slug, { exceptOrg });
  if (columns.domain) await requireFreeDomain(ctx, columns.domain, { exceptOrg });
  for (const domain of aliases ?? []) await requireFreeDomain(ctx, domain, { field: 'aliases', exceptOrg });
}

// A field that an operator sets is no longer updated from the manifest; a changed text makes the embedding stale.
function followUps(row: OrgRow, columns: Partial<OrgRow>): Partial<OrgRow> {
  const declared = parseJson(row.self_declared).filter((field) => !(field in columns));
  const isReworded = ['name', 'description', 'category', 'domain'].some((column) => column in columns);
  return { self_declared: toJson(declared), ...(isReworded ? { embedded_at: null } : {}) };
}

async function relistOrg(ctx: WriteContext, orgId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .execute();
  await ctx.ports.releases.relist(
    ctx,
    rows.map((row) => row.id),
  );
}
