import { type Context, transact } from '../../context.ts';

// False when the account has no such key.
export function deleteApiKey(ctx: Context, input: { userId: string; id: string }): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const deleted = await ctx.tx
      .deleteFrom('api_keys')
      .where('id', '=', input.id)
      .where('user_id', '=', input.userId)
      .returning('id')
      .executeTakeFirst();
    return deleted !== undefined;
  });
}
