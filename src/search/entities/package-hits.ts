// Packages by name: the one that is spelled like the query first, then those that begin with it.
import { type RawBuilder, sql } from 'kysely';
import { knownNames } from '../../catalog/packages/known-names.ts';
import { type LatestRow, latestColumns, latestIn } from '../../catalog/packages/stored-latest.ts';
import { visibleSource } from '../../catalog/visible.ts';
import { type Context, queries } from '../../context.ts';
import { MAX_ENTITIES, type PackageHit } from '../../contract/search.ts';
import { ECOSYSTEMS, normalizePackageName, packageAddress } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { EntityScope } from './ranked.ts';

const NAME = /^@?[^\s@]{2,214}$/;
// Above every character of a name.
const HIGHEST = '\u{10ffff}';

interface HitRow extends PackageName, LatestRow {
  slug: string | null;
  org_slug: string | null;
}

// Filters by owner or collection are about what sources publish, not about names.
export async function packageHits(
  ctx: Context,
  { text, scope }: { text: string; scope: EntityScope },
): Promise<PackageHit[]> {
  const q = text.trim();
  if (!NAME.test(q) || scope.owners !== null || scope.collectionId !== null) return [];
  const names = ECOSYSTEMS.map((ecosystem) => ({ ecosystem, name: normalizePackageName(ecosystem, q) }));
  const known = await knownNames(ctx, (alias) => [sql<boolean>`(${sql.join(names.map(beginning(alias)), sql` OR `)})`]);
  const isExact = sql`CASE WHEN ${sql.join(
    names.map(({ ecosystem, name }) => sql`(k.ecosystem = ${ecosystem} AND k.name = ${name})`),
    sql` OR `,
  )} THEN 0 ELSE 1 END`;
  const { rows } = await sql<HitRow>`SELECT k.ecosystem, k.name, ${latestColumns(ctx)},
      CASE WHEN ${visibleSource()} THEN s.slug END AS slug, CASE WHEN ${visibleSource()} THEN o.slug END AS org_slug
    FROM (SELECT k.ecosystem, k.name, ${isExact} AS rank FROM (${known}) AS k
      ORDER BY rank, length(k.name), k.name, k.ecosystem LIMIT ${sql.lit(MAX_ENTITIES)}) AS k
    LEFT JOIN package_states t ON t.ecosystem = k.ecosystem AND t.name = k.name
    LEFT JOIN packages m ON m.ecosystem = k.ecosystem AND m.name = k.name
    LEFT JOIN sources s ON s.id = m.source_id LEFT JOIN orgs o ON o.id = s.org_id
    LEFT JOIN products p ON p.id = s.product_id
    ORDER BY k.rank, length(k.name), k.name, k.ecosystem ${ONE_PLAN}`.execute(queries(ctx));
  return rows.map(({ ecosystem, name, slug, org_slug: orgSlug, ...versions }) => ({
    ecosystem,
    name,
    latest: latestIn(versions),
    sourceSlug: slug,
    orgSlug,
    isExact: names.some((one) => one.ecosystem === ecosystem && one.name === name),
    webUrl: `${ctx.config.webUrl}${packageAddress(ecosystem, name)}`,
  }));
}

function beginning(alias: string) {
  return ({ ecosystem, name }: PackageName): RawBuilder<boolean> =>
    sql<boolean>`(${sql.ref(`${alias}.ecosystem`)} = ${ecosystem} AND ${sql.ref(`${alias}.name`)} >= ${name}
      AND ${sql.ref(`${alias}.name`)} < ${`${name}${HIGHEST}`})`;
}
