// From a query to the places of the page: legs and their fusion.
import type { Context } from '../../context.ts';
import type { SearchMeta, SearchMode } from '../../contract/search.ts';
import { legDepth } from '../../domain/fusion.ts';
import type { DegradedReason, SearchFilter } from '../../domain/search-legs.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import type { FoundEntities } from '../entities/find-entities.ts';
import { type FoundRelease, newestReleases } from './found-releases.ts';
import { fusedList, type Placed } from './fused-list.ts';
import { type ClassifiedQuery, classifyQuery } from './query-class.ts';
import { runLegs } from './run-legs.ts';

export interface ListQuery {
  q: string;
  query: SearchQuery;
  mode: SearchMode;
  filter: SearchFilter;
  offset: number;
  limit: number;
  chunks: boolean;
  /** What the text names; asked for at the same time as the legs. */
  entities: Promise<FoundEntities>;
}

export interface RankedList {
  placed: Placed[];
  mode: SearchMode;
  ranking: SearchMeta['ranking'];
  degraded: DegradedReason | null;
}

export async function rankedList(ctx: Context, input: ListQuery): Promise<RankedList> {
  const { q, mode, offset, limit, chunks } = input;
  const includePrereleases = input.filter.includePrereleases || input.query.prerelease;
  const filter: SearchFilter = { ...input.filter, includePrereleases };
  const depth = legDepth({ offset, limit });
  const classified = input.entities.then((entities) => classifyQuery(entities, input.query.hardIdentifier));
  const [answers, { queryClass, named }, first] = await Promise.all([
    runLegs(ctx, { q, mode, filter, limit: depth, chunks }),
    classified,
    mode === 'hybrid' ? classified.then((query) => firstNamed(ctx, query, { filter, limit: depth })) : [],
  ]);
  const unmatched = answers.lexical.length === 0 && answers.mode !== 'semantic';
  const entity = unmatched ? await newestReleases(ctx, named, { filter, limit: depth }) : first;
  const placed = fusedList({
    legs: { ...answers, entity },
    queryClass,
    embedderWeight: ctx.ports.vectors.status().weight,
    offset,
    limit,
  });
  return { placed, mode: answers.mode, ranking: answers.ranking, degraded: answers.degraded };
}

// What was named best: its releases must stand first, not those of everybody whose name begins alike.
function firstNamed(
  ctx: Context,
  { named }: ClassifiedQuery,
  page: { filter: SearchFilter; limit: number },
): Promise<FoundRelease[]> {
  return newestReleases(ctx, named.slice(0, 1), page);
}
