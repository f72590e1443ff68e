// Replaces the public rows of the lists inside records by those of the file.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import type { RecordData } from './record-children.ts';

type TagLinks = { table: 'org_tags' | 'product_tags'; column: 'org_id' | 'product_id'; id: string };

export async function replaceTags(ctx: WriteContext, { table, column, id }: TagLinks, data: RecordData): Promise<void> {
  const { tags: slugs = [] } = data;
  await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(ctx.tx);
  if (slugs.length === 0) return;
  await sql`INSERT INTO ${sql.table(table)} (${sql.ref(column)}, tag_id)
    SELECT ${id}, id FROM tags WHERE slug IN (${sql.join(slugs)})`.execute(ctx.tx);
}

export async function replaceAccounts(ctx: WriteContext, orgId: string, data: RecordData): Promise<void> {
  const { accounts = [] } = data;
  await ctx.tx.deleteFrom('org_accounts').where('org_id', '=', orgId).where('deleted_at', 'is', null).execute();
  if (accounts.length === 0) return;
  const rows = accounts.map(({ platform, handle, createdAt }) => ({
    id: newId('oa', ctx.randomBytes),
    org_id: orgId,
    platform,
    handle,
    created_at: createdAt,
    deleted_at: null,
  }));
  await ctx.tx.insertInto('org_accounts').values(rows).execute();
}

export async function replaceAliases(
  ctx: WriteContext,
  { column, id }: { column: 'org_id' | 'product_id'; id: string },
  data: RecordData,
): Promise<void> {
  const { aliases = [] } = data;
  await ctx.tx.deleteFrom('domain_aliases').where(column, '=', id).where('deleted_at', 'is', null).execute();
  if (aliases.length === 0) return;
  const rows = aliases.map(({ domain, createdAt }) => ({
    id: newId('da', ctx.randomBytes),
    domain,
    org_id: column === 'org_id' ? id : null,
    product_id: column === 'product_id' ? id : null,
    created_at: createdAt,
    deleted_at: null,
  }));
  await ctx.tx.insertInto('domain_aliases').values(rows).execute();
}

// Hidden members stay, because a file never contains them. Members that do not exist here are left out.
export async function replaceMembers(ctx: WriteContext, data: RecordData, before: RecordData | null): Promise<void> {
  const collectionId = String(data.id);
  const { members = [] } = data;
  const gone = [...(before?.members ?? []), ...members];
  for (const [column, ids] of [
    ['org_id', gone.flatMap(({ orgId }) => orgId ?? [])],
    ['product_id', gone.flatMap(({ productId }) => productId ?? [])],
  ] as const) {
    if (ids.length === 0) continue;
    await ctx.tx
      .deleteFrom('collection_members')
      .where('collection_id', '=', collectionId)
      .where(column, 'in', ids)
      .execute();
  }
  for (const { orgId, productId, position, createdAt } of members) {
    const [table, id] = productId === null ? (['orgs', orgId] as const) : (['products', productId] as const);
    await sql`INSERT INTO collection_members (collection_id, org_id, product_id, position, created_at)
      SELECT ${collectionId}, ${sql.raw(productId === null ? 'id' : 'NULL')}, ${sql.raw(productId === null ? 'NULL' : 'id')},
        ${sql.lit(position)}, ${createdAt} FROM ${sql.table(table)} WHERE id = ${id}`.execute(ctx.tx);
  }
}
