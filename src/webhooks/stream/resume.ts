// Where a stream begins.
import { type Context, queries } from '../../context.ts';
import { newestSeq, oldestSeq } from './events.ts';

interface Resume {
  // Of the last event that the reader has seen.
  eventId?: string;
  // The same by number; counts when no event is named.
  since?: number;
}

export interface StreamStart {
  newest: number;
  // Events after this number are sent.
  after: number;
  // The reader has missed more than can be sent, and goes on with what is new.
  gap: { since: number | null; oldestSeq: number } | null;
}

const MOST_BEHIND = 1000;

export async function streamStart(ctx: Context, { eventId, since }: Resume): Promise<StreamStart> {
  const named = eventId === undefined ? since : await seqOf(ctx, eventId);
  const oldest = await oldestSeq(ctx);
  // Read last, so that nothing above is newer.
  const newest = await newestSeq(ctx);
  if (eventId === undefined && since === undefined) return { newest, after: newest, gap: null };
  const first = oldest ?? newest + 1;
  const reachable = named !== undefined && named + 1 >= first && named <= newest && newest - named <= MOST_BEHIND;
  if (reachable) return { newest, after: named, gap: null };
  return { newest, after: newest, gap: { since: named ?? null, oldestSeq: first } };
}

async function seqOf(ctx: Context, eventId: string): Promise<number | undefined> {
  const row = await queries(ctx).selectFrom('events').select('seq').where('id', '=', eventId).executeTakeFirst();
  return row?.seq;
}
