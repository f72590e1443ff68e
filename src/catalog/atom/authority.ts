// The name in the ids of feeds. It is settled once and never changes, so that no reader sees old entries as new.
import { type Context, now, queries, transact } from '../../context.ts';

const KEY = 'feed_authority';

export async function feedAuthority(ctx: Context): Promise<string> {
  if (ctx.config.feedAuthority !== null) return ctx.config.feedAuthority;
  const known = await stored(ctx);
  if (known !== null) return known;
  const value = JSON.stringify(new URL(ctx.config.baseUrl).hostname);
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('settings')
        .values({ key: KEY, value, updated_at: now(ctx) })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute(),
    'bookkeeping',
  );
  return (await stored(ctx)) ?? (JSON.parse(value) as string);
}

async function stored(ctx: Context): Promise<string | null> {
  const row = await queries(ctx).selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst();
  return row ? (JSON.parse(row.value) as string) : null;
}
