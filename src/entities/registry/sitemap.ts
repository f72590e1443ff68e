// Every public entity page with the time of its newest visible release, for the sitemap, in slices.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { CATEGORIES } from '../../contract/enums.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { lastMajorSteps } from '../../domain/upgrade/step-address.ts';
import { knownNames } from '../packages/known-names.ts';
import { visibleProduct, visibleSource } from '../visible.ts';

export interface SitemapRow {
  id: string;
  slug: string;
  orgSlug: string | null;
  // A product with the same slug has the usual path of the source.
  isCovered: boolean;
  newest: string | null;
  // The last steps between major lines of a package, `9-to-10`.
  steps?: string[];
}

export type SitemapSection = 'orgs' | 'products' | 'sources' | 'collections' | 'categories' | 'packages' | 'upgrades';

type EntitySection = Exclude<SitemapSection, 'categories' | 'packages' | 'upgrades'>;

// The entities of a section, of which each sitemap file lists one slice.
const ENTITIES: Record<EntitySection, { columns: RawBuilder<unknown>; from: RawBuilder<unknown> }> = {
  orgs: { columns: sql`o.id AS id, o.slug`, from: sql`FROM orgs AS o WHERE o.deleted_at IS NULL AND o.is_hidden = 0` },
  products: {
    columns: sql`p.id AS id, p.slug, p.org_id`,
    from: sql`FROM products AS p JOIN orgs AS o ON o.id = p.org_id WHERE ${visibleProduct()}`,
  },
  sources: {
    columns: sql`s.id AS id, s.slug, s.org_id`,
    from: sql`FROM sources AS s LEFT JOIN orgs AS o ON o.id = s.org_id LEFT JOIN products AS p ON p.id = s.product_id
      WHERE ${visibleSource()}`,
  },
  collections: { columns: sql`k.id AS id, k.slug`, from: sql`FROM collections AS k` },
};

const SHOWN_SOURCE = sql`s.deleted_at IS NULL AND s.is_hidden = 0`;
// Sources outlive their product, but a hidden product hides them.
const SHOWN_BY_PRODUCT = sql`(p.id IS NULL OR p.is_hidden = 0)`;
const NEWEST = sql`SELECT MAX(f.latest_date) FROM sources AS s JOIN source_figures AS f ON f.source_id = s.id
  LEFT JOIN products AS p ON p.id = s.product_id`;

// The columns of the entities in a slice, under the alias e.
const SHOWN: Record<EntitySection, RawBuilder<unknown>> = {
  orgs: sql`e.id, e.slug, NULL AS "orgSlug", 0 AS covered,
    (${NEWEST} WHERE s.org_id = e.id AND ${SHOWN_SOURCE} AND ${SHOWN_BY_PRODUCT}) AS newest`,
  products: sql`e.id, e.slug, (SELECT o.slug FROM orgs AS o WHERE o.id = e.org_id) AS "orgSlug", 0 AS covered,
    (${NEWEST} WHERE s.product_id = e.id AND ${SHOWN_SOURCE}) AS newest`,
  sources: sql`e.id, e.slug, (SELECT o.slug FROM orgs AS o WHERE o.id = e.org_id) AS "orgSlug",
    CASE WHEN EXISTS (SELECT 1 FROM products AS c
      WHERE c.org_id = e.org_id AND c.slug = e.slug AND c.deleted_at IS NULL AND c.is_hidden = 0) THEN 1 ELSE 0 END AS covered,
    (SELECT f.latest_date FROM source_figures AS f WHERE f.source_id = e.id) AS newest`,
  collections: sql`e.id, e.slug, NULL AS "orgSlug", 0 AS covered, (SELECT MAX(member.newest) FROM (
      SELECT (${NEWEST} WHERE s.org_id = m.org_id AND ${SHOWN_SOURCE} AND ${SHOWN_BY_PRODUCT}) AS newest
        FROM collection_members AS m WHERE m.collection_id = e.id AND m.org_id IS NOT NULL
      UNION ALL SELECT (${NEWEST} WHERE s.product_id = m.product_id AND ${SHOWN_SOURCE} AND ${SHOWN_BY_PRODUCT}) AS newest
        FROM collection_members AS m WHERE m.collection_id = e.id AND m.product_id IS NOT NULL) AS member) AS newest`,
};

interface SitemapSlice {
  section: SitemapSection;
  limit: number;
  offset: number;
}

