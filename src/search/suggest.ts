// Completes a text while it is typed to names of orgs, products, sources and collections.
import type { Context } from '../context.ts';
import { findEntities } from './entities/find-entities.ts';
import { resolveFilters } from './filters/resolve-filters.ts';
import { readingContext } from './search-connection.ts';

export async function suggestNames(ctx: Context, { text, limit }: { text: string; limit: number }): Promise<string[]> {
  const reading = readingContext(ctx);
  const { scope } = await resolveFilters(reading, {});
  const { orgs, catalog, collections } = await findEntities(reading, { text, scope });
  const names = [...orgs, ...catalog, ...collections].map(({ name }) => name);
  return [...new Set(names)].slice(0, limit);
}
