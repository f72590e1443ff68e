// From what a caller names to ids. Something unknown is no error: it is said so, and nothing is found.
import type { Context } from '../../context.ts';
import type { FilterStatus, SearchAnswer } from '../../contract/search.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import type { EntityScope } from '../entities/ranked.ts';
import { type Belonging, intersect } from './belonging.ts';
import { placeOfCollection, placeOfDomain, placeOfOrg, placeOfProduct, placesOfSource } from './named-places.ts';

/** Filters as a caller gives them, values of closed sets already checked. */
export interface SearchFilters {
  org?: string;
  product?: string;
  source?: string;
  domain?: string;
  collection?: string;
  category?: NonNullable<SearchAnswer['category']>;
  kind?: string;
  sourceTypes?: readonly string[];
  excludedSourceTypes?: readonly string[];
  type?: 'feature' | 'rollup';
  breaking?: readonly string[];
  minImportance?: number;
  includeCoverage?: boolean;
  includePrereleases?: boolean;
  includeEmpty?: boolean;
  since?: string | null;
  until?: string | null;
}

type NamedFilter = 'org' | 'product' | 'source' | 'domain' | 'collection';
type Echoes = Pick<SearchAnswer, NamedFilter | `${NamedFilter}Status` | 'category'>;

export interface ResolvedFilters {
  filter: SearchFilter;
  scope: EntityScope;
  echoes: Echoes;
  /** A filter names nothing that is there. */
  unknown: boolean;
  /** No release can pass: the filters exclude each other, or a collection has no member to show. */
  nothing: boolean;
}

export async function resolveFilters(ctx: Context, given: SearchFilters): Promise<ResolvedFilters> {
  const org = given.org === undefined ? undefined : await placeOfOrg(ctx, given.org);
  const places: Partial<Record<NamedFilter, Belonging | null>> = {
    ...(given.org === undefined ? {} : { org }),
    ...(given.product === undefined ? {} : { product: await placeOfProduct(ctx, given.product, given.org) }),
    ...(given.source === undefined ? {} : { source: await placesOfSource(ctx, given.source, org?.owners) }),
    ...(given.domain === undefined ? {} : { domain: await placeOfDomain(ctx, given.domain) }),
    ...(given.collection === undefined ? {} : { collection: await placeOfCollection(ctx, given.collection) }),
  };
  const found = Object.values(places).filter((place) => place !== null);
  const belonging = found.reduce<Belonging>(intersect, {});
  const { orgIds, productIds, sourceIds, owners, collectionId } = belonging;
  const filter: SearchFilter = defined({
    orgIds,
    productIds,
    sourceIds,
    categories: given.category && [given.category],
    kinds: given.kind === undefined ? undefined : [given.kind],
    sourceTypes: given.sourceTypes,
    excludedSourceTypes: given.excludedSourceTypes,
    type: given.type,
    breaking: given.breaking,
    minImportance: given.minImportance,
    includePrereleases: given.includePrereleases ?? false,
    includeCoverage: given.includeCoverage ?? false,
    since: given.since ?? undefined,
    until: given.until ?? undefined,
  });
  return {
    filter,
    scope: {
      filter,
      owners: owners ?? null,
      collectionId: collectionId ?? null,
      includeEmpty: given.includeEmpty ?? false,
    },
    echoes: echoesOf(given, places),
    unknown: found.length < Object.keys(places).length,
    nothing: [orgIds, productIds, sourceIds].some((ids) => ids?.length === 0),
  };
}

function echoesOf(given: SearchFilters, places: Partial<Record<NamedFilter, Belonging | null>>): Echoes {
  const echoes: Echoes = {};
  for (const name of Object.keys(places) as NamedFilter[]) {
    const status: FilterStatus = places[name] === null ? 'not_found' : 'matched';
    Object.assign(echoes, { [name]: given[name], [`${name}Status`]: status });
  }
  if (given.category) echoes.category = given.category;
  return echoes;
}

// The legs tell "any" from "none of these" by the absence of a key.
function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
