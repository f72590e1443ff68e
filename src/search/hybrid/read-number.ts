// Reads the number of a query such as `react 19`: as a version of what is named beside it when that has such a version, otherwise
// as a word of the notes.
import type { Context } from '../../context.ts';
import { isWholeName } from '../../domain/entity-names/tiers.ts';
import type { QueryClass } from '../../domain/retrieval/fusion.ts';
import type { LexicalHit, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { asNumberBehind, asVersionOf, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { ReleaseCandidate } from '../candidates/releases.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { searchReleases } from '../lexical/search.ts';
import { LAST_NAME_TIER, namedBy } from './named-owners.ts';

export interface QueryReading {
  query: SearchQuery;
  filter: SearchFilter;
  // Set when the number decides how much words and meaning count.
  queryClass: QueryClass | null;
  // Releases that have the number right behind the name, which are better than those that have both somewhere.
  adjacent: readonly LexicalHit<ReleaseCandidate>[];
}

export async function readNumber(
  ctx: Context,
  plain: Pick<QueryReading, 'query' | 'filter'>,
  besideNumber: FoundEntities,
): Promise<QueryReading> {
  const { query, filter } = plain;
  const { number } = query;
  const asWord: QueryReading = { ...plain, queryClass: null, adjacent: [] };
  if (number === null) return asWord;
  const asVersion = (owners: readonly OwnerRef[]): QueryReading => {
    return {
      query: asVersionOf({ ...query, number }),
      filter: { ...filter, owners },
      queryClass: 'identifier',
      adjacent: [],
    };
  };
  const { whole, beginning } = ownersBeside(besideNumber, number.rest);
  // Without a name beside it the number says nothing about how the words are to be weighed.
  if (whole.length === 0 && beginning.length === 0) return asWord;
  for (const owners of whole) if (await isMatched(ctx, asVersion(owners))) return asVersion(owners);
  // `eslint 9` is rather about ESLint 9 in any note than about version 9 of something whose name only begins with it.
  if (beginning.length > 0 && !(await isMatched(ctx, asWord)) && (await isMatched(ctx, asVersion(beginning)))) {
    return asVersion(beginning);
  }
  const adjacent = await hitsOf(ctx, { query: asNumberBehind({ ...query, number }), filter });
  return { ...asWord, queryClass: 'identifier', adjacent };
}

async function isMatched(ctx: Context, reading: QueryReading): Promise<boolean> {
  return (await hitsOf(ctx, reading)).length > 0;
}

// Releases that hold every word.
async function hitsOf(ctx: Context, { query, filter }: Pick<QueryReading, 'query' | 'filter'>) {
  const { hits } = await searchReleases(ctx, { query, filter, identifierMissing: Promise.resolve(true) });
  return hits;
}

// Owners in the order in which they are asked for the version: what has exactly this name before a whole org of this name.
function ownersBeside(found: FoundEntities, text: string): { whole: OwnerRef[][]; beginning: OwnerRef[] } {
  const named = namedBy(found).filter(({ tier }) => tier <= LAST_NAME_TIER);
  const isWhole = ({ tier, name }: { tier: number; name: string }) => tier === 0 || isWholeName(name, text);
  const refs = (list: typeof named) => list.map(({ column, id }): OwnerRef => ({ column, id }));
  const whole = named.filter(isWhole);
  const orgs = whole.filter(({ column }) => column === 'org_id');
  const others = whole.filter(({ column }) => column !== 'org_id');
  return {
    whole: [others, orgs].filter((list) => list.length > 0).map(refs),
    beginning: refs(named.filter((one) => !isWhole(one))),
  };
}
