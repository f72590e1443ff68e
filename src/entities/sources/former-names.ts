// Former names of a repository: stored on its source, and in a table by name, because a lookup of an old name has
// nothing else.
import type { WriteContext } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';

export async function setFormerNames(ctx: WriteContext, sourceId: string, names: readonly string[]): Promise<void> {
  const text = toJson(names);
  await ctx.tx.updateTable('sources').set({ former_coordinates: text }).where('id', '=', sourceId).execute();
  await ctx.tx.deleteFrom('former_coordinates').where('source_id', '=', sourceId).execute();
  if (names.length === 0) return;
  const rows = [...new Set(names)].map((coordinate) => ({ coordinate, source_id: sourceId }));
  await ctx.tx.insertInto('former_coordinates').values(rows).execute();
}
