// What somebody may still have read, by who asks and by the day.
import { type Context, now, type WriteContext } from '../../context.ts';
import { addressKey } from '../../domain/net/address-key.ts';
import {
  type Asker,
  allowanceOf,
  dailyAllowance,
  isListAsker,
  type Missing,
  megabytesOf,
  payerName,
} from '../../domain/readings/reading.ts';
import { type Allowance, allowanceLeft, allowanceRenewsAt, takeAllowance } from '../evidence/allowance.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// Null for callers without limits.
export function readingPayer({ caller }: Context): string | null {
  return payerName(caller, addressKey(caller.ip));
}

interface Share<Wanted> {
  allowance: Allowance;
  of(one: Wanted): boolean;
}

interface Paid<Wanted> {
  taken: readonly Wanted[];
  // Until when the others have to wait; null when all are taken.
  refusedUntil: string | null;
}

// As many as the caller and all callers together may still order.
export async function payForReadings<Wanted extends { missing: Missing }>(
  ctx: WriteContext,
  fresh: readonly Wanted[],
  asker: Asker,
): Promise<Paid<Wanted>> {
  let taken = [...fresh];
  let refusedUntil: string | null = null;
  const payer = readingPayer(ctx);
  if (payer !== null && taken.length > 0 && (await kilobytesLeft(ctx, payer)) === 0) {
    return { taken: [], refusedUntil: await allowanceRenewsAt(ctx, volumeAllowance(payer)) };
  }
  const shares = sharesOf<Wanted>(ctx, asker);
  for (const { allowance, of } of shares) {
    let room = await allowanceLeft(ctx, allowance);
    const kept = taken.filter((one) => !of(one) || room-- > 0);
    if (kept.length < taken.length) refusedUntil = await allowanceRenewsAt(ctx, allowance);
    taken = kept;
  }
  for (const { allowance, of } of shares) await takeAllowance(ctx, allowance, taken.filter(of).length);
  return { taken, refusedUntil };
}

function sharesOf<Wanted extends { missing: Missing }>(ctx: WriteContext, asker: Asker): Share<Wanted>[] {
  const { daily } = ctx.config.ask;
  const day = now(ctx).slice(0, 10);
  const isAnonymous = ctx.caller.kind === 'anonymous';
  const share = (key: string, limit: number, windowMs: number, of: Share<Wanted>['of'] = () => true) => ({
    allowance: { key: `ask:${key}`, limit, windowMs },
    of,
  });
  const together = [
    share(day, dailyAllowance(daily, false), DAY_MS),
    ...(isAnonymous ? [share(`anonymous:${day}`, dailyAllowance(daily, true), DAY_MS)] : []),
  ];
  const [allowance, payer] = [allowanceOf(ctx.caller), readingPayer(ctx)];
  if (allowance === null || payer === null) return together;
  if (isListAsker(asker)) return [...together, share(`rows:${payer}`, allowance.rows, DAY_MS)];
  return [
    ...together,
    share(`packages:${payer}`, allowance.packages, HOUR_MS, ({ missing }) => missing.listing),
    share(`comparisons:${payer}`, allowance.comparisons, HOUR_MS, ({ missing }) => missing.comparison),
  ];
}

// Downloads are counted in kilobytes.
function volumeAllowance(payer: string): Allowance {
  return { key: `ask:kilobytes:${payer}`, limit: megabytesOf(payer) * 1000, windowMs: HOUR_MS };
}

export function kilobytesLeft(ctx: Context, payer: string): Promise<number> {
  return allowanceLeft(ctx, volumeAllowance(payer));
}

export async function payForDownloads(ctx: WriteContext, payer: string, bytes: number): Promise<void> {
  await takeAllowance(ctx, volumeAllowance(payer), Math.ceil(bytes / 1000));
}
