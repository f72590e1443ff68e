import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { MemberPreview } from '../../contract/collection.ts';
import type { CategoryListItem } from '../../contract/taxonomy.ts';
import { memberColumns, memberPreview } from '../collections/collection-fields.ts';
import { visibleProduct } from '../visible.ts';
import { categoryTexts } from './category-text.ts';

const PREVIEWS = 3;

export async function listCategories(ctx: Context): Promise<CategoryListItem[]> {
  const texts = await categoryTexts(ctx);
  const orgs = await previewOrgs(ctx);
  const products = await previewProducts(ctx);
  return texts.map((text) => {
    const [ofOrgs, ofProducts] = [orgs.get(text.slug), products.get(text.slug)];
    return {
      ...text,
      orgCount: ofOrgs?.count ?? 0,
      productCount: ofProducts?.count ?? 0,
      previewMembers: [...(ofOrgs?.previews ?? []), ...(ofProducts?.previews ?? [])].slice(0, PREVIEWS),
    };
  });
}

interface Preview {
  count: number;
  previews: MemberPreview[];
}

// The number of orgs, and those with the most releases.
async function previewOrgs(ctx: Context): Promise<Map<string, Preview>> {
  const ranked = queries(ctx)
    .selectFrom('orgs')
    .select(['id', 'category'])
    .select(sql<number>`ROW_NUMBER() OVER (PARTITION BY category ORDER BY release_count DESC, name_key, id)`.as('rank'))
    .select(sql<number>`COUNT(*) OVER (PARTITION BY category)`.as('total'))
    .where('category', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0);
  const rows = await queries(ctx)
    .with('ranked', () => ranked)
    .selectFrom('ranked')
    .innerJoin('orgs as o', 'o.id', 'ranked.id')
    // The join never matches; it adds the columns of a product, all null, to rows of orgs.
    .leftJoin('products as p', (join) => join.on(sql`1`, '=', sql`0`))
    .select(memberColumns())
    .select(['ranked.category', 'ranked.total'])
    .where('ranked.rank', '<=', PREVIEWS)
    .orderBy('ranked.rank')
    .execute();
  return grouped(rows);
}

async function previewProducts(ctx: Context): Promise<Map<string, Preview>> {
  const ranked = queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.id', 'p.category'])
    .select(sql<number>`ROW_NUMBER() OVER (PARTITION BY p.category ORDER BY p.name_key, p.id)`.as('rank'))
    .select(sql<number>`COUNT(*) OVER (PARTITION BY p.category)`.as('total'))
    .where('p.category', 'is not', null)
    .where(visibleProduct());
  const rows = await queries(ctx)
    .with('ranked', () => ranked)
    .selectFrom('ranked')
    .innerJoin('products as p', 'p.id', 'ranked.id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(memberColumns())
    .select(['ranked.category', 'ranked.total'])
    .where('ranked.rank', '<=', PREVIEWS)
    .orderBy('ranked.rank')
    .execute();
  return grouped(rows);
}

type Ranked = Parameters<typeof memberPreview>[0] & { category: string | null; total: number };

function grouped(rows: readonly Ranked[]): Map<string, Preview> {
  const groups = Map.groupBy(rows, (row) => row.category ?? '');
  return new Map(
    [...groups].map(([category, members]) => [
      category,
      { count: members[0]?.total ?? 0, previews: members.map(memberPreview) },
    ]),
  );
}
