// An org that is known by its locators and not tracked yet.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { type Category, KINDS } from '../../contract/enums.ts';
import type { StubRow } from '../../contract/org-input.ts';
import type { StubCreation, StubProduct } from '../../contract/stub-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { newId } from '../../domain/ids.ts';
import { deriveSlug } from '../../domain/slugs.ts';
import { isHttpUrl } from '../../domain/urls.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { lockOrgs, orgSlugOf } from '../org-claims.ts';
import { refreshNames } from '../refresh-names.ts';
import { claimSlug, lockChildSlugs } from '../slug-claim.ts';
import { findCategory } from '../taxonomy/category.ts';
import { addTags, checkTagNames } from '../taxonomy/entity-labels.ts';
import { addAccounts, insertOrg } from './create.ts';
import { insertLocations, type StubLocator } from './locations.ts';
import { orgRowShape } from './org-fields.ts';

export async function createStub(ctx: Context, input: StubCreation): Promise<StubRow> {
  const slug = orgSlugOf(input);
  checkTagNames(input.tags);
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const row = await insertOrg(ctx, {
      slug,
      name: input.name,
      domain: input.domain ?? null,
      description: input.description || null,
      category: await knownCategory(ctx, input.category),
      avatar_url: input.avatar ?? null,
      status: 'stub',
    });
    await addTags(ctx, { orgId: row.id }, input.tags ?? []);
    const accounts = Object.entries(input.social ?? {});
    await addAccounts(
      ctx,
      row.id,
      accounts.map(([platform, handle]) => ({ platform: platform.toLowerCase(), handle })),
    );
    const locators = await insertProducts(ctx, row, input.products);
    // A location that a product names belongs to the product, even when the org names it too.
    for (const locator of input.releases) locators.push({ locator, productId: null });
    const locationCount = await insertLocations(ctx, row.id, locators);
    const shape = { ...(await orgRowShape(ctx, row)), productCount: input.products.length, locationCount };
    await recordAudit(ctx, { action: 'org.stub', targetType: 'org', targetId: row.id, after: shape });
    return shape;
  });
}

async function insertProducts(
  ctx: WriteContext,
  org: OrgRow,
  products: readonly StubProduct[],
): Promise<StubLocator[]> {
  await lockChildSlugs(ctx, org.id);
  const locators: StubLocator[] = [];
  for (const product of products) {
    const productId = await insertProduct(ctx, org, product);
    for (const locator of product.releases) locators.push({ locator, productId });
  }
  return locators;
}

async function insertProduct(ctx: WriteContext, org: OrgRow, product: StubProduct): Promise<string> {
  const at = now(ctx);
  const name = product.slug && deriveSlug(product.slug) !== null ? product.slug : product.name;
  const row: ProductRow = {
    id: newId('prod', ctx.randomBytes),
    org_id: org.id,
    slug: await claimSlug(ctx, { entity: 'product', org, name }),
    name: product.name,
    name_key: foldName(product.name),
    url: product.website && isHttpUrl(product.website) ? product.website : null,
    description: product.description || null,
    category: await knownCategory(ctx, product.category),
    kind: KINDS.find((kind) => kind === product.kind) ?? null,
    avatar_url: null,
    is_hidden: 0,
    notice: null,
    embedded_at: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  await ctx.tx.insertInto('products').values(row).execute();
  await refreshNames(ctx, [{ type: 'product', id: row.id }]);
  await addTags(ctx, { productId: row.id }, product.tags ?? []);
  return row.id;
}

// A manifest may use any word as a category; unknown ones are ignored.
async function knownCategory(ctx: WriteContext, text: string | undefined): Promise<Category | null> {
  return text === undefined ? null : findCategory(ctx, text);
}
