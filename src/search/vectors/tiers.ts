import type { ContentTier } from '../../domain/embedding/content-tier.ts';
import { keysOf } from '../../domain/records.ts';

/** As the table of vectors keeps them. */
export const TIER_NUMBERS: Record<ContentTier, number> = { empty: 0, thin: 1, full: 2 };
export const FULL_TIER = TIER_NUMBERS.full;

export function tierOf(number: number): ContentTier {
  return keysOf(TIER_NUMBERS).find((tier) => TIER_NUMBERS[tier] === number) ?? 'full';
}
