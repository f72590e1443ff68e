// The orgs, products and sources that a text names, of all that it finds.
import type { OwnerRef } from '../../domain/retrieval/retrievers.ts';
import type { FoundEntities } from '../entities/find-entities.ts';

// A text names an entity of tier 0 (equal name) or 1 (the name begins with the text).
export const LAST_NAME_TIER = 1;

interface NamedOwner extends OwnerRef {
  tier: number;
  name: string;
}

// Best first; of equal tiers the larger entity comes first.
export function namedBy({ orgs, catalog, sources }: FoundEntities): NamedOwner[] {
  const products = catalog.filter(({ entryType }) => entryType === 'product');
  const all: NamedOwner[] = [
    ...orgs.map(({ id, tier, name }) => ({ column: 'org_id' as const, id, tier, name })),
    ...products.map(({ id, tier, name }) => ({ column: 'product_id' as const, id, tier, name })),
    ...sources.map(({ id, tier, name }) => ({ column: 'source_id' as const, id, tier, name })),
  ];
  return all.filter(({ tier }) => tier <= LAST_NAME_TIER).sort((a, b) => a.tier - b.tier);
}
