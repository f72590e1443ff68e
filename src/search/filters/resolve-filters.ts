// Turns the names in the filters of a request into ids. An unknown name is no error: nothing is found and the answer says so.

import { type Context, queries } from '../../context.ts';
import type { FilterStatus, SearchAnswer } from '../../contract/search.ts';
import { idPrefixOf, toProductId } from '../../domain/ids.ts';
import { keysOf } from '../../domain/records.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { findCollection, memberKeys } from '../../entities/collections/detail.ts';
import { findOrg, findProduct, findSource, visibleSourcesBySlug } from '../../entities/resolve.ts';
import { visibleProduct, visibleSource } from '../../entities/visible.ts';
import type { EntityScope } from '../entities/candidates.ts';

type NamedFilter = 'org' | 'product' | 'source' | 'domain' | 'collection';
type OwnerFilter = 'orgIds' | 'productIds' | 'sourceIds' | 'owners';

// The filters of a request; values of closed sets are already checked. Filters that name no entity have the same names and
// values as in the filter table.
export interface RequestedFilters
  extends Partial<Record<NamedFilter, string>>,
    Partial<Omit<SearchFilter, OwnerFilter | 'categories' | 'kinds' | 'since' | 'until'>> {
  category?: NonNullable<SearchAnswer['category']>;
  kind?: string;
  includeEmpty?: boolean;
  since?: string | null;
  until?: string | null;
}

type Echoes = Pick<SearchAnswer, NamedFilter | `${NamedFilter}Status` | 'category'>;

export interface ResolvedFilters {
  filter: SearchFilter;
  scope: EntityScope;
  echoes: Echoes;
  // True when a filter names an entity that does not exist.
  unknown: boolean;
  // No release can pass, because filters exclude each other or a collection has no visible member.
  nothing: boolean;
}

export async function resolveFilters(ctx: Context, requested: RequestedFilters): Promise<ResolvedFilters> {
  const { org, product, source, domain, collection, category, kind, includeEmpty = false, ...others } = requested;
  const ofOrg = org === undefined ? undefined : await ownershipOfOrg(ctx, org);
  const named: Partial<Record<NamedFilter, Ownership | null>> = {
    ...(ofOrg === undefined ? {} : { org: ofOrg }),
    ...(product === undefined ? {} : { product: await ownershipOfProduct(ctx, product, org) }),
    ...(source === undefined ? {} : { source: await ownershipOfSource(ctx, source, ofOrg?.owners) }),
    ...(domain === undefined ? {} : { domain: await ownershipOfDomain(ctx, domain) }),
    ...(collection === undefined ? {} : { collection: await ownershipOfCollection(ctx, collection) }),
  };
  const found = Object.values(named).filter((ownership) => ownership !== null);
  const { orgIds, productIds, sourceIds, owners, collectionId } = found.reduce<Ownership>(intersect, {});
  const filter: SearchFilter = defined({
    ...others,
    orgIds,
    productIds,
    sourceIds,
    categories: category && [category],
    kinds: kind === undefined ? undefined : [kind],
    includePrereleases: others.includePrereleases ?? false,
    includeCoverage: others.includeCoverage ?? false,
    since: others.since ?? undefined,
    until: others.until ?? undefined,
  });
  return {
    filter,
    scope: { filter, owners: owners ?? null, collectionId: collectionId ?? null, includeEmpty },
    echoes: echoesOf(requested, named),
    unknown: found.length < Object.keys(named).length,
    nothing: [orgIds, productIds, sourceIds].some((ids) => ids?.length === 0),
  };
}

function echoesOf(requested: RequestedFilters, named: Partial<Record<NamedFilter, Ownership | null>>): Echoes {
  const echoes: Echoes = {};
  for (const name of keysOf(named)) {
    const status: FilterStatus = named[name] === null ? 'not_found' : 'matched';
    Object.assign(echoes, { [name]: requested[name], [`${name}Status`]: status });
  }
  if (requested.category) echoes.category = requested.category;
  return echoes;
}

// Removes undefined fields: to a retriever an absent key means "any", and an empty list means "none".
function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

// Resolves the orgs, products, sources and collections that filters name to ids; null when there is no visible one.

