// Moves the secrets of feed addresses to the current secret of the service.
import { type Context, transact } from '../../context.ts';
import { reseal } from '../sealing.ts';
import { purposeOf } from './feed-token.ts';

export interface Reencryption {
  moved: number;
  // Values encrypted with a secret that is no longer configured.
  unreadable: number;
}

const BATCH = 500;

export async function reencryptFeedTokens(ctx: Context): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  let last = '';
  for (;;) {
    const rows = await ctx.store.read
      .selectFrom('feed_tokens')
      .select(['lookup_id', 'secret'])
      .where('lookup_id', '>', last)
      .orderBy('lookup_id')
      .limit(BATCH)
      .execute();
    await transact(
      ctx,
      async ({ tx }) => {
        for (const { lookup_id, secret } of rows) {
          const moved = reseal(ctx, purposeOf(lookup_id), secret);
          if (moved === null) result.unreadable += 1;
          if (moved === null || moved === secret) continue;
          await tx.updateTable('feed_tokens').set({ secret: moved }).where('lookup_id', '=', lookup_id).execute();
          result.moved += 1;
        }
      },
      'bookkeeping',
    );
    if (rows.length < BATCH) return result;
    last = rows.at(-1)?.lookup_id ?? '';
  }
}
