// The set of categories is fixed; operators override names, descriptions and aliases.
import { type Context, queries } from '../../context.ts';
import { CATEGORIES, type Category } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import type { CategoryDetail, CategoryRowShape, TaxonomyEntries } from '../../contract/taxonomy.ts';
import { parseJson } from '../../store/json-text.ts';
import type { CategoryRow } from '../../store/schema/taxonomy.ts';
import { visibleProduct } from '../visible.ts';
import { findCategory } from './category.ts';

const SPELLINGS: Partial<Record<string, string>> = { ai: 'AI', crm: 'CRM', devops: 'DevOps' };

function defaultCategoryName(slug: Category): string {
  return slug
    .split('-')
    .map((word) => SPELLINGS[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

export async function categoryTexts(ctx: Context): Promise<CategoryRowShape[]> {
  const overlays = await queries(ctx).selectFrom('categories').selectAll().execute();
  return CATEGORIES.map((slug) =>
    categoryText(
      slug,
      overlays.find((overlay) => overlay.slug === slug),
    ),
  );
}

export async function categoryTextOf(ctx: Context, slug: Category): Promise<CategoryRowShape> {
  const overlay = await queries(ctx).selectFrom('categories').selectAll().where('slug', '=', slug).executeTakeFirst();
  return categoryText(slug, overlay);
}

export function categoryText(slug: Category, overlay: CategoryRow | undefined): CategoryRowShape {
  return {
    slug,
    name: overlay?.name ?? defaultCategoryName(slug),
    description: overlay?.description ?? null,
    aliases: overlay ? parseJson(overlay.aliases) : [],
  };
}

// The category of a path segment: its slug or one of its aliases.
export async function categoryOfPath(ctx: Context, value: string): Promise<Category> {
  const found = await findCategory(ctx, value);
  if (!found) throw notFound('category', value);
  return found;
}

// For an alias the slug of the response differs from the requested one.
export async function categoryDetail(ctx: Context, value: string): Promise<CategoryDetail> {
  const slug = await categoryOfPath(ctx, value);
  return { ...(await categoryTextOf(ctx, slug)), ...(await taxonomyEntries(ctx, { category: slug })) };
}

// Visible orgs and products of one category or tag, by name.

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
