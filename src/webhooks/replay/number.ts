// Replays of an event to one subscription are numbered from 1; number 0 is the live delivery.
import type { WriteContext } from '../../context.ts';

// Called under the subscription's lock, so that no number is given out twice.
export async function nextReplayNumbers(
  ctx: WriteContext,
  subscriptionId: string,
  eventIds: readonly string[],
): Promise<(eventId: string) => number> {
  const rows = await ctx.tx
    .selectFrom('webhook_deliveries')
    .select(['event_id', ({ fn }) => fn.max('replay').as('highest')])
    .where('subscription_id', '=', subscriptionId)
    .where('event_id', 'in', eventIds)
    .groupBy('event_id')
    .execute();
  const highest = new Map(rows.map((row) => [row.event_id, Number(row.highest)]));
  return (eventId) => (highest.get(eventId) ?? 0) + 1;
}
