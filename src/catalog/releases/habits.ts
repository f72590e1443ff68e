// How a source usually writes, as it was counted last over its releases.
import type { WriteContext } from '../../context.ts';
import { type Habits, habitsFromJson } from '../../domain/notes/index.ts';

export async function habitsOf(ctx: WriteContext, sourceId: string): Promise<Habits | undefined> {
  const row = await ctx.tx
    .selectFrom('derivations')
    .select('habits')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row ? habitsFromJson(row.habits) : undefined;
}
