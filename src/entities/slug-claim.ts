// The slug of a new or renamed product or source inside its org. Called under the lock of that org's names.
import type { WriteContext } from '../context.ts';
import { ApiError, conflict, validationFailed } from '../contract/errors.ts';
import { deriveSlug, isReservedChildSlug } from '../domain/slugs.ts';
import { type ProductInOrg, type ProductPath, resolveProduct } from './resolve.ts';

interface SlugClaim {
  entity: 'product' | 'source';
  // Null for a source without an org.
  org: { id: string; slug: string } | null;
  // A slug from the caller is used unchanged or refused; without one it is derived from the name.
  slug?: string | undefined;
  name: string;
  exceptId?: string;
}

const LAST_SUFFIX = 20;

export async function lockChildSlugs(ctx: WriteContext, orgId: string | null): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, `slugs:${orgId ?? ''}`);
}

export async function claimSlug(ctx: WriteContext, claim: SlugClaim): Promise<string> {
  if (claim.slug !== undefined) {
    if (isReservedChildSlug(claim.slug)) throw reserved(claim.slug);
    const owner = await ownerOfSlug(ctx, claim, claim.slug);
    if (owner) throw conflict('slug', claim.slug, owner);
    return claim.slug;
  }
  const derived = deriveSlug(claim.name);
  if (derived === null) throw validationFailed([{ path: 'slug', reason: 'is required: the name gives none' }]);
  return freeDerivedSlug(ctx, claim, unreserved(claim, derived));
}

function unreserved(claim: SlugClaim, slug: string): string {
  if (!isReservedChildSlug(slug)) return slug;
  if (!claim.org) throw reserved(slug);
  return deriveSlug(`${claim.org.slug}-${slug}`) ?? slug;
}

// Sources often share a name (two feeds of one product), so only they get a number; for products that is an error.
async function freeDerivedSlug(ctx: WriteContext, claim: SlugClaim, slug: string): Promise<string> {
  const owner = await ownerOfSlug(ctx, claim, slug);
  if (!owner) return slug;
  if (claim.entity === 'source') {
    for (let number = 2; number <= LAST_SUFFIX; number += 1) {
      const candidate = `${deriveSlug(slug, 77) ?? slug}-${number}`;
      if (!(await ownerOfSlug(ctx, claim, candidate))) return candidate;
    }
  }
  throw conflict('slug', slug, owner);
}

async function ownerOfSlug(ctx: WriteContext, claim: SlugClaim, slug: string): Promise<string | null> {
  const { entity, org, exceptId = '' } = claim;
  const table = entity === 'product' ? 'products' : 'sources';
  const row = await ctx.tx
    .selectFrom(table)
    .select('id')
    .where('slug', '=', slug)
    .where('org_id', org ? '=' : 'is', org?.id ?? null)
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return row?.id ?? null;
}

// A product and a source of one org may share a slug, but then one hides the other on some paths.
export async function sharedSlugWarning(
  ctx: WriteContext,
  claim: { entity: 'product' | 'source'; orgId: string | null; slug: string },
): Promise<string | null> {
  if (claim.orgId === null) return null;
  const other = claim.entity === 'product' ? 'source' : 'product';
  const row = await ctx.tx
    .selectFrom(other === 'product' ? 'products' : 'sources')
    .select('id')
    .where('org_id', '=', claim.orgId)
    .where('slug', '=', claim.slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ? `the ${other} ${row.id} of this org has the same slug` : null;
}

function reserved(slug: string): ApiError {
  return new ApiError('slug_reserved', `the slug ${slug} is reserved`, { slug });
}

// The product is read after the lock on its org's names is acquired, so that the changes of other writers are visible.
export async function lockedProduct(ctx: WriteContext, path: ProductPath): Promise<ProductInOrg> {
  const { org } = await resolveProduct(ctx, path);
  await lockChildSlugs(ctx, org.id);
  return resolveProduct(ctx, path);
}
