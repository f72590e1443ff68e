// Creates a stub: an org that is known by the manifest of its domain alone.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ManifestFile } from '../../contract/manifest-file.ts';
import type { NoStubReason, StubFromDomain } from '../../contract/manifest-sync.ts';
import { deriveSlug, isReservedOrgSlug, normalizeDomain } from '../../domain/slugs.ts';
import { recordAudit } from '../../entities/audit.ts';
import { orgRowById } from '../../entities/orgs/org-fields.ts';
import { createStub } from '../../entities/orgs/stub.ts';
import { findOrg } from '../../entities/resolve.ts';
import { findCategory } from '../../entities/taxonomy/category.ts';
import { toJson } from '../../store/json-text.ts';
import { requireNoTransaction } from '../outside-transaction.ts';
import { fetchManifest, freeAccounts } from './fetch-manifest.ts';
import { printOf, rememberManifest } from './known.ts';
import { freeProductSlug, usableTags } from './products.ts';
import { wantedByFile } from './survey.ts';

type Input = { domain: string; dryRun?: boolean | undefined };

export async function stubFromDomain(ctx: Context, input: Input): Promise<StubFromDomain> {
  const domain = normalizeDomain(input.domain);
  if (domain === null) return skipped('invalid_domain');
  if (await findOrg(ctx, domain)) return skipped('org_exists');
  requireNoTransaction(ctx);
  const reading = await fetchManifest(ctx, { domain });
  if (reading.result !== 'ok') {
    return { ...skipped(reading.result), ...('issues' in reading ? { issues: reading.issues } : {}) };
  }
  const { file, hash } = reading;
  // A manifest that names an org of this registry is no stub; an org of that id would be another one.
  if (file.registries?.[ctx.config.name]?.org !== undefined) return skipped('claimed_elsewhere');
  const wanted = wantedByFile(file);
  if (wanted.length === 0) return skipped('no_locators');
  const slug = slugOf(file, domain);
  if (isReservedOrgSlug(slug)) return skipped('slug_reserved');
  if (input.dryRun) {
    if (await findOrg(ctx, slug)) return skipped('slug_conflict');
    const plan = wanted.map(({ locator }) => ({ locator, action: 'create' as const }));
    return { ...skipped('dry_run'), productCount: file.products.length, locationCount: wanted.length, plan };
  }
  return store(ctx, { domain, slug, file, hash });
}

async function store(
  ctx: Context,
  stub: { domain: string; slug: string; file: ManifestFile; hash: string },
): Promise<StubFromDomain> {
  try {
    return await transact(ctx, (ctx) => insert(ctx, stub));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'slug_reserved') return skipped('slug_reserved');
    if (error.code !== 'conflict') throw error;
    const { field } = error.details as { field: string };
    return skipped(field === 'domain' ? 'org_exists' : 'slug_conflict');
  }
}

async function insert(
  ctx: WriteContext,
  { domain, slug, file, hash }: { domain: string; slug: string; file: ManifestFile; hash: string },
): Promise<StubFromDomain> {
  const accounts = await freeAccounts(ctx, file.social ?? {});
  const { id, productCount, locationCount } = await createStub(
    { ...ctx, caller: SYSTEM },
    {
      name: file.name ?? domain,
      slug,
      domain,
      description: file.description?.trim(),
      category: file.category,
      avatar: file.avatar,
      tags: usableTags(file.tags),
      social: Object.fromEntries(accounts.map(({ platform, handle }) => [platform, handle])),
      releases: file.releases,
      products: namedApart(file.products, slug),
    },
  );
  await ctx.tx.updateTable('release_locations').set({ basis: 'declared' }).where('org_id', '=', id).execute();
  await ctx.tx
    .updateTable('orgs')
    .set({
      discovery: 'agent',
      self_declared: toJson(await declaredColumns(ctx, file)),
      manifest_hash: hash,
      manifest_checked_at: now(ctx),
    })
    .where('id', '=', id)
    .execute();
  await rememberManifest(ctx, id, {
    shrunk: null,
    accounts: accounts.map(({ platform, handle }) => `${platform}/${handle}`),
    products: await productPrints(ctx, id),
  });
  const org = await orgRowById(ctx, id);
  await recordAudit(ctx, { action: 'org.stub', targetType: 'org', targetId: id, after: org });
  return { created: true, org, productCount, locationCount };
}

// Slugs must be unique, else the whole stub would be refused.
function namedApart(products: ManifestFile['products'], orgSlug: string): ManifestFile['products'] {
  const taken = new Set<string>();
  return products.map((product) => {
    const slug = freeProductSlug(product, orgSlug, taken);
    taken.add(slug);
    return { ...product, slug, tags: usableTags(product.tags) };
  });
}

async function declaredColumns(ctx: WriteContext, file: ManifestFile): Promise<string[]> {
  const known = file.category !== undefined && (await findCategory(ctx, file.category)) !== null;
  const columns = { avatar_url: file.avatar, category: known, description: file.description?.trim() };
  return Object.entries(columns).flatMap(([column, value]) => (value ? [column] : []));
}

async function productPrints(ctx: WriteContext, orgId: string): Promise<Record<string, Record<string, string>>> {
  const rows = await ctx.tx
    .selectFrom('products')
    .select(['id', 'description', 'url', 'category', 'kind'])
    .where('org_id', '=', orgId)
    .execute();
  return Object.fromEntries(
    rows.map(({ id, ...fields }) => {
      const prints = Object.entries(fields).flatMap(([field, text]) => (text === null ? [] : [[field, printOf(text)]]));
      return [id, Object.fromEntries(prints)];
    }),
  );
}

function slugOf(file: ManifestFile, domain: string): string {
  return deriveSlug(file.name ?? '') ?? deriveSlug(domain.split('.')[0] ?? '') ?? domain.replaceAll('.', '-');
}

function skipped(skippedReason: NoStubReason): StubFromDomain {
  return { created: false, skippedReason };
}
