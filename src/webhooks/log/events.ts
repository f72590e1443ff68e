// The stored events, in the order in which they were committed.
import { type Context, queries } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { EventList } from '../../contract/webhooks.ts';

const WHOLE = /^\d{1,15}$/;

export async function listEvents(
  ctx: Context,
  { since: given = '0', limit }: { since?: string; limit: number },
): Promise<EventList> {
  if (!WHOLE.test(given)) throw badRequest('since', 'must be a whole number from 0');
  const since = Number(given);
  const db = queries(ctx);
  const rows = await db
    .selectFrom('events')
    .select('payload')
    .where('seq', '>', since)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const counter = await db.selectFrom('counters').select('value').where('name', '=', 'event_seq').executeTakeFirst();
  const oldest = await db.selectFrom('events').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  const head = counter?.value ?? 0;
  const oldestSeq = oldest?.seq ?? head + 1;
  const gap = since + 1 < oldestSeq && since < head ? { gap: { oldestSeq } } : {};
  return { events: rows.map(({ payload }) => JSON.parse(payload) as EventList['events'][number]), head, ...gap };
}
