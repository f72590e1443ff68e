// The set of categories is fixed; operators override names, descriptions and aliases.
import { type Context, queries } from '../../context.ts';
import { CATEGORIES, type Category } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import type { CategoryDetail, CategoryRowShape } from '../../contract/taxonomy.ts';
import { parseJson } from '../../store/json-text.ts';
import type { CategoryRow } from '../../store/schema/taxonomy.ts';
import { findCategory } from '../orgs/category.ts';
import { taxonomyEntries } from './entries.ts';

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
