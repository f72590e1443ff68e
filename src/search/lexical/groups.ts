// Prepares the groups of a query for the index: completes unfinished words and counts how common each group is.

import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prefixTerms, type QueryGroup } from '../../domain/search-text/query-terms.ts';
import type { WeighedGroup } from '../../domain/search-text/score.ts';
import type { SearchGroup } from '../../domain/search-text/search-query.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import { searchQueries } from '../search-connection.ts';
import { cachedAnswers, countGroup, type GroupCount } from './index-counts.ts';

// A word that this many documents contain is taken as complete; words that begin with it would only add noise.
const COMMON = 1_000;

export interface ExpandedGroup extends WeighedGroup, GroupCount {
  // The typed terms and their completions.
  all: QueryGroup;
}

export function expandGroups(
  ctx: Context,
  index: FullTextIndex,
  groups: readonly SearchGroup[],
): Promise<ExpandedGroup[]> {
  return Promise.all(groups.map((group) => expandGroup(ctx, index, group)));
}

async function expandGroup(ctx: Context, index: FullTextIndex, group: SearchGroup): Promise<ExpandedGroup> {
  const { terms, unfinished } = group;
  const count = await countGroup(ctx, index, terms);
  const plain = { group, terms, completions: [], all: terms, ...count };
  if (unfinished === null || count.docs >= COMMON) return plain;
  const completions = await completionsOf(ctx, unfinished);
  if (completions.length === 0) return plain;
  const all = [...terms, ...completions];
  return { group, terms, completions, all, ...(await countGroup(ctx, index, all)) };
}

// The groups for the second, looser pass.
export function loosenedGroups(
  ctx: Context,
  index: FullTextIndex,
  groups: readonly ExpandedGroup[],
): Promise<ExpandedGroup[]> {
  return Promise.all(groups.map((group) => loosened(ctx, index, group)));
}

async function loosened(ctx: Context, index: FullTextIndex, requested: ExpandedGroup): Promise<ExpandedGroup> {
  const terms = requested.group.loose;
  if (terms === requested.group.terms) return requested;
  const all = [...terms, ...requested.completions];
  return { ...requested, terms, all, ...(await countGroup(ctx, index, all)) };
}

// Completions of a typed word: the most common known words, or a prefix search while none is known.
export async function completionsOf(ctx: Context, typed: string): Promise<QueryGroup> {
  const words = await wordsBeginning(ctx, typed);
  if (words.length === 0) return prefixTerms(typed);
  return words.map((word) => ({ kind: 'phrase', words: [word] }));
}

const MAX_STEMS = 8;
const LAST_CHARACTER = '\u{10ffff}';
// Completions are cached, because typing repeats the same beginnings.
const cached = cachedAnswers<string[]>({ maxAgeMs: () => 60_000, most: 2_000 });

// One word for each of the most common stems among the words with this beginning.
export function wordsBeginning(ctx: Context, typed: string): Promise<string[]> {
  return cached(ctx, typed, () => readWords(ctx, typed));
}

async function readWords(ctx: Context, typed: string): Promise<string[]> {
  const rows = await searchQueries(ctx)
    .selectFrom('search_words')
    .select(({ fn }) => [fn.min('word').as('word')])
    .where('word', '>=', typed)
    .where('word', '<', `${typed}${LAST_CHARACTER}`)
    .groupBy('stem')
    .orderBy(sql`sum(docs)`, 'desc')
    .orderBy('stem')
    .limit(sql.lit(MAX_STEMS))
    .modifyEnd(ONE_PLAN)
    .execute();
  return rows.map((row) => row.word);
}
