import type { Context } from '../context.ts';
import { parseFeedQuery, phraseGroup, type QueryGroup, readWord } from '../domain/search-text/query-terms.ts';
import { UNDATED_TERM } from '../domain/search-text/scope-terms.ts';
import type { FeedMatch } from '../ports.ts';
import type { FullTextQuery } from '../store/dialect.ts';
import { releaseTerms } from './lexical/collect-candidates.ts';
import { completionsOf } from './lexical/groups.ts';
import { searchQueries } from './search-connection.ts';

// Keys of the releases that a feed's `q` finds, newest first.
export async function matchFeed(ctx: Context, match: FeedMatch): Promise<number[]> {
  const groups = await feedGroups(ctx, match.q);
  return groups.length === 0 ? [] : ctx.store.dialect.matchFullText(searchQueries(ctx), feedQuery(match, groups));
}

// A feed's `q` searches only published text, so summaries, which this service writes, are left out.
const FEED_COLUMNS = ['title', 'version', 'content'] as const;

// Which of these releases a feed's `q` finds; null when the index cannot check single releases.
export async function matchFeedAmong(
  ctx: Context,
  { q, keys }: { q: string; keys: readonly number[] },
): Promise<number[] | null> {
  const groups = await feedGroups(ctx, q);
  return ctx.store.dialect.matchAmongKeys(searchQueries(ctx), {
    index: 'releases',
    groups,
    columns: FEED_COLUMNS,
    keys,
  });
}

export function feedQuery(match: FeedMatch, groups: readonly QueryGroup[]): FullTextQuery {
  const { scope, dates, includePrereleases, includeCoverage, filter, sparse, minKey, maxKey, limit } = match;
  const terms = releaseTerms({
    ...filter,
    orgIds: listOf(scope.org),
    productIds: listOf(scope.product),
    sourceIds: listOf(scope.source),
    categories: listOf(scope.category),
    includePrereleases,
    includeCoverage,
  });
  return {
    index: 'releases',
    groups,
    columns: FEED_COLUMNS,
    required: dates === 'undated' ? [...terms.required, [UNDATED_TERM]] : terms.required,
    excluded: dates === 'dated' ? [...terms.excluded, UNDATED_TERM] : terms.excluded,
    ...(sparse ? { sparse } : {}),
    minKey,
    maxKey,
    limit,
  };
}

function listOf(id: string | undefined): string[] | undefined {
  return id === undefined ? undefined : [id];
}

export async function feedGroups(ctx: Context, q: string): Promise<QueryGroup[]> {
  const { terms, prefixLast } = parseFeedQuery(q);
  const groups: QueryGroup[] = [];
  for (const [index, { text, phrase }] of terms.entries()) {
    const group = phrase ? phraseGroup(text) : await feedGroup(ctx, text, prefixLast && index === terms.length - 1);
    if (group !== null) groups.push(group);
  }
  return groups;
}

async function feedGroup(ctx: Context, text: string, unfinished: boolean): Promise<QueryGroup | null> {
  const reading = readWord(text, unfinished);
  if (!reading?.unfinished) return reading?.terms ?? null;
  return [...reading.terms, ...(await completionsOf(ctx, reading.unfinished))];
}
