// The packages that share a source. The query skips from part to part in the index, so a source costs as many steps as it has
// packages, however many releases they have.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { PartsOfSource } from '../../domain/upgrade/package-part.ts';

const MAX_PARTS = 500;

export async function partsOfSources(ctx: Context, sourceIds: readonly string[]): Promise<Map<string, PartsOfSource>> {
  const ids = [...new Set(sourceIds)];
  if (ids.length === 0) return new Map();
  const wanted = sql`s.id IN (${sql.join(ids)})`;
  const { rows } = await sql<{ source_id: string; part: string | null }>`
    WITH RECURSIVE parts (source_id, part, step) AS (
      SELECT s.id, (SELECT MIN(r.package_part) FROM releases r WHERE r.source_id = s.id AND r.package_part IS NOT NULL), 1
      FROM sources s WHERE ${wanted}
      UNION ALL
      SELECT p.source_id, (SELECT MIN(r.package_part) FROM releases r
        WHERE r.source_id = p.source_id AND r.package_part > p.part), p.step + 1
      FROM parts p WHERE p.part IS NOT NULL AND p.step < ${sql.lit(MAX_PARTS)})
    SELECT p.source_id, p.part FROM parts p
      WHERE p.part IS NOT NULL AND (SELECT MIN(r.version_sort) FROM releases r
        WHERE r.source_id = p.source_id AND r.package_part = p.part AND r.listing <> 0) IS NOT NULL
    UNION ALL
    SELECT s.id, NULL FROM sources s
      WHERE ${wanted} AND (SELECT MIN(r.version_sort) FROM releases r
        WHERE r.source_id = s.id AND r.package_part IS NULL AND r.listing <> 0) IS NOT NULL`.execute(queries(ctx));
  const bySource = Map.groupBy(rows, (row) => row.source_id);
  return new Map(
    ids.map((id) => {
      const list = bySource.get(id) ?? [];
      const parts = list.flatMap(({ part }) => part ?? []).sort();
      return [id, { parts, hasBare: list.some(({ part }) => part === null) }];
    }),
  );
}
