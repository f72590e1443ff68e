// The releases of one category: that of their product, otherwise that of their org.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { categoryOfPath, categoryTextOf } from '../../entities/taxonomy/category-text.ts';
import { visibleSource } from '../../entities/visible.ts';
import { ownedFeed } from '../markdown/release.ts';
import { readFeed } from './feed.ts';
import type { Branch, FeedFilter, FeedPage } from './feed-query.ts';

interface CategoryFeedInput {
  category: string;
  // Slugs or ids; unknown ones match nothing.
  orgs?: readonly string[];
  filter: FeedFilter;
  page: FeedPage;
}

export async function categoryFeed(ctx: Context, input: CategoryFeedInput): Promise<ReleaseFeed> {
  const slug = await categoryOfPath(ctx, input.category);
  const { name } = await categoryTextOf(ctx, slug);
  const branches = input.orgs
    ? await sourcesOf(ctx, { category: slug, orgs: input.orgs })
    : [{ column: 'effective_category', value: slug } satisfies Branch];
  const feed = await readFeed(ctx, { branches, filter: input.filter, page: input.page });
  return ownedFeed(feed, { category: slug, category_name: name });
}

// For a few orgs of a large category the indexes of their sources are cheaper than the index of the category.
async function sourcesOf(ctx: Context, input: { category: string; orgs: readonly string[] }): Promise<Branch[]> {
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .innerJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.id')
    .where((eb) => eb.or([eb('o.slug', 'in', input.orgs), eb('o.id', 'in', input.orgs)]))
    .where(sql`COALESCE(p.category, o.category)`, '=', input.category)
    .where(visibleSource())
    .execute();
  return rows.map((row) => ({ column: 'source_id', value: row.id }));
}
