// The authority in the ids of feeds. It is chosen once and never changes, so that no reader shows old entries as new.
import { type Context, now, queries, transact } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';
import { readSetting, writeSettingOnce } from '../../store/settings.ts';

const KEY = 'feed_authority';

export async function feedAuthority(ctx: Context): Promise<string> {
  if (ctx.config.feedAuthority !== null) return ctx.config.feedAuthority;
  const known = await readSetting<string>(queries(ctx), KEY);
  if (known !== null) return known;
  const { hostname } = new URL(ctx.config.baseUrl);
  const setting = { key: KEY, value: toJson(hostname), updated_at: now(ctx) };
  await transact(ctx, ({ tx }) => writeSettingOnce(tx, setting), 'bookkeeping');
  return (await readSetting<string>(queries(ctx), KEY)) ?? hostname;
}
