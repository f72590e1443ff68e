import { type Context, now, transact } from '../../context.ts';
import type { ApiKeyRow } from '../../store/schema-accounts.ts';
import { randomBase62 } from '../machine-token.ts';
import { hashOf, mintUserKey, startOf } from './user-key.ts';

interface NewApiKey {
  // The value itself, which is not kept.
  key: string;
  row: ApiKeyRow;
}

export function createApiKey(
  ctx: Context,
  input: { userId: string; name: string; expiresAt: string | null },
): Promise<NewApiKey> {
  return transact(ctx, async (ctx) => {
    const key = mintUserKey(ctx.randomBytes);
    const row: ApiKeyRow = {
      id: `key_${randomBase62(21, ctx.randomBytes)}`,
      user_id: input.userId,
      name: input.name,
      start: startOf(key),
      key_hash: hashOf(key),
      enabled: 1,
      expires_at: input.expiresAt,
      last_used_at: null,
      created_at: now(ctx),
    };
    await ctx.tx.insertInto('api_keys').values(row).execute();
    return { key, row };
  });
}
