import { type Context, now } from '../../context.ts';

// Sources whose fetch is due and does not run, the longest waiting first.
export async function dueSources(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('jobs')
    .select('source_id')
    .where('kind', '=', 'fetch')
    .where('lease_until', 'is', null)
    .where('due_at', '<=', now(ctx))
    .where('key', 'like', 'fetch:%')
    .orderBy('due_at')
    .execute();
  return rows.flatMap((row) => row.source_id ?? []);
}
