import { type Context, queries } from '../../context.ts';
import { CATEGORIES, type Category } from '../../contract/enums.ts';
import { type Issue, validationFailed } from '../../contract/errors.ts';
import { parseJson } from '../../store/json-text.ts';

// The category that a text names by its slug or by one of its aliases.
export async function findCategory(ctx: Context, text: string): Promise<Category | null> {
  const canonical = CATEGORIES.find((slug) => slug === text);
  if (canonical) return canonical;
  const overlays = await queries(ctx).selectFrom('categories').select(['slug', 'aliases']).execute();
  const named = overlays.find(({ aliases }) => parseJson(aliases).includes(text));
  return CATEGORIES.find((slug) => slug === named?.slug) ?? null;
}

export const UNKNOWN_CATEGORY: Issue = {
  path: 'category',
  reason: `must be one of ${CATEGORIES.join(', ')} or an alias`,
};

export async function categoryOfBody(ctx: Context, text: string): Promise<Category> {
  const found = await findCategory(ctx, text);
  if (found) return found;
  throw validationFailed([UNKNOWN_CATEGORY]);
}

// For a patch: undefined leaves the category, null or an empty text removes it.
export async function changedCategory(ctx: Context, text: string | null | undefined) {
  return text ? categoryOfBody(ctx, text) : text === undefined ? undefined : null;
}
