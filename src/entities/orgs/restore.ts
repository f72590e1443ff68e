import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import type { OrgRowShape } from '../../contract/org.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { lockOrgs, requireFreeAccount, requireFreeDomain, requireFreeSlug } from '../org-claims.ts';
import { markChildren } from './delete.ts';
import { orgRowShape } from './org-fields.ts';

// Restores an org with everything that was deleted in the same call; what had been deleted before stays deleted.
export async function restoreOrg(ctx: Context, input: { org: string }): Promise<OrgRowShape> {
  if (idPrefixOf(input.org) !== 'org') throw badRequest('org', 'takes the id of the org, not a slug or domain');
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const row = await ctx.tx.selectFrom('orgs').selectAll().where('id', '=', input.org).executeTakeFirst();
    if (!row) throw notFound('org', input.org);
    const { deleted_at: deletedAt } = row;
    if (deletedAt === null) return orgRowShape(ctx, row);
    await requireStillFree(ctx, row, deletedAt);

    const next: OrgRow = { ...row, deleted_at: null, updated_at: now(ctx) };
    await ctx.tx
      .updateTable('orgs')
      .set({ deleted_at: null, updated_at: next.updated_at })
      .where('id', '=', row.id)
      .execute();
    await markChildren(ctx, row.id, { from: deletedAt, to: null });
    const sources = await ctx.tx
      .updateTable('sources')
      .set({ deleted_at: null })
      .where('org_id', '=', row.id)
      .where('deleted_at', '=', deletedAt)
      .returning('id')
      .execute();
    await ctx.ports.releases.relist(
      ctx,
      sources.map((source) => source.id),
    );
    const shape = await orgRowShape(ctx, next);
    await recordAudit(ctx, { action: 'org.restore', targetType: 'org', targetId: row.id, after: shape });
    return shape;
  });
}

async function requireStillFree(ctx: WriteContext, row: OrgRow, deletedAt: string): Promise<void> {
  await requireFreeSlug(ctx, row.slug);
  if (row.domain) await requireFreeDomain(ctx, row.domain);
  const aliases = await ctx.tx
    .selectFrom('domain_aliases')
    .select('domain')
    .where('org_id', '=', row.id)
    .where('deleted_at', '=', deletedAt)
    .execute();
  for (const { domain } of aliases) await requireFreeDomain(ctx, domain, { field: 'aliases' });
  const accounts = await ctx.tx
    .selectFrom('org_accounts')
    .select(['platform', 'handle'])
    .where('org_id', '=', row.id)
    .where('deleted_at', '=', deletedAt)
    .execute();
  for (const account of accounts) await requireFreeAccount(ctx, account, { field: 'accounts' });
}
