// What the registry already has of an address: sources that read it, and the org that owns it.
import { getDomainWithoutSuffix } from 'tldts';
import { findOrg } from '../../catalog/resolve.ts';
import { type Context, queries } from '../../context.ts';
import { normalizeDomain } from '../../domain/hosts.ts';
import { deriveSlug, isReservedChildSlug, isReservedOrgSlug } from '../../domain/slugs.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { Findings } from '../adapters/findings.ts';
import { findRelatedOrg } from '../lookups/related-org.ts';

export async function existingSources(ctx: Context, url: string, found: Findings): Promise<string[]> {
  const addresses = [url, found.finalUrl, ...found.options.map((option) => option.url)];
  const keys = [...new Set(addresses.flatMap((address) => normalizeUrl(address) ?? []))];
  const rows = await queries(ctx)
    .selectFrom('sources')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('url_key', 'in', keys),
        ...(found.feedUrl ? [eb('feed_url', '=', found.feedUrl)] : []),
        ...(found.githubRepo ? [eb('github_coordinate', '=', found.githubRepo.toLowerCase())] : []),
        ...(found.appStore ? [eb('app_id', '=', found.appStore.appId)] : []),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface OwnerOfSource {
  id: string;
  slug: string;
  name: string;
}

// By the owner of the repository, else by the domain of the page or one above it.
export async function ownerOf(
  ctx: Context,
  { finalUrl, githubRepo, appStore, video }: Findings,
): Promise<OwnerOfSource | null> {
  if (githubRepo) return (await findRelatedOrg(ctx, githubRepo.toLowerCase()))?.org ?? null;
  if (appStore || video) return null;
  const labels = (normalizeDomain(finalUrl) ?? '').split('.');
  for (let start = 0; start <= labels.length - 2; start += 1) {
    const org = await findOrg(ctx, labels.slice(start).join('.'));
    if (org) return { id: org.id, slug: org.slug, name: org.name };
  }
  return null;
}

// A name and a free slug for an organization that is not stored yet: the owner of the repository, or the domain of the
// site. App stores and video hosts say nothing about it.
export async function newOwner(
  ctx: Context,
  { finalUrl, githubRepo, appStore, video }: Findings,
): Promise<{ orgSlug: string | null; orgName: string | null }> {
  const [account] = githubRepo?.split('/') ?? [];
  const word = account ?? (appStore || video ? null : (getDomainWithoutSuffix(finalUrl) ?? null));
  const derived = word && deriveSlug(word, 70);
  if (!word || !derived) return { orgSlug: null, orgName: null };
  let slug = derived;
  for (let number = 2; isReservedOrgSlug(slug) || (await findOrg(ctx, slug)); number += 1)
    slug = `${derived}-${number}`;
  return { orgSlug: slug, orgName: word.charAt(0).toUpperCase() + word.slice(1) };
}

// The slug that creation would derive: not reserved, and numbered when it is taken.
export async function freeSourceSlug(ctx: Context, name: string, owner: OwnerOfSource | null): Promise<string> {
  const derived = deriveSlug(name, 70) ?? 'source';
  const wanted = isReservedChildSlug(derived)
    ? (deriveSlug(`${owner?.slug ?? 'source'}-${derived}`) ?? derived)
    : derived;
  const rows = await queries(ctx)
    .selectFrom('sources')
    .select('slug')
    .where('org_id', owner ? '=' : 'is', owner?.id ?? null)
    .where('slug', 'like', `${wanted}%`)
    .where('deleted_at', 'is', null)
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!taken.has(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}
