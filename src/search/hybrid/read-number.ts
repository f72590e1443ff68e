// Reads the number of a query such as `react 19`: as a version of what is named beside it when that has such a version, otherwise
// as a word of the notes.
import type { Context } from '../../context.ts';
import { isWholeName } from '../../domain/entity-names/entity-names.ts';
import type { QueryClass } from '../../domain/retrieval/fusion.ts';
import type { LexicalHit, OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import { asNumberBehind, asVersionOf, type SearchQuery } from '../../domain/search-text/search-query.ts';
import type { ReleaseCandidate } from '../candidates/releases.ts';
import { isAnyRelease, searchReleases } from '../lexical/search.ts';

// An entity that a text names.
export interface NamedOwner extends OwnerRef {
  tier: number;
  name: string;
}

export interface QueryReading {
  query: SearchQuery;
  filter: SearchFilter;
  // Set when the number decides how much words and meaning count.
  queryClass: QueryClass | null;
  // Releases that have the number right behind the name, which are better than those that have both somewhere.
  adjacent: Promise<readonly LexicalHit<ReleaseCandidate>[]>;
}

// `named`: what the text names when its number is left out, best first.
export async function readNumber(
  ctx: Context,
  asWord: QueryReading,
  named: readonly NamedOwner[],
): Promise<QueryReading> {
  const { query, filter } = asWord;
  const { number } = query;
  if (number === null) return asWord;
  const asVersion = (owners: readonly OwnerRef[]): QueryReading => {
    return {
      ...asWord,
      query: asVersionOf({ ...query, number }),
      filter: { ...filter, owners },
      queryClass: 'identifier',
    };
  };
  const { whole, beginning } = ownersBeside(named, number.rest);
  // Without a name beside it the number says nothing about how the words are to be weighed.
  if (whole.length === 0 && beginning.length === 0) return asWord;
  for (const owners of whole) if (await isAnyRelease(ctx, asVersion(owners))) return asVersion(owners);
  // `eslint 9` is rather about ESLint 9 in any note than about version 9 of something whose name only begins with it.
  if (beginning.length > 0 && !(await isAnyRelease(ctx, asWord)) && (await isAnyRelease(ctx, asVersion(beginning)))) {
    return asVersion(beginning);
  }
  const behind = { query: asNumberBehind({ ...query, number }), filter, identifierMissing: Promise.resolve(true) };
  const adjacent = searchReleases(ctx, behind).then(({ hits }) => hits);
  // It is awaited with the retrievers, of which another may fail first.
  adjacent.catch(() => {});
  return { ...asWord, queryClass: 'identifier', adjacent };
}

// Owners in the order in which they are asked for the version: what has exactly this name before a whole org of this name.
function ownersBeside(named: readonly NamedOwner[], text: string): { whole: OwnerRef[][]; beginning: OwnerRef[] } {
  const isWhole = ({ tier, name }: { tier: number; name: string }) => tier === 0 || isWholeName(name, text);
  const refs = (list: readonly NamedOwner[]) => list.map(({ column, id }): OwnerRef => ({ column, id }));
  const whole = named.filter(isWhole);
  const orgs = whole.filter(({ column }) => column === 'org_id');
  const others = whole.filter(({ column }) => column !== 'org_id');
  return {
    whole: [others, orgs].filter((list) => list.length > 0).map(refs),
    beginning: refs(named.filter((one) => !isWhole(one))),
  };
}
