// Compares all name rows with the catalog and repairs differences: for registries that are older than the table, and for
// changes that did not update it.
import { type Context, transact, type WriteContext } from '../../context.ts';
import type { EntityType } from '../../contract/enums.ts';
import { keysOf } from '../../domain/records.ts';
import { forgetNames, refreshNames } from '../../entities/refresh-names.ts';

const PAGE = 200;
const TABLES = { org: 'orgs', product: 'products', source: 'sources', collection: 'collections' } as const;
const TYPES = keysOf(TABLES);

// Returns how many entities were repaired.
export async function checkNames(ctx: Context): Promise<number> {
  let changed = 0;
  for (const type of TYPES) {
    for (let after = ''; ; ) {
      const ids = await idsAfter(ctx, type, after);
      const last = ids.at(-1);
      if (last === undefined) break;
      const refs = ids.map((id) => ({ type, id }));
      changed += await transact(ctx, (ctx) => refreshNames(ctx, refs), 'derived');
      after = last;
    }
    changed += await transact(ctx, (ctx) => forgetStrays(ctx, type), 'derived');
  }
  return changed;
}

async function idsAfter({ store }: Context, type: EntityType, after: string): Promise<string[]> {
  const rows = await store.read
    .selectFrom(TABLES[type])
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  return rows.map((row) => row.id);
}

async function forgetStrays(ctx: WriteContext, type: EntityType): Promise<number> {
  const rows = await ctx.tx
    .selectFrom('entity_names')
    .select('entity_id')
    .distinct()
    .where('entity_type', '=', type)
    .where('entity_id', 'not in', (eb) => eb.selectFrom(TABLES[type]).select('id'))
    .execute();
  const ids = rows.map((row) => row.entity_id);
  for (let at = 0; at < ids.length; at += PAGE) await forgetNames(ctx, type, ids.slice(at, at + PAGE));
  return ids.length;
}
