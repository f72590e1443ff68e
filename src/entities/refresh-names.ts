// The names by which entities are found, written in the transaction that changes them.
import { type Context, queries, type WriteContext } from '../context.ts';
import type { EntityType } from '../contract/enums.ts';
import { type NamedEntity, nameRows } from '../domain/entity-names/name-rows.ts';
import type { EntityRef } from '../ports.ts';
import { insertMany } from '../store/insert-many.ts';
import type { EntityNameRow } from '../store/schema/search.ts';

// Writes the name rows of entities and removes those of deleted ones. Returns how many entities had wrong rows.
export async function refreshNames(ctx: WriteContext, refs: readonly EntityRef[]): Promise<number> {
  let changed = 0;
  for (const [type, group] of Map.groupBy(refs, (ref) => ref.type)) {
    const ids = [...new Set(group.map((ref) => ref.id))];
    const wanted = Map.groupBy(await wantedRows(ctx, type, ids), (row) => row.entity_id);
    const stored = Map.groupBy(await storedRows(ctx, type, ids), (row) => row.entity_id);
    const differing = ids.filter((id) => textOf(wanted.get(id)) !== textOf(stored.get(id)));
    if (differing.length === 0) continue;
    changed += differing.length;
    const known = differing.filter((id) => stored.has(id));
    if (known.length > 0) await forgetNames(ctx, type, known);
    const rows = differing.flatMap((id) => wanted.get(id) ?? []);
    await insertMany(ctx.tx, 'entity_names', rows);
  }
  return changed;
}

export async function forgetNames(ctx: WriteContext, type: EntityType, ids: readonly string[]): Promise<void> {
  await ctx.tx.deleteFrom('entity_names').where('entity_type', '=', type).where('entity_id', 'in', ids).execute();
}

function textOf(rows: readonly EntityNameRow[] = []): string {
  return rows
    .map((row) => `${row.class} ${row.suffix}`)
    .sort()
    .join('\n');
}

function storedRows(ctx: WriteContext, type: EntityType, ids: readonly string[]): Promise<EntityNameRow[]> {
  return ctx.tx
    .selectFrom('entity_names')
    .selectAll()
    .where('entity_type', '=', type)
    .where('entity_id', 'in', ids)
    .execute();
}

async function wantedRows(ctx: Context, type: EntityType, ids: readonly string[]): Promise<EntityNameRow[]> {
  const entities = await namedEntities(ctx, type, ids);
  return entities.flatMap(({ id, ...entity }) =>
    nameRows(entity).map((row) => ({ entity_type: type, class: row.class, suffix: row.suffix, entity_id: id })),
  );
}

type NamedEntityRow = NamedEntity & { id: string };

async function namedEntities(ctx: Context, type: EntityType, ids: readonly string[]): Promise<NamedEntityRow[]> {
  const db = queries(ctx);
  switch (type) {
    case 'org': {
      const rows = await db
        .selectFrom('orgs')
        .select(['id', 'name', 'slug', 'domain'])
        .where('id', 'in', ids)
        .execute();
      const aliases = await aliasesOf(ctx, 'org_id', ids);
      return rows.map(({ domain, ...row }) => ({
        ...row,
        domains: [...(domain === null ? [] : [domain]), ...(aliases.get(row.id) ?? [])],
      }));
    }
    case 'product': {
      const rows = await db.selectFrom('products').select(['id', 'name', 'slug']).where('id', 'in', ids).execute();
      const aliases = await aliasesOf(ctx, 'product_id', ids);
      return rows.map((row) => ({ ...row, domains: aliases.get(row.id) ?? [] }));
    }
    case 'source':
      return db
        .selectFrom('sources')
        .select(['id', 'name', 'slug', 'url', 'github_coordinate as repository'])
        .where('id', 'in', ids)
        .execute();
    case 'collection':
      return db
        .selectFrom('collections')
        .select(['id', 'name', 'slug', 'description'])
        .where('id', 'in', ids)
        .execute();
  }
}

// The aliases of each owner, even of a deleted one: it may be restored, and it is not shown until then.
async function aliasesOf(
  ctx: Context,
  owner: 'org_id' | 'product_id',
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queries(ctx)
    .selectFrom('domain_aliases')
    .select(['domain', `${owner} as owner`])
    .where(owner, 'in', ids)
    .orderBy('domain')
    .execute();
  const groups = Map.groupBy(rows, (row) => row.owner ?? '');
  return new Map([...groups].map(([id, aliases]) => [id, aliases.map(({ domain }) => domain)]));
}
