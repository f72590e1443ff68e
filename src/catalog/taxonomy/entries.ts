// Visible orgs and products of one category or tag, by name.
import { type Context, queries } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import type { TaxonomyEntries } from '../../contract/taxonomy.ts';
import { visibleProduct } from '../visible.ts';

type TaxonomyScope = { category: Category } | { tagId: string };

export async function taxonomyEntries(ctx: Context, scope: TaxonomyScope): Promise<TaxonomyEntries> {
  return { orgs: await orgsOf(ctx, scope), products: await productsOf(ctx, scope) };
}

async function orgsOf(ctx: Context, scope: TaxonomyScope): Promise<TaxonomyEntries['orgs']> {
  const orgs = queries(ctx)
    .selectFrom('orgs as o')
    .select(['o.slug', 'o.name', 'o.domain', 'o.avatar_url as avatarUrl'])
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .orderBy('o.name_key')
    .orderBy('o.id');
  if ('category' in scope) return orgs.where('o.category', '=', scope.category).execute();
  return orgs.innerJoin('org_tags as l', 'l.org_id', 'o.id').where('l.tag_id', '=', scope.tagId).execute();
}

// A product counts under its own category; one without a category is found under its org.
async function productsOf(ctx: Context, scope: TaxonomyScope): Promise<TaxonomyEntries['products']> {
  const products = queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.slug', 'p.name', 'p.description', 'o.slug as orgSlug', 'o.name as orgName'])
    .where(visibleProduct())
    .orderBy('p.name_key')
    .orderBy('p.id');
  if ('category' in scope) return products.where('p.category', '=', scope.category).execute();
  return products.innerJoin('product_tags as l', 'l.product_id', 'p.id').where('l.tag_id', '=', scope.tagId).execute();
}
