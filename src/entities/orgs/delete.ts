import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordAudit } from '../audit.ts';
import { type Deletion, requireHardDeletion } from '../hard-deletion.ts';
import { lockOrgs } from '../org-claims.ts';
import { resolveOrg } from '../resolve.ts';
import { eraseSources } from '../sources/delete.ts';
import { orgRowShape } from './org-fields.ts';

export function deleteOrg(ctx: Context, input: { org: string; hard: boolean }): Promise<Deletion> {
  return input.hard ? eraseOrg(ctx, input.org) : softDeleteOrg(ctx, input.org);
}

// Everything below the org gets the same deletion timestamp, by which a restore finds it.
async function softDeleteOrg(ctx: Context, identifier: string): Promise<Deletion> {
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const row = await resolveOrg(ctx, identifier);
    const deletedAt = now(ctx);
    const before = await orgRowShape(ctx, row);
    const sources = await ctx.tx
      .updateTable('sources')
      .set({ deleted_at: deletedAt })
      .where('org_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .execute();
    await markChildren(ctx, row.id, { from: null, to: deletedAt });
    await ctx.tx.updateTable('orgs').set({ deleted_at: deletedAt }).where('id', '=', row.id).execute();
    await ctx.ports.releases.relist(
      ctx,
      sources.map((source) => source.id),
    );
    await ctx.ports.webhooks.dropTargets(ctx, { orgId: row.id });
    await recordAudit(ctx, { action: 'org.delete', targetType: 'org', targetId: row.id, before });
    return { deleted: true, deletedAt };
  });
}

// Changes the deletion timestamp (or null) of an org's products, accounts and aliases.
export async function markChildren(
  ctx: WriteContext,
  orgId: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  const equals = from === null ? 'is' : '=';
  const products = ctx.tx.selectFrom('products').select('id').where('org_id', '=', orgId);
  await ctx.tx
    .updateTable('domain_aliases')
    .set({ deleted_at: to })
    .where('deleted_at', equals, from)
    .where((eb) => eb.or([eb('org_id', '=', orgId), eb('product_id', 'in', products)]))
    .execute();
  for (const table of ['products', 'org_accounts'] as const) {
    await ctx.tx
      .updateTable(table)
      .set({ deleted_at: to })
      .where('org_id', '=', orgId)
      .where('deleted_at', equals, from)
      .execute();
  }
}

// A hard deletion takes an id, because a slug may have belonged to another org; it also finds soft-deleted orgs.
async function eraseOrg(ctx: Context, id: string): Promise<Deletion> {
  requireHardDeletion(ctx, { prefix: 'org', value: id });
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const row = await ctx.tx.selectFrom('orgs').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound('org', id);
    const before = await orgRowShape(ctx, row);
    const sources = await ctx.tx.selectFrom('sources').select('id').where('org_id', '=', id).execute();
    await eraseSources(
      ctx,
      sources.map((source) => source.id),
    );
    await ctx.tx.deleteFrom('orgs').where('id', '=', id).execute();
    await recordAudit(ctx, { action: 'org.erase', targetType: 'org', targetId: id, before });
    return { deleted: true, hard: true };
  });
}
