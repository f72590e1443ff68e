// What all kinds of found entities share: their order, and the releases of the last 90 days that it hangs on.
import { sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import type { Filters } from '../filters/entry.ts';
import type { NameCandidate } from './candidates.ts';

// What the entities must belong to; the rest of a search's filters is about releases.
export interface EntityScope {
  filter: Filters;
  // Orgs that the filters leave; null: all.
  owners: readonly string[] | null;
  collectionId: string | null;
  // Orgs without releases too.
  includeEmpty: boolean;
}

export interface RankedEntity {
  id: string;
  tier: number;
  recent: number;
  nameKey: string;
}

const DAYS = 90;

// Releases of the last 90 days, summed over the sources that `condition` picks under the alias rs.
export function recentReleases(ctx: Context, condition: ReturnType<typeof sql>) {
  const from = addDays(utcDay(now(ctx)), 1 - DAYS);
  return sql<number>`(SELECT COALESCE(SUM(d.count), 0) FROM sources rs
    LEFT JOIN products rp ON rp.id = rs.product_id
    JOIN release_days d ON d.source_id = rs.id AND d.day >= ${from}
    WHERE ${condition} AND rs.deleted_at IS NULL AND rs.is_hidden = 0 AND (rp.id IS NULL OR rp.is_hidden = 0))`;
}

export function byRank(a: RankedEntity, b: RankedEntity): number {
  return a.tier - b.tier || b.recent - a.recent || compare(a.nameKey, b.nameKey) || compare(a.id, b.id);
}

export function tiersOf(candidates: readonly NameCandidate[]): Map<string, number> {
  return new Map(candidates.map(({ id, tier }) => [id, tier]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
