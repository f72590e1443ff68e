// The latest version of a package in lists: what its registry says, or else the highest stable version that is stored of it,
// as on its page.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../context.ts';
import { readBound } from '../domain/upgrade/bounds.ts';
import { visibleSource } from '../entities/visible.ts';
import { inVersionOrder } from './versions.ts';

export interface LatestRow {
  latest: string | null;
  stored_latest: string | null;
}

// The columns of `LatestRow`; expects the aliases t (package_states), m (packages), s, o and p.
export function latestColumns(ctx: Context): RawBuilder<LatestRow> {
  const highest = (part: RawBuilder<boolean>) => sql`(SELECT r.version FROM releases r
    WHERE r.source_id = m.source_id AND ${part} AND r.listing IN (2, 1) AND r.prerelease = 0 AND r.version_sort > ''
      AND r.feed_at <= ${now(ctx)} ORDER BY ${inVersionOrder('r', 'DESC')} LIMIT 1)`;
  // Where the map does not name the part of a source, it is the one with the name of the package, or there are no parts.
  return sql`t.latest, CASE WHEN t.listed_at IS NULL AND m.id IS NOT NULL AND ${visibleSource()} THEN
      CASE WHEN m.package_part IS NOT NULL THEN ${highest(sql`r.package_part = m.package_part`)}
        ELSE COALESCE(${highest(sql`r.package_part = m.name`)}, ${highest(sql`r.package_part IS NULL`)}) END
    END AS stored_latest`;
}

export function latestIn({ latest, stored_latest }: LatestRow): string | null {
  return latest ?? (stored_latest && readBound(stored_latest).version);
}
