import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import type { ProductRowShape } from '../../contract/product.ts';
import type { ProductCreation } from '../../contract/product-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { refreshNames } from '../refresh-names.ts';
import { resolveOrg } from '../resolve.ts';
import { claimSlug, lockChildSlugs, sharedSlugWarning } from '../slug-claim.ts';
import { categoryOfBody } from '../taxonomy/category.ts';
import { addTags, checkTagNames, insertAliases } from '../taxonomy/entity-labels.ts';
import { productRowShape } from './product-fields.ts';

export async function createProduct(ctx: Context, input: ProductCreation): Promise<ProductRowShape> {
  checkTagNames(input.tags);
  return transact(ctx, async (ctx) => {
    const category = input.category === undefined ? null : await categoryOfBody(ctx, input.category);
    const org = await orgOf(ctx, input);
    await lockChildSlugs(ctx, org.id);
    const row = await insertProduct(ctx, org, { ...input, category });
    await insertAliases(ctx, { productId: row.id }, input.aliases ?? []);
    await addTags(ctx, { productId: row.id }, input.tags ?? []);
    const shape = await productRowShape(ctx, row);
    await recordAudit(ctx, { action: 'product.create', targetType: 'product', targetId: row.id, after: shape });
    const warning = await sharedSlugWarning(ctx, { entity: 'product', orgId: org.id, slug: row.slug });
    return warning === null ? shape : { ...shape, warning };
  });
}

function orgOf(ctx: WriteContext, input: ProductCreation): Promise<OrgRow> {
  if (input.orgId !== undefined) return resolveOrg(ctx, input.orgId, { field: 'orgId' });
  return resolveOrg(ctx, input.orgSlug ?? '', { field: 'orgSlug' });
}

type NewProduct = Omit<ProductCreation, 'category'> & { category: Category | null };

async function insertProduct(ctx: WriteContext, org: OrgRow, input: NewProduct): Promise<ProductRow> {
  const at = now(ctx);
  const row: ProductRow = {
    id: newId('prod', ctx.randomBytes),
    org_id: org.id,
    slug: await claimSlug(ctx, { entity: 'product', org, slug: input.slug, name: input.name }),
    name: input.name,
    name_key: foldName(input.name),
    url: input.url ?? null,
    description: input.description || null,
    category: input.category,
    kind: input.kind ?? null,
    avatar_url: input.avatarUrl ?? null,
    is_hidden: Number(input.isHidden ?? false),
    notice: null,
    embedded_at: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  await ctx.tx.insertInto('products').values(row).execute();
  await refreshNames(ctx, [{ type: 'product', id: row.id }]);
  return row;
}
