// Domain aliases of orgs and products. A domain belongs to one org, as its own or as an alias; products may share one.

import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { refreshNames } from '../../indexing/refresh-names.ts';
import type { EntityRef } from '../../ports.ts';

type AliasOwner = { orgId: string } | { productId: string };

export async function aliasesOf(ctx: Context, owner: AliasOwner): Promise<string[]> {
  const rows = await queries(ctx)
    .selectFrom('domain_aliases')
    .select('domain')
    .where(columnOf(owner), '=', idOf(owner))
    .orderBy('domain')
    .execute();
  return [...new Set(rows.map((row) => row.domain))];
}

export async function insertAliases(ctx: WriteContext, owner: AliasOwner, domains: readonly string[]): Promise<void> {
  const distinct = [...new Set(domains)];
  if (distinct.length === 0) return;
  const rows = distinct.map((domain) => ({
    id: newId('da', ctx.randomBytes),
    domain,
    org_id: 'orgId' in owner ? owner.orgId : null,
    product_id: 'productId' in owner ? owner.productId : null,
    created_at: now(ctx),
    deleted_at: null,
  }));
  await ctx.tx.insertInto('domain_aliases').values(rows).execute();
  await refreshNames(ctx, [entityOf(owner)]);
}

// Aliases that stay keep their row and its creation time.
export async function replaceAliases(ctx: WriteContext, owner: AliasOwner, domains: readonly string[]): Promise<void> {
  const stored = await aliasesOf(ctx, owner);
  await removeAliases(
    ctx,
    owner,
    stored.filter((domain) => !domains.includes(domain)),
  );
  await insertAliases(
    ctx,
    owner,
    domains.filter((domain) => !stored.includes(domain)),
  );
}

// Returns how many rows were deleted.
export async function removeAliases(ctx: WriteContext, owner: AliasOwner, domains: readonly string[]): Promise<number> {
  if (domains.length === 0) return 0;
  const { numDeletedRows } = await ctx.tx
    .deleteFrom('domain_aliases')
    .where(columnOf(owner), '=', idOf(owner))
    .where('domain', 'in', [...domains])
    .executeTakeFirst();
  await refreshNames(ctx, [entityOf(owner)]);
  return Number(numDeletedRows);
}

function entityOf(owner: AliasOwner): EntityRef {
  return { type: 'orgId' in owner ? 'org' : 'product', id: idOf(owner) };
}

function columnOf(owner: AliasOwner): 'org_id' | 'product_id' {
  return 'orgId' in owner ? 'org_id' : 'product_id';
}

function idOf(owner: AliasOwner): string {
  return 'orgId' in owner ? owner.orgId : owner.productId;
}
