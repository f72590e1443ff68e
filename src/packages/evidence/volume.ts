// What was downloaded today to be compared.
import { sql } from 'kysely';
import { type Context, queries, type WriteContext } from '../../context.ts';
import { volumeLeft } from '../../domain/pairs/orders.ts';
import { addToCounter } from '../../store/counters.ts';

export const COMPARED_BYTES = 'compared_bytes';

export async function volumeOfToday(ctx: Context) {
  const row = await queries(ctx)
    .selectFrom('evidence_days')
    .selectAll()
    .where('day', '=', today(ctx))
    .executeTakeFirst();
  const used = {
    bytes: Number(row?.bytes ?? 0),
    anonymousBytes: Number(row?.anonymous_bytes ?? 0),
    pairs: Number(row?.pairs ?? 0),
  };
  return { used, left: volumeLeft(ctx.config.evidence.dailyMb, used) };
}

export async function addVolume(
  ctx: WriteContext,
  { bytes, anonymous, pairs = 0 }: { bytes: number; anonymous: boolean; pairs?: number },
): Promise<void> {
  await sql`INSERT INTO evidence_days (day, bytes, anonymous_bytes, pairs)
    VALUES (${today(ctx)}, ${bytes}, ${anonymous ? bytes : 0}, ${pairs})
    ON CONFLICT (day) DO UPDATE SET bytes = evidence_days.bytes + excluded.bytes,
      anonymous_bytes = evidence_days.anonymous_bytes + excluded.anonymous_bytes,
      pairs = evidence_days.pairs + excluded.pairs`.execute(ctx.tx);
  if (bytes > 0) await addToCounter(ctx.tx, COMPARED_BYTES, bytes);
}

function today(ctx: Context): string {
  return ctx.clock().toISOString().slice(0, 10);
}
