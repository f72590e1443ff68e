// Ranks related releases by similarity and age.
import { factsOf } from '../source-types.ts';

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 45;
const UNDATED = 0.25;
const MIN_GLOBAL_COSINE = 0.35;
const MIN_GLOBAL_IMPORTANCE = 4;
const CONTENT = { empty: 0, thin: 0.5, full: 1 } as const;

// A factor that halves every 45 days; a date in the future counts as today.
export function ageFactor(publishedAt: string | null, now: Date): number {
  if (publishedAt === null) return UNDATED;
  const days = Math.max(0, now.getTime() - Date.parse(publishedAt)) / DAY_MS;
  return 0.5 ** (days / HALF_LIFE_DAYS);
}

export interface RelatedNeighbour {
  cosine: number;
  publishedAt: string | null;
  tier: keyof typeof CONTENT;
  sourceType: string;
  importance: number | null;
}

export function relatedRank({ cosine, publishedAt, tier }: RelatedNeighbour, now: Date): number {
  return cosine * ageFactor(publishedAt, now) * CONTENT[tier];
}

// The bound is higher across orgs, because most pairs of notes have something in common and most app updates say the
// same thing.
export function isRelated(
  { cosine, tier, sourceType, importance }: RelatedNeighbour,
  scope: 'org' | 'global',
): boolean {
  if (tier === 'empty') return false;
  if (scope === 'org') return true;
  if (cosine < MIN_GLOBAL_COSINE) return false;
  return !factsOf(sourceType).hasRoutineNotes || (importance ?? 0) >= MIN_GLOBAL_IMPORTANCE;
}
