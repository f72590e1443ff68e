// Every public page of an entity with the time of its newest visible release, for search engines, in slices.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { CATEGORIES } from '../../contract/enums.ts';
import { visibleProduct, visibleSource } from '../visible.ts';

export interface SitemapRow {
  id: string;
  slug: string;
  orgSlug: string | null;
  // A source whose usual address shows a product of the same slug.
  isCovered: boolean;
  newest: string | null;
}

export type SitemapSection = 'orgs' | 'products' | 'sources' | 'collections' | 'categories';

const SOURCES_OF = sql`LEFT JOIN products AS p ON p.id = s.product_id
  LEFT JOIN source_figures AS f ON f.source_id = s.id AND (p.id IS NULL OR p.is_hidden = 0)`;
const SHOWN_SOURCE = sql`s.deleted_at IS NULL AND s.is_hidden = 0`;

const ROWS: Record<Exclude<SitemapSection, 'categories'>, RawBuilder<unknown>> = {
  orgs: sql`SELECT o.id, o.slug, NULL AS "orgSlug", 0 AS covered, MAX(f.latest_date) AS newest
    FROM orgs AS o LEFT JOIN sources AS s ON s.org_id = o.id AND ${SHOWN_SOURCE} ${SOURCES_OF}
    WHERE o.deleted_at IS NULL AND o.is_hidden = 0 GROUP BY o.id, o.slug`,
  products: sql`SELECT p.id, p.slug, o.slug AS "orgSlug", 0 AS covered, MAX(f.latest_date) AS newest
    FROM products AS p JOIN orgs AS o ON o.id = p.org_id
    LEFT JOIN sources AS s ON s.product_id = p.id AND ${SHOWN_SOURCE} LEFT JOIN source_figures AS f ON f.source_id = s.id
    WHERE ${visibleProduct()} GROUP BY p.id, p.slug, o.slug`,
  sources: sql`SELECT s.id, s.slug, o.slug AS "orgSlug", CASE WHEN c.id IS NULL THEN 0 ELSE 1 END AS covered,
      f.latest_date AS newest
    FROM sources AS s LEFT JOIN orgs AS o ON o.id = s.org_id LEFT JOIN products AS p ON p.id = s.product_id
    LEFT JOIN source_figures AS f ON f.source_id = s.id
    LEFT JOIN products AS c ON c.org_id = s.org_id AND c.slug = s.slug AND c.deleted_at IS NULL AND c.is_hidden = 0
    WHERE ${visibleSource()}`,
  collections: sql`SELECT k.id, k.slug, NULL AS "orgSlug", 0 AS covered, MAX(f.latest_date) AS newest
    FROM collections AS k LEFT JOIN collection_members AS m ON m.collection_id = k.id
    LEFT JOIN sources AS s ON (s.org_id = m.org_id OR s.product_id = m.product_id) AND ${SHOWN_SOURCE} ${SOURCES_OF}
    GROUP BY k.id, k.slug`,
};

interface SitemapSlice {
  section: SitemapSection;
  limit: number;
  offset: number;
}

export async function sitemapRows(ctx: Context, { section, limit, offset }: SitemapSlice): Promise<SitemapRow[]> {
  if (section === 'categories') return categoryRows(ctx);
  const { rows } = await sql<
    Omit<SitemapRow, 'isCovered'> & { covered: number }
  >`SELECT * FROM (${ROWS[section]}) AS entries
    ORDER BY id LIMIT ${limit} OFFSET ${offset}`.execute(queries(ctx));
  return rows.map(({ covered, ...row }) => ({ ...row, isCovered: Number(covered) === 1 }));
}

export async function sitemapCount(ctx: Context, section: SitemapSection): Promise<number> {
  if (section === 'categories') return CATEGORIES.length;
  const { rows } = await sql<{ count: number }>`SELECT COUNT(*) AS count FROM (${ROWS[section]}) AS entries`.execute(
    queries(ctx),
  );
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