export async function sitemapRows(ctx: Context, { section, limit, offset }: SitemapSlice): Promise<SitemapRow[]> {
  if (section === 'categories') return categoryRows(ctx);
  if (section === 'packages') return packageRows(ctx, { limit, offset });
  if (section === 'upgrades') return upgradeRows(ctx, { limit, offset });
  const { rows } = await sql<
    Omit<SitemapRow, 'isCovered'> & { covered: number }
  >`SELECT ${SHOWN[section]} FROM (SELECT ${ENTITIES[section].columns} ${ENTITIES[section].from}
    ORDER BY id LIMIT ${limit} OFFSET ${offset}) AS e ORDER BY e.id`.execute(queries(ctx));
  return rows.map(({ covered, ...row }) => ({ ...row, isCovered: Number(covered) === 1 }));
}

export async function sitemapCount(ctx: Context, section: SitemapSection): Promise<number> {
  if (section === 'categories') return CATEGORIES.length;
  if (section === 'packages') return packageCount(ctx);
  if (section === 'upgrades') return comparedCount(ctx);
  const { from } = ENTITIES[section];
  const { rows } = await sql<{ count: number }>`SELECT COUNT(*) AS count ${from}`.execute(queries(ctx));
  return Number(rows[0]?.count ?? 0);
}

async function categoryRows(ctx: Context): Promise<SitemapRow[]> {
  const { rows } = await sql<{ category: string | null; newest: string | null }>`
    SELECT COALESCE(p.category, o.category) AS category, MAX(f.latest_date) AS newest
    FROM sources AS s LEFT JOIN orgs AS o ON o.id = s.org_id LEFT JOIN products AS p ON p.id = s.product_id
    JOIN source_figures AS f ON f.source_id = s.id
    WHERE ${visibleSource()} GROUP BY COALESCE(p.category, o.category)`.execute(queries(ctx));
  const newest = new Map(rows.map((row) => [row.category, row.newest]));
  return CATEGORIES.map((slug) => ({
    id: slug,
    slug,
    orgSlug: null,
    isCovered: false,
    newest: newest.get(slug) ?? null,
  }));
}

async function packageCount(ctx: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT COUNT(*) AS count FROM (${await knownNames(ctx)}) AS k`.execute(
    queries(ctx),
  );
  return Number(rows[0]?.count ?? 0);
}

// The ecosystem stands in the place of the org.
async function packageRows(ctx: Context, { limit, offset }: Omit<SitemapSlice, 'section'>): Promise<SitemapRow[]> {
  const { rows } = await sql<{ ecosystem: string; name: string }>`SELECT k.ecosystem, k.name
    FROM (${await knownNames(ctx)}) AS k ORDER BY k.ecosystem, k.name LIMIT ${limit} OFFSET ${offset}`.execute(
    queries(ctx),
  );
  return rows.map(({ ecosystem, name }) => {
    return { id: `${ecosystem}:${name}`, slug: name, orgSlug: ecosystem, isCovered: false, newest: null };
  });
}

// Public packages of which something was compared, and the last steps between their major lines that were.

async function comparedNames(ctx: Context): Promise<RawBuilder<unknown>> {
  return sql`SELECT k.ecosystem, k.name FROM (${await knownNames(ctx)}) AS k WHERE EXISTS (SELECT 1 FROM evidence_pairs AS e
    WHERE e.ecosystem = k.ecosystem AND e.name = k.name AND e.rules = ${sql.lit(RULES_VERSION)}
      AND e.status IN ('compared', 'no_types'))`;
}

async function comparedCount(ctx: Context): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT COUNT(*) AS count FROM (${await comparedNames(ctx)}) AS c`.execute(queries(ctx));
  return Number(rows[0]?.count ?? 0);
}

async function upgradeRows(ctx: Context, { limit, offset }: Omit<SitemapSlice, 'section'>): Promise<SitemapRow[]> {
  const { rows } = await sql<{ ecosystem: string; name: string; from_version: string; to_version: string }>`
    SELECT e.ecosystem, e.name, e.from_version, e.to_version
    FROM (${await comparedNames(ctx)} ORDER BY k.ecosystem, k.name LIMIT ${limit} OFFSET ${offset}) AS c
    JOIN evidence_pairs AS e ON e.ecosystem = c.ecosystem AND e.name = c.name
    WHERE e.rules = ${sql.lit(RULES_VERSION)} AND e.status IN ('compared', 'no_types')
    ORDER BY e.ecosystem, e.name`.execute(queries(ctx));
  const byPackage = Map.groupBy(rows, ({ ecosystem, name }) => `${ecosystem}:${name}`);
  return [...byPackage].map(([id, pairs]) => {
    const [{ ecosystem = '', name = '' } = {}] = pairs;
    const steps = lastMajorSteps(pairs.map(({ from_version: from, to_version: to }) => ({ from, to })));
    return { id, slug: name, orgSlug: ecosystem, isCovered: false, newest: null, steps };
  });
}
