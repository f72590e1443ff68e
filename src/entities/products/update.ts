import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import type { ProductRowShape } from '../../contract/product.ts';
import type { ProductChange } from '../../contract/product-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { changedColumns } from '../../store/changed-columns.ts';
import { toJson } from '../../store/json-text.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { lockOrgs } from '../org-claims.ts';
import { refreshNames } from '../refresh-names.ts';
import type { ProductPath } from '../resolve.ts';
import { claimSlug, lockedProduct, sharedSlugWarning } from '../slug-claim.ts';
import { changedCategory } from '../taxonomy/category.ts';
import { checkTagNames, replaceAliases, replaceTags } from '../taxonomy/entity-labels.ts';
import { productRowShape } from './product-fields.ts';
import { relistProduct } from './sources.ts';

export async function updateProduct(
  ctx: Context,
  input: { path: ProductPath; change: ProductChange },
): Promise<ProductRowShape> {
  const { change } = input;
  checkTagNames(change.tags);
  return transact(ctx, async (ctx) => {
    const category = await changedCategory(ctx, change.category);
    // Single aliases are written under the lock of all domains, so a whole list takes the same lock.
    if (change.aliases) await lockOrgs(ctx);
    const { product: row, org } = await lockedProduct(ctx, input.path);
    const before = await productRowShape(ctx, row);
    const columns = changedColumns(row, wantedColumns({ ...change, category }));
    if (columns.slug) {
      await claimSlug(ctx, { entity: 'product', org, slug: columns.slug, name: row.name, exceptId: row.id });
    }

    if (change.aliases) await replaceAliases(ctx, { productId: row.id }, change.aliases);
    if (change.tags) await replaceTags(ctx, { productId: row.id }, change.tags);
    const after = await productRowShape(ctx, { ...row, ...columns });
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    const shape = await store(ctx, row, columns);
    await recordAudit(ctx, {
      action: 'product.update',
      targetType: 'product',
      targetId: row.id,
      before,
      after: shape,
    });
    const warning = columns.slug
      ? await sharedSlugWarning(ctx, { entity: 'product', orgId: org.id, slug: columns.slug })
      : null;
    return warning === null ? shape : { ...shape, warning };
  });
}

type CheckedProductChange = Omit<ProductChange, 'category'> & { category?: Category | null };

function wantedColumns(change: CheckedProductChange): Partial<ProductRow> {
  return {
    name: change.name,
    name_key: change.name === undefined ? undefined : foldName(change.name),
    slug: change.slug,
    url: change.url,
    description: change.description === '' ? null : change.description,
    category: change.category,
    kind: change.kind,
    avatar_url: change.avatarUrl,
    is_hidden: change.isHidden === undefined ? undefined : Number(change.isHidden),
    notice: change.notice ? toJson(change.notice) : change.notice,
  };
}

// A change of these columns makes the embedding stale.
const EMBEDDED = ['name', 'description', 'category', 'kind'] as const;
// Columns that are copied to the product's releases, their full-text rows and their feeds.
const REPEATED = ['name', 'slug', 'category', 'kind', 'is_hidden'] as const;

async function store(ctx: WriteContext, row: ProductRow, columns: Partial<ProductRow>): Promise<ProductRowShape> {
  const changed = { ...columns, updated_at: now(ctx) };
  if (EMBEDDED.some((column) => column in columns)) changed.embedded_at = null;
  await ctx.tx.updateTable('products').set(changed).where('id', '=', row.id).execute();
  if ('name' in columns || 'slug' in columns) await refreshNames(ctx, [{ type: 'product', id: row.id }]);
  if (REPEATED.some((column) => column in columns)) await relistProduct(ctx, row.id);
  return productRowShape(ctx, { ...row, ...changed });
}
