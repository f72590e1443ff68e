// Turns the names in the filters of a request into ids. An unknown name is no error: nothing is found and the answer says so.
import type { Context } from '../../context.ts';
import type { FilterStatus, SearchAnswer } from '../../contract/search.ts';
import { keysOf } from '../../domain/records.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { EntityScope } from '../entities/ranked.ts';
import {
  intersect,
  type Ownership,
  ownershipOfCollection,
  ownershipOfDomain,
  ownershipOfOrg,
  ownershipOfProduct,
  ownershipOfSource,
} from './named-owners.ts';

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
