import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { OrgRowShape } from '../../contract/org.ts';
import type { AccountInput, OrgCreation } from '../../contract/org-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import { toJson } from '../../store/json-text.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { lockOrgs, orgSlugOf, requireFreeAccount, requireFreeDomain, requireFreeSlug } from '../org-claims.ts';
import { refreshNames } from '../refresh-names.ts';
import { categoryOfBody } from '../taxonomy/category.ts';
import { addTags, checkTagNames, insertAliases } from '../taxonomy/entity-labels.ts';
import { orgRowShape } from './org-fields.ts';

export async function createOrg(ctx: Context, input: OrgCreation): Promise<OrgRowShape> {
  const slug = orgSlugOf(input);
  checkTagNames(input.tags);
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const category = input.category === undefined ? null : await categoryOfBody(ctx, input.category);
    const row = await insertOrg(ctx, {
      slug,
      name: input.name,
      domain: input.domain ?? null,
      description: input.description || null,
      category,
      avatar_url: input.avatarUrl ?? null,
      featured: Number(input.featured ?? false),
      is_hidden: Number(input.isHidden ?? false),
      auto_generate_content: Number(input.autoGenerateContent ?? true),
      fetch_paused: Number(input.fetchPaused ?? false),
    });
    await claimAliases(ctx, row, input.aliases ?? []);
    await addTags(ctx, { orgId: row.id }, input.tags ?? []);
    await addAccounts(ctx, row.id, input.accounts ?? []);
    const shape = await orgRowShape(ctx, row);
    await recordAudit(ctx, { action: 'org.create', targetType: 'org', targetId: row.id, after: shape });
    return shape;
  });
}

type NewOrg = Partial<OrgRow> & Pick<OrgRow, 'slug' | 'name' | 'domain'>;

export async function insertOrg(ctx: WriteContext, input: NewOrg): Promise<OrgRow> {
  await requireFreeSlug(ctx, input.slug);
  if (input.domain) await requireFreeDomain(ctx, input.domain);
  const at = now(ctx);
  const row: OrgRow = {
    id: newId('org', ctx.randomBytes),
    name_key: foldName(input.name),
    description: null,
    category: null,
    avatar_url: null,
    status: 'tracked',
    discovery: 'curated',
    is_hidden: 0,
    featured: 0,
    fetch_paused: 0,
    auto_generate_content: 1,
    overview_cadence_days: null,
    tracking_requested_at: null,
    promoting_at: null,
    notice: null,
    self_declared: toJson([]),
    manifest_hash: null,
    manifest_checked_at: null,
    embedded_at: null,
    release_count: 0,
    source_count: 0,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    ...input,
  };
  await ctx.tx.insertInto('orgs').values(row).execute();
  await refreshNames(ctx, [{ type: 'org', id: row.id }]);
  return row;
}

// An org's own domain needs no alias.
async function claimAliases(ctx: WriteContext, org: OrgRow, domains: readonly string[]): Promise<void> {
  const aliases = domains.filter((domain) => domain !== org.domain);
  for (const domain of aliases) await requireFreeDomain(ctx, domain, { field: 'aliases', exceptOrg: org.id });
  await insertAliases(ctx, { orgId: org.id }, aliases);
}

export async function addAccounts(ctx: WriteContext, orgId: string, accounts: readonly AccountInput[]): Promise<void> {
  const seen = new Set<string>();
  for (const { platform, handle } of accounts) {
    if (seen.has(`${platform}/${handle}`)) continue;
    seen.add(`${platform}/${handle}`);
    await requireFreeAccount(ctx, { platform, handle }, { field: 'accounts' });
    await insertAccount(ctx, orgId, { platform, handle });
  }
}

export async function insertAccount(ctx: WriteContext, orgId: string, account: AccountInput): Promise<void> {
  await ctx.tx
    .insertInto('org_accounts')
    .values({
      id: newId('oa', ctx.randomBytes),
      org_id: orgId,
      ...account,
      created_at: now(ctx),
      deleted_at: null,
    })
    .execute();
}
