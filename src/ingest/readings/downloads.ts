// What a reading downloads counts for those who ordered it, and for the day.

import { type Context, transact } from '../../context.ts';
import type { ReadingPart } from '../../contract/reading.ts';
import { addVolume, volumeOfToday } from '../../packages/evidence/volume.ts';
import { kilobytesLeft, payForDownloads } from '../../packages/readings/pay.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';

// Comparisons count their downloads for the day themselves.
const COUNTED: ReadonlySet<ReadingPart['part']> = new Set(['comparison', 'steps']);

interface Downloads {
  // All requests of the reading are made with it.
  ctx: Context;
  // Counts what a part has downloaded.
  settle(part: ReadingPart['part']): Promise<void>;
}

export function downloadsFor(ctx: Context, { payer, anonymous }: ReadingRow): Downloads {
  let bytes = 0;
  const fetch: Context['fetch'] = async (request) => {
    const result = await ctx.fetch(request);
    bytes += result.bytes;
    return result;
  };
  const settle: Downloads['settle'] = async (part) => {
    const spent = bytes;
    bytes = 0;
    const isCounted = COUNTED.has(part);
    if (spent === 0 || (payer === null && isCounted)) return;
    await transact(
      ctx,
      async (ctx) => {
        if (payer !== null) await payForDownloads(ctx, payer, spent);
        if (!isCounted) await addVolume(ctx, { bytes: spent, anonymous: anonymous === 1 });
      },
      'bookkeeping',
    );
  };
  return { ctx: { ...ctx, fetch }, settle };
}

// Why no archive may be downloaded for it now; null when one may.
export async function downloadRefusal(ctx: Context, { payer, anonymous }: ReadingRow): Promise<string | null> {
  const { left } = await volumeOfToday(ctx);
  if ((anonymous === 1 ? left.anonymous : left.all) <= 0) return 'The downloads of today are used up';
  if (payer === null || (await kilobytesLeft(ctx, payer)) > 0) return null;
  return 'The downloads that you may order in an hour are used up';
}
