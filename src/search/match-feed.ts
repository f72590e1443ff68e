import { type Context, queries } from '../context.ts';
import { parseFeedQuery } from '../domain/query-words.ts';
import { phraseGroup, type QueryGroup, wordGroup } from '../domain/search-text/query-terms.ts';
import {
  COVERAGE_TERM,
  PRERELEASE_TERM,
  type ScopeName,
  scopeTerm,
  UNDATED_TERM,
} from '../domain/search-text/scope-terms.ts';
import type { FeedMatch } from '../ports.ts';
import type { FullTextQuery } from '../store/dialect.ts';

const SCOPES = ['org', 'product', 'source', 'category'] as const satisfies readonly ScopeName[];

/** Keys of the releases that a feed's `q` finds, newest first. */
export async function matchFeed(ctx: Context, match: FeedMatch): Promise<number[]> {
  const query = feedQuery(match);
  return query.groups.length === 0 ? [] : ctx.store.dialect.matchFullText(queries(ctx), query);
}

export function feedQuery(match: FeedMatch): FullTextQuery {
  const required = SCOPES.flatMap((name) => {
    const value = match.scope[name];
    return value === undefined ? [] : [scopeTerm(name, value)];
  });
  const excluded: string[] = [];
  (match.dated ? excluded : required).push(UNDATED_TERM);
  if (!match.includePrereleases) excluded.push(PRERELEASE_TERM);
  if (!match.includeCoverage) excluded.push(COVERAGE_TERM);
  return {
    groups: feedGroups(match.q),
    // A summary is our own text; a feed's `q` is about what was published.
    columns: ['title', 'version', 'content'],
    required,
    excluded,
    minKey: match.minKey,
    maxKey: match.maxKey,
    limit: match.limit,
  };
}

function feedGroups(q: string): QueryGroup[] {
  const { terms, prefixLast } = parseFeedQuery(q);
  return terms.flatMap(({ text, phrase }, index) => {
    const unfinished = prefixLast && index === terms.length - 1;
    const group = phrase ? phraseGroup(text) : wordGroup(text, unfinished);
    return group === null ? [] : [group];
  });
}
