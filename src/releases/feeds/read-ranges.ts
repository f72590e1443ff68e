// A feed without `q`: reads and merges the ranges of its plan.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import { branchQuery, type FeedFilter, type FeedRequest, listings } from './feed-query.ts';
import { planFeed } from './feed-ranges.ts';
import { type FeedRow, newestFirst, shownColumns } from './feed-rows.ts';
import { FEW_PARTS, mergedKeys, newestFirstOf, partsOf } from './merge-ranges.ts';
import { ownedByFacets, rowsOfIds } from './rare-releases.ts';

// For this few ranges whole rows are read at once: finding out first which ones are needed costs more than reading the
// others.
const WHOLE_PARTS = 2;

export async function readRanges(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const owned = request.branches.length > FEW_PARTS ? await ownedByFacets(ctx, request) : null;
  if (owned) return owned;
  const { page, after } = request;
  const { branches, filter } = await planFeed(ctx, request);
  const parts = partsOf(branches, listings(filter));
  const offset = page.offset ?? 0;
  if (parts.length > WHOLE_PARTS) {
    // Each branch returns its newest keys from its own index; the newest of all of them are read whole.
    const keys = await mergedKeys(ctx, parts, { filter, after, wanted: page.limit + offset });
    return rowsOfIds(
      ctx,
      keys.slice(offset).map(({ id }) => id),
      page,
    );
  }
  const readPart = (part: (typeof parts)[number], rows: { limit: number; offset: number }): Promise<FeedRow[]> => {
    const newest = newestFirstOf(branchQuery(ctx, part, { filter, after })).select(
      shownColumns(page.includeContent ?? true),
    );
    // A server that does not know the limit expects to read a share of all rows.
    if (rows.offset === 0 && isWholeScope(filter)) {
      return newest.limit(sql.lit(rows.limit)).modifyEnd(ONE_PLAN).execute();
    }
    return newest.limit(rows.limit).offset(rows.offset).execute();
  };
  const [first, second] = parts;
  if (!first) return [];
  if (!second) return readPart(first, { limit: page.limit, offset });
  const wanted = { limit: page.limit + offset, offset: 0 };
  const [ofFirst, ofSecond] = [await readPart(first, wanted), await readPart(second, wanted)];
  // Most releases are not coverage of another, so there is usually nothing to merge.
  if (ofSecond.length === 0) return ofFirst.slice(offset);
  const rows = new Map([...ofFirst, ...ofSecond].map((row) => [row.id, row]));
  return [...rows.values()].sort(newestFirst).slice(offset, wanted.limit);
}

// Whether the rows of the page follow each other in the index, whatever the scope: with a further filter the best plan
// depends on how many pass it.
function isWholeScope({ includeCoverage, includePrereleases, hidden, ...others }: FeedFilter): boolean {
  return Object.values(others).every((value) => value === undefined || value === null || value === false);
}
