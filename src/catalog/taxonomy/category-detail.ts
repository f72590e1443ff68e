import type { Context } from '../../context.ts';
import type { CategoryDetail } from '../../contract/taxonomy.ts';
import { categoryTextOf } from './category-text.ts';
import { taxonomyEntries } from './entries.ts';
import { categoryOfPath } from './resolve-category.ts';

// Found under an alias, the answer's slug differs from the one that was asked for.
export async function categoryDetail(ctx: Context, value: string): Promise<CategoryDetail> {
  const slug = await categoryOfPath(ctx, value);
  return { ...(await categoryTextOf(ctx, slug)), ...(await taxonomyEntries(ctx, { category: slug })) };
}
