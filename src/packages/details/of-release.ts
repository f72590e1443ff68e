// The packages whose version a release tells about.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { visiblePackages } from '../whats-changed/listings.ts';

const MAX_PACKAGES = 3;

// Those of its own part of the source; none when a source has many that share it, of which no one can be meant.
export async function packagesOfRelease(
  ctx: Context,
  { source_id, package_part: part }: Pick<ReleaseRow, 'source_id' | 'package_part'>,
): Promise<PackageName[]> {
  const own = part === null ? sql`m.package_part IS NULL` : sql`(m.package_part = ${part} OR m.name = ${part})`;
  const { rows } = await sql<PackageName>`SELECT m.ecosystem, m.name FROM packages m
    WHERE m.source_id = ${source_id} AND ${own}
    ORDER BY m.ecosystem, m.name LIMIT ${sql.lit(MAX_PACKAGES + 1)}`.execute(queries(ctx));
  return rows.length > MAX_PACKAGES ? [] : visiblePackages(ctx, rows);
}
