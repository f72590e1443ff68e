// What sort of query it is, and what a name in it stands for.
import type { QueryClass } from '../../domain/fusion.ts';
import type { Owner } from '../../domain/search-legs.ts';
import type { FoundEntities } from '../entities/find-entities.ts';

/** A name is covered by an entity of tier 0 (called so) or 1 (its name begins so). */
const LAST_NAME_TIER = 1;

interface NamedEntity extends Owner {
  tier: number;
}

export interface ClassifiedQuery {
  queryClass: QueryClass;
  /** Of a name: what it names, best first. At equal tiers the larger thing is meant. */
  named: Owner[];
}

export function classifyQuery(entities: FoundEntities, hardIdentifier: boolean): ClassifiedQuery {
  const named = namedBy(entities);
  const best = named[0]?.tier;
  // What looks like a version or a package may be what somebody is called, whole; never the beginning of it.
  if (best !== undefined && (best === 0 || !hardIdentifier)) return { queryClass: 'name', named };
  return { queryClass: hardIdentifier ? 'identifier' : 'other', named: [] };
}

/** What is called so; where nothing is, what begins so. */
export function bestNamed(entities: FoundEntities): Owner[] {
  const named = namedBy(entities);
  return named.filter(({ tier }) => tier === named[0]?.tier).map(({ column, id }) => ({ column, id }));
}

function namedBy({ orgs, catalog, sources }: FoundEntities): NamedEntity[] {
  const products = catalog.filter(({ entryType }) => entryType === 'product');
  const all: NamedEntity[] = [
    ...orgs.map(({ id, tier }) => ({ column: 'org_id' as const, id, tier })),
    ...products.map(({ id, tier }) => ({ column: 'product_id' as const, id, tier })),
    ...sources.map(({ id, tier }) => ({ column: 'source_id' as const, id, tier })),
  ];
  return all.filter(({ tier }) => tier <= LAST_NAME_TIER).sort((a, b) => a.tier - b.tier);
}
