// A category named by a path: its slug or one of its aliases.
import type { Context } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { notFound } from '../../contract/errors.ts';
import { findCategory } from '../orgs/category.ts';

export async function categoryOfPath(ctx: Context, value: string): Promise<Category> {
  const found = await findCategory(ctx, value);
  if (!found) throw notFound('category', value);
  return found;
}
