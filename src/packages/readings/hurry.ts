// Somebody waits for a reading: it goes before what nobody waits for.
import { type Context, now, transact } from '../../context.ts';
import { askerPriority } from '../../domain/readings/reading.ts';

export async function hurryReading(ctx: Context, id: string): Promise<void> {
  const row = await ctx.store.read
    .selectFrom('readings')
    .select(['ecosystem', 'name'])
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('priority', '>', askerPriority('person'))
    .executeTakeFirst();
  if (!row) return;
  const priority = askerPriority('person');
  await transact(
    ctx,
    async (ctx) => {
      await ctx.tx
        .updateTable('readings')
        .set({ priority, turn_at: now(ctx) })
        .where('id', '=', id)
        .execute();
      await ctx.ports.readings.enqueue(ctx, [row]);
    },
    'bookkeeping',
  );
}
