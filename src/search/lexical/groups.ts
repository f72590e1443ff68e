// The groups of a query as the index is asked for them: unfinished words completed, and how common each is.
import type { Context } from '../../context.ts';
import { prefixTerms, type QueryGroup } from '../../domain/search-text/query-terms.ts';
import type { WeighedGroup } from '../../domain/search-text/score.ts';
import type { SearchGroup } from '../../domain/search-text/search-query.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { countGroup, type GroupCount } from './document-counts.ts';
import { wordsBeginning } from './words-beginning.ts';

// A word of so many documents is a whole one; what begins with it would only add noise.
const COMMON = 1_000;

export interface AskedGroup extends WeighedGroup, GroupCount {
  /** All alternatives. */
  all: QueryGroup;
}

export function askedGroups(ctx: Context, index: FullTextIndex, groups: readonly SearchGroup[]): Promise<AskedGroup[]> {
  return Promise.all(groups.map((group) => askedGroup(ctx, index, group)));
}

async function askedGroup(ctx: Context, index: FullTextIndex, group: SearchGroup): Promise<AskedGroup> {
  const { terms, unfinished } = group;
  const count = await countGroup(ctx, index, terms);
  const plain = { group, terms, completions: [], all: terms, ...count };
  if (unfinished === null || count.docs >= COMMON) return plain;
  const completions = await completionsOf(ctx, unfinished);
  if (completions.length === 0) return plain;
  const all = [...terms, ...completions];
  return { group, terms, completions, all, ...(await countGroup(ctx, index, all)) };
}

/** The same groups as the looser pass asks for them. */
export function loosenedGroups(
  ctx: Context,
  index: FullTextIndex,
  groups: readonly AskedGroup[],
): Promise<AskedGroup[]> {
  return Promise.all(groups.map((group) => loosened(ctx, index, group)));
}

async function loosened(ctx: Context, index: FullTextIndex, asked: AskedGroup): Promise<AskedGroup> {
  const terms = asked.group.loose;
  if (terms === asked.group.terms) return asked;
  const all = [...terms, ...asked.completions];
  return { ...asked, terms, all, ...(await countGroup(ctx, index, all)) };
}

/** What begins with a typed word: the commonest words known, or whatever the index has while none is known. */
export async function completionsOf(ctx: Context, typed: string): Promise<QueryGroup> {
  const words = await wordsBeginning(ctx, typed);
  if (words.length === 0) return prefixTerms(typed);
  return words.map((word) => ({ kind: 'phrase', words: [word] }));
}
