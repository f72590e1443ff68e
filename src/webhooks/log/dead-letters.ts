// Deliveries that failed at their last attempt, until a person replays or removes them.
import { type Context, queries, transact } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { DeadLetters } from '../../contract/webhooks.ts';
import { decodeListCursor, encodeCursor } from '../../domain/cursor.ts';
import { shownHost } from '../../domain/webhooks/target.ts';
import { toDeliveryRow } from './deliveries.ts';

export async function listDeadLetters(
  ctx: Context,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<DeadLetters> {
  let query = queries(ctx)
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_subscriptions as w', 'w.id', 'd.subscription_id')
    .innerJoin('webhook_attempts as a', (join) => join.onRef('a.delivery_id', '=', 'd.id').on('a.outcome', '=', 'dlq'))
    .selectAll('a')
    .select(['d.id as deliveryId', 'd.dead_at as deadAt', 'w.url'])
    .where('d.dead_at', 'is not', null);
  if (cursor !== undefined) {
    const key = decodeListCursor(cursor);
    if (!key) throw new ApiError('invalid_cursor', 'the cursor is not one that this service gave out');
    query = query.where((eb) => eb(eb.refTuple('d.dead_at', 'd.id'), '<', eb.tuple(key[0], key[1])));
  }
  const found = await query
    .orderBy('d.dead_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    items: rows.map((row) => ({
      ...toDeliveryRow(row),
      subscriptionId: row.subscription_id,
      host: shownHost(row.url),
    })),
    pagination: {
      nextCursor: found.length > limit && last ? encodeCursor([last.deadAt, last.deliveryId]) : null,
      limit,
    },
  };
}

// Removes a dead letter but not its log row; a second call changes nothing.
export async function removeDeadLetter(ctx: Context, { deliveryId }: { deliveryId: string }): Promise<void> {
  await transact(
    ctx,
    async (ctx) => {
      const row = await ctx.tx
        .updateTable('webhook_deliveries')
        .set({ dead_at: null })
        .where('id', '=', deliveryId)
        .returning('id')
        .executeTakeFirst();
      if (!row) throw notFound('delivery', deliveryId);
    },
    'bookkeeping',
  );
}
