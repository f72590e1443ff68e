// The events as a stream reads them: by number, which rises in the order of commits and leaves no gap.
import { type Context, queries } from '../../context.ts';
import type { EventRow } from '../../store/schema/releases.ts';

export type StreamEvent = Pick<EventRow, 'id' | 'seq' | 'org_id' | 'product_id' | 'source_id' | 'payload'>;

// The number of the newest event, also when it is no longer kept; 0 before the first.
export async function newestSeq(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'event_seq')
    .executeTakeFirst();
  return row?.value ?? 0;
}

export async function oldestSeq(ctx: Context): Promise<number | null> {
  const row = await queries(ctx).selectFrom('events').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return row?.seq ?? null;
}

export function eventsAfter(ctx: Context, seq: number, limit: number): Promise<StreamEvent[]> {
  return queries(ctx)
    .selectFrom('events')
    .select(['id', 'seq', 'org_id', 'product_id', 'source_id', 'payload'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