// The owners that a hit must have; absent means any. The values of one list are alternatives, several lists must all
// hold.
interface Ownership {
  orgIds?: readonly string[];
  productIds?: readonly string[];
  sourceIds?: readonly string[];
  // The orgs of all these owners.
  owners?: readonly string[];
  collectionId?: string;
}

// The owners that satisfy both restrictions.
function intersect(a: Ownership, b: Ownership): Ownership {
  const both: Ownership = { ...a, ...b };
  for (const name of ['orgIds', 'productIds', 'sourceIds', 'owners'] as const) {
    const [one, other] = [a[name], b[name]];
    if (one && other) both[name] = one.filter((id) => other.includes(id));
  }
  return both;
}

async function ownershipOfOrg(ctx: Context, value: string): Promise<Ownership | null> {
  const org = await findOrg(ctx, value);
  return org && org.is_hidden === 0 ? { orgIds: [org.id], owners: [org.id] } : null;
}

// A product by id, or by slug inside an org.
async function ownershipOfProduct(ctx: Context, value: string, org: string | undefined): Promise<Ownership | null> {
  const isId = idPrefixOf(toProductId(value)) === 'prod';
  if (org === undefined && !isId) return null;
  const found = await findProduct(ctx, org === undefined ? { prod: value } : { org, product: value });
  if (!found || found.product.is_hidden || found.org.is_hidden) return null;
  return { productIds: [found.product.id], owners: [found.org.id] };
}

// The sources with a slug: all of them, or those of the named org.
async function ownershipOfSource(
  ctx: Context,
  value: string,
  orgIds: readonly string[] | undefined,
): Promise<Ownership | null> {
  const byId = idPrefixOf(value) === 'src';
  const found = byId ? [await findSource(ctx, { src: value })] : await visibleSourcesBySlug(ctx, value);
  const shown = found.flatMap((one) => {
    const owned = orgIds === undefined || orgIds.includes(one?.source.org_id ?? '');
    return one?.visible && owned ? [one.source] : [];
  });
  if (shown.length === 0) return null;
  return { sourceIds: shown.map(({ id }) => id), owners: shown.flatMap(({ org_id }) => org_id ?? []) };
}

// The org with the domain, else the products that have it as an alias.
async function ownershipOfDomain(ctx: Context, value: string): Promise<Ownership | null> {
  const domain = normalizeDomain(value);
  if (domain === null) return null;
  const org = await ownershipOfOrg(ctx, domain);
  if (org) return org;
  const products = await queries(ctx)
    .selectFrom('domain_aliases as a')
    .innerJoin('products as p', 'p.id', 'a.product_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.id', 'p.org_id'])
    .where('a.domain', '=', domain)
    .where('a.deleted_at', 'is', null)
    .where(visibleProduct())
    .execute();
  if (products.length === 0) return null;
  return { productIds: products.map(({ id }) => id), owners: products.map(({ org_id }) => org_id) };
}

async function ownershipOfCollection(ctx: Context, value: string): Promise<Ownership | null> {
  const collection = await findCollection(ctx, value);
  if (!collection) return null;
  const members = await memberKeys(ctx, collection.id);
  const collectionId = collection.id;
  const owners = [...new Set(members.map(({ orgId }) => orgId))];
  const orgIds = members.filter(({ productId }) => productId === null).map(({ orgId }) => orgId);
  const productIds = members.flatMap(({ productId }) => productId ?? []);
  if (productIds.length === 0) return { orgIds, owners, collectionId };
  if (orgIds.length === 0) return { productIds, owners, collectionId };
  // Members are orgs and products, and "this org or that product" can be expressed only as a list of sources.
  return { sourceIds: await sourcesOfMembers(ctx, orgIds, productIds), owners, collectionId };
}

async function sourcesOfMembers(
  ctx: Context,
  orgIds: readonly string[],
  productIds: readonly string[],
): Promise<string[]> {
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.id')
    .where((eb) => eb.or([eb('s.org_id', 'in', orgIds), eb('s.product_id', 'in', productIds)]))
    .where(visibleSource())
    .execute();
  return rows.map(({ id }) => id);
}
