// Named values that adapters and jobs store between runs of a source, written in the transaction of the run.
import { now, type WriteContext } from '../../context.ts';
import type { Queries } from '../../store/schema/index.ts';
import type { Memory } from '../adapters/memory.ts';

// Null removes a value.
export async function storeMemory(ctx: WriteContext, sourceId: string, memory: Memory): Promise<void> {
  for (const [name, value] of Object.entries(memory)) {
    if (value === null) {
      await ctx.tx.deleteFrom('source_memory').where('source_id', '=', sourceId).where('name', '=', name).execute();
      continue;
    }
    const columns = { value: JSON.stringify(value), stored_at: now(ctx) };
    await ctx.tx
      .insertInto('source_memory')
      .values({ source_id: sourceId, name, ...columns })
      .onConflict((conflict) => conflict.columns(['source_id', 'name']).doUpdateSet(columns))
      .execute();
  }
}

export async function readMemory(db: Queries, sourceId: string): Promise<Memory> {
  const rows = await db
    .selectFrom('source_memory')
    .select(['name', 'value'])
    .where('source_id', '=', sourceId)
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]));
}
