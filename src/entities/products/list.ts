import { type Context, queries } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import { CATEGORIES, type Category, type Kind } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import type { ProductRecord } from '../../contract/product.ts';
import { foldName } from '../../domain/clean-text.ts';
import { findOrg } from '../resolve.ts';
import { findCategory } from '../taxonomy/category.ts';
import { containsFolded, visibleProduct } from '../visible.ts';
import { productRecords } from './product-fields.ts';

interface ProductListInput {
  // Any identifier of an org; an unknown one gives an empty page.
  orgId?: string;
  kind?: Kind;
  // A category or an alias of one.
  category?: string;
  q?: string;
  includeHidden?: boolean;
  page: number;
  limit: number;
}

export async function listProducts(ctx: Context, input: ProductListInput): Promise<Page<ProductRecord>> {
  const category = input.category === undefined ? null : await categoryOfQuery(ctx, input.category);
  const org = input.orgId === undefined ? null : await findOrg(ctx, input.orgId);
  if (input.orgId !== undefined && !org) {
    return { items: [], pagination: paginate({ ...input, returned: 0, total: 0 }) };
  }
  const listed = listedProducts(ctx, input, { category, orgId: org?.id ?? null });
  const counted = await listed.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await listed
    .selectAll('p')
    .orderBy('p.name_key')
    .orderBy('p.id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  return {
    items: await productRecords(ctx, rows),
    pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }),
  };
}

async function categoryOfQuery(ctx: Context, text: string): Promise<Category> {
  const found = await findCategory(ctx, text);
  if (!found) throw badRequest('category', `must be one of ${CATEGORIES.join(', ')} or an alias`);
  return found;
}

function listedProducts(
  ctx: Context,
  { kind, q, includeHidden }: ProductListInput,
  { category, orgId }: { category: Category | null; orgId: string | null },
) {
  let products = queries(ctx)
    .selectFrom('products as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .where('p.deleted_at', 'is', null)
    .where('o.deleted_at', 'is', null);
  if (!includeHidden || !holdsScope(ctx.caller, 'admin')) products = products.where(visibleProduct());
  if (orgId !== null) products = products.where('p.org_id', '=', orgId);
  if (kind !== undefined) products = products.where('p.kind', '=', kind);
  if (category !== null) products = products.where('p.category', '=', category);
  if (q !== undefined) {
    const text = foldName(q);
    products = products.where((eb) => eb.or([containsFolded('p.name_key', text), containsFolded('p.slug', text)]));
  }
  return products;
}
