// The SQL expressions of the columns that filters use. Aliases: r releases, s sources, o orgs, p products.
import { sql } from 'kysely';
import type { Category, Kind } from '../../contract/enums.ts';
import type { FilterColumns } from './entry.ts';

// The window compares `feed_at`, which is the date of a dated release and which the indexes hold.
export const WINDOW_COLUMNS = {
  published_at: sql`r.published_at`,
  feed_at: sql`r.feed_at`,
} satisfies FilterColumns;

// The listing is missing, because statements read one index range for each listing.
export const RELEASE_COLUMNS = {
  org_id: sql`r.org_id`,
  product_id: sql`r.product_id`,
  source_id: sql`r.source_id`,
  category: sql`r.effective_category`,
  type: sql`r.type`,
  breaking: sql`r.breaking`,
  importance: sql`r.importance`,
  prerelease: sql`r.prerelease`,
  ...WINDOW_COLUMNS,
} satisfies FilterColumns;

// The columns that a release or chunk takes from its source.
export const KIND_COLUMNS = {
  kind: sql<Kind | null>`COALESCE(s.kind, p.kind)`,
  source_type: sql`s.type`,
} satisfies FilterColumns;

export const SOURCE_COLUMNS = {
  ...KIND_COLUMNS,
  org_id: sql`s.org_id`,
  product_id: sql`s.product_id`,
  source_id: sql`s.id`,
  category: sql<Category | null>`COALESCE(p.category, o.category)`,
} satisfies FilterColumns;

export const PRODUCT_COLUMNS = {
  org_id: sql`p.org_id`,
  product_id: sql`p.id`,
  source_id: (ids: readonly string[]) =>
    sql<boolean>`p.id IN (SELECT product_id FROM sources WHERE product_id IS NOT NULL AND id IN (${sql.join([...ids])}))`,
  category: SOURCE_COLUMNS.category,
  kind: sql`p.kind`,
} satisfies FilterColumns;

export const ORG_COLUMNS = { org_id: sql`o.id`, category: sql`o.category` } satisfies FilterColumns;
