// Names that are unique in the whole registry: slug, domains and accounts of an org. Called under the lock of all orgs,
// so that one of several callers wins and the others get an error that names the owner.
import type { WriteContext } from '../context.ts';
import { ApiError, conflict, validationFailed } from '../contract/errors.ts';
import { deriveSlug, isReservedOrgSlug } from '../domain/slugs.ts';

export async function lockOrgs(ctx: WriteContext): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, 'orgs');
}

// This rule concerns only the body, so it is checked before any query.
export function orgSlugOf(input: { slug?: string | undefined; name: string }): string {
  const slug = input.slug ?? deriveSlug(input.name);
  if (slug === null) throw validationFailed([{ path: 'slug', reason: 'is required: the name gives none' }]);
  return slug;
}

type Except = { exceptOrg?: string };

export async function requireFreeSlug(ctx: WriteContext, slug: string, { exceptOrg = '' }: Except = {}): Promise<void> {
  if (isReservedOrgSlug(slug)) throw new ApiError('slug_reserved', `the slug ${slug} is reserved`, { slug });
  const taken = await ctx.tx
    .selectFrom('orgs')
    .select('id')
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptOrg)
    .executeTakeFirst();
  if (taken) throw conflict('slug', slug, taken.id);
}

export async function requireFreeDomain(
  ctx: WriteContext,
  domain: string,
  { field = 'domain', exceptOrg = '' }: Except & { field?: string } = {},
): Promise<void> {
  const owner = await ownerOfDomain(ctx, domain, exceptOrg);
  if (owner) throw conflict(field, domain, owner);
}

async function ownerOfDomain(ctx: WriteContext, domain: string, exceptOrg: string): Promise<string | null> {
  const primary = await ctx.tx
    .selectFrom('orgs')
    .select('id')
    .where('domain', '=', domain)
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptOrg)
    .executeTakeFirst();
  if (primary) return primary.id;
  const alias = await ctx.tx
    .selectFrom('domain_aliases')
    .select('org_id')
    .where('domain', '=', domain)
    .where('org_id', 'is not', null)
    .where('org_id', '<>', exceptOrg)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return alias?.org_id ?? null;
}

export async function requireFreeAccount(
  ctx: WriteContext,
  account: { platform: string; handle: string },
  { field = 'handle' }: { field?: string } = {},
): Promise<void> {
  const holder = await accountHolder(ctx, account);
  if (holder) throw conflict(field, `${account.platform}/${account.handle}`, holder);
}

// The org that has the account; null when it is free.
export async function accountHolder(
  ctx: WriteContext,
  { platform, handle }: { platform: string; handle: string },
): Promise<string | null> {
  const taken = await ctx.tx
    .selectFrom('org_accounts')
    .select('org_id')
    .where('platform', '=', platform)
    .where('handle', '=', handle)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return taken?.org_id ?? null;
}
