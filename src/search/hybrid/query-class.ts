// What sort of query it is, and whose newest releases a name asks for.
import type { QueryClass } from '../../domain/fusion.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import type { NamedOwner } from './found-releases.ts';

/** A name is covered by an entity of tier 0 (called so) or 1 (its name begins so). */
const LAST_NAME_TIER = 1;

interface NamedEntity extends NamedOwner {
  tier: number;
}

export interface ClassifiedQuery {
  queryClass: QueryClass;
  /** Of a name: what it names, best first. At equal tiers the larger thing is meant. */
  named: NamedOwner[];
}

export function classifyQuery(entities: FoundEntities, hardIdentifier: boolean): ClassifiedQuery {
  const named = namedBy(entities);
  const best = named[0]?.tier;
  // What looks like a version or a package may be what somebody is called, whole; never the beginning of it.
  if (best !== undefined && (best === 0 || !hardIdentifier)) return { queryClass: 'name', named };
  return { queryClass: hardIdentifier ? 'identifier' : 'other', named: [] };
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
