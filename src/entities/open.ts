// Opens what a path names: orgs and products of the API by one spelling, the entities of pages by several.
import type { Context } from '../context.ts';
import { seesHidden } from '../contract/caller.ts';
import { notFound } from '../contract/errors.ts';
import { idPrefixOf } from '../domain/ids.ts';
import { slugAfterReserving } from '../domain/slugs.ts';
import type { OrgRow } from '../store/schema/orgs.ts';
import {
  findOrg,
  findProduct,
  findSource,
  isUnlisted,
  type ProductInOrg,
  type ProductPath,
  resolveOrg,
  resolveProduct,
  resolveSource,
  type SourceInOrg,
  visibleSourcesBySlug,
} from './resolve.ts';

// Shared caches must not store what only writers may see.
export async function openOrg(ctx: Context, identifier: string): Promise<OrgRow> {
  const org = await resolveOrg(ctx, identifier);
  if (org.is_hidden) ctx.answer.containsHidden = true;
  return org;
}

export async function openProduct(ctx: Context, path: ProductPath): Promise<ProductInOrg> {
  const found = await resolveProduct(ctx, path);
  if (found.product.is_hidden || found.org.is_hidden) ctx.answer.containsHidden = true;
  return found;
}

// The path of a page can be spelled in several ways; the result contains the canonical one.

// The text itself, then in lower case, as all slugs are; ids are case-sensitive.
function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  return lower === text || idPrefixOf(text) !== null ? [text] : [text, lower];
}

async function findNamedOrg(ctx: Context, name: string): Promise<OrgRow | null> {
  for (const spelling of spellings(name)) {
    const org = await findOrg(ctx, spelling);
    if (org) return org;
  }
  const moved = slugAfterReserving(name.toLowerCase());
  return moved === null ? null : findOrg(ctx, moved);
}

export async function addressedOrg(ctx: Context, name: string): Promise<OrgRow> {
  const org = await findNamedOrg(ctx, name);
  if (!org || (org.is_hidden && !seesHidden(ctx.caller))) throw notFound('org', name);
  return org;
}

interface AddressedEntry {
  kind: 'product' | 'source';
  id: string;
  slug: string;
  orgSlug: string;
}

// `/{org}/{slug}`: the product of that name, otherwise the source. `only` restricts it to sources.
export async function addressedEntry(
  ctx: Context,
  { org: name, slug, only }: { org: string; slug: string; only?: 'source' },
): Promise<AddressedEntry> {
  const org = await findNamedOrg(ctx, name);
  if (!org) throw notFound('org', name);
  for (const spelling of spellings(slug)) {
    const product = only ? null : await shownProduct(ctx, org, spelling);
    if (product) return { kind: 'product', id: product.id, slug: product.slug, orgSlug: org.slug };
    const found = await findSource(ctx, { org: org.id, source: spelling });
    if (found && isOpen(ctx, found)) {
      return { kind: 'source', id: found.source.id, slug: found.source.slug, orgSlug: org.slug };
    }
  }
  throw notFound('source', slug);
}

async function shownProduct(ctx: Context, org: OrgRow, slug: string) {
  const found = await findProduct(ctx, { org: org.id, product: slug });
  if (!found) return null;
  const hidden = found.product.is_hidden === 1 || org.is_hidden === 1;
  return hidden && !seesHidden(ctx.caller) ? null : found.product;
}

function isOpen(ctx: Context, found: SourceInOrg): boolean {
  return found.visible || isUnlisted(found.source) || seesHidden(ctx.caller);
}

export interface AddressedSource {
  id: string;
  slug: string;
  orgSlug: string | null;
  // A product with the same slug has the path `/{org}/{slug}`, so the source is only reachable by id.
  isCovered: boolean;
}

export async function addressedSource(ctx: Context, id: string): Promise<AddressedSource> {
  return toAddress(ctx, await resolveSource(ctx, { src: id }));
}

async function toAddress(ctx: Context, { source, org }: SourceInOrg): Promise<AddressedSource> {
  const isCovered = org !== null && (await shownProduct(ctx, org, source.slug)) !== null;
  return { id: source.id, slug: source.slug, orgSlug: org?.slug ?? null, isCovered };
}

// `/source/{slug}`: the source of that name without an org, otherwise the visible sources of orgs, by the slug of the
// org.
export async function sourcesOfBareSlug(ctx: Context, slug: string): Promise<AddressedSource[]> {
  for (const spelling of spellings(slug)) {
    const rows = await visibleSourcesBySlug(ctx, spelling);
    const ownerless = rows.find((found) => found.org === null && isOpen(ctx, found));
    if (ownerless) return [await toAddress(ctx, ownerless)];
    const owned = rows.filter(({ org, visible }) => org !== null && visible);
    if (owned.length > 0) {
      const addresses = await Promise.all(owned.map((found) => toAddress(ctx, found)));
      return addresses.sort((a, b) => ((a.orgSlug ?? '') < (b.orgSlug ?? '') ? -1 : 1));
    }
  }
  throw notFound('source', slug);
}
