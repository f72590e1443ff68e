// What was downloaded today to be compared.
import { type Context, queries } from '../../context.ts';
import { volumeLeft } from '../../domain/pairs/orders.ts';

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

function today(ctx: Context): string {
  return ctx.clock().toISOString().slice(0, 10);
}
