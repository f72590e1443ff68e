// What all lists of found entities share: their order, and the counts of releases of the last 90 days that decide it.
import { sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import type { Filters } from '../filters/entry.ts';
import type { NameCandidate } from './candidates.ts';

// The filters that apply to entities; the others are about releases.
export interface EntityScope {
  filter: Filters;
  // The orgs that the filters admit; null for all.
  owners: readonly string[] | null;
  collectionId: string | null;
  // Also shows orgs without releases.
  includeEmpty: boolean;
}

export interface RankedEntity {
  id: string;
  tier: number;
  recent: number;
  nameKey: string;
}

const DAYS = 90;

// The number of releases of the last 90 days, over the sources (alias rs) that `condition` selects.
export function recentReleases(ctx: Context, condition: ReturnType<typeof sql>) {
  // Written out, because a server that does not know the first day expects to read years of them.
  const from = sql.lit(addDays(utcDay(now(ctx)), 1 - DAYS));
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
