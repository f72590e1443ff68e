// A category named by a path or a query: its slug or one of its aliases.
import type { Context } from '../../context.ts';
import { CATEGORIES, type Category } from '../../contract/enums.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import { findCategory } from '../orgs/category.ts';

export { findCategory as resolveCategory } from '../orgs/category.ts';

export async function categoryOfPath(ctx: Context, value: string): Promise<Category> {
  const found = await findCategory(ctx, value);
  if (!found) throw notFound('category', value);
  return found;
}

// Undefined when nothing was asked for.
export async function categoryOfQuery(ctx: Context, value: string | undefined): Promise<Category | undefined> {
  if (value === undefined) return undefined;
  const found = await findCategory(ctx, value);
  if (!found) throw badRequest('category', `must be one of ${CATEGORIES.join(', ')} or an alias`);
  return found;
}
