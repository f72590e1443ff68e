// A question about a package orders its listing and its notes where they are old or were never read.

import type { Context } from '../../context.ts';
import type { ReadingState } from '../../contract/reading.ts';
import { isPossibleName } from '../../domain/published-package.ts';
import { type Asker, isListingDue, mayOrderReadings } from '../../domain/readings/reading.ts';
import { orderReadings } from '../readings/order.ts';
import { visiblePackages } from '../whats-changed/listings.ts';
import { type KnownPackage, packageNamed } from './known-package.ts';

interface AskedPackage {
  ecosystem: string;
  name: string;
}

// Null when nothing is missing, or the caller may order nothing.
export async function orderPackageReading(
  ctx: Context,
  asked: AskedPackage,
  { known, asker }: { known: KnownPackage | null; asker: Asker },
): Promise<ReadingState | null> {
  const { access } = ctx.config.ask;
  if (access === 'off' || !isListingDue(known?.state?.listed_at ?? null, ctx.clock())) return null;
  const named = packageNamed(asked);
  const spelling = known?.spelling ?? asked.name;
  if (!named || !isPossibleName(named.ecosystem, spelling)) return null;
  if (!mayOrderReadings(access, ctx.caller)) {
    // The answer of a crawler says nothing about what others may order.
    if (ctx.caller.passive) ctx.answer.degraded = true;
    return null;
  }
  try {
    if ((await visiblePackages(ctx, [named])).length === 0) return null;
    const missing = { listing: true, comparison: false, notes: known?.notes == null };
    const [reading] = await orderReadings(ctx, [{ ...named, spelling, from: null, to: null, missing }], asker);
    if (!reading) return null;
    ctx.answer.degraded = true;
    return reading;
  } catch (err) {
    // As with a database that cannot be written.
    ctx.log.warn({ err }, 'a reading could not be ordered');
    return null;
  }
}
