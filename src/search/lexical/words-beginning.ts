import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { keptAnswers } from './kept.ts';
import { searchQueries } from './queries.ts';

const MOST_STEMS = 8;
const LAST_CHARACTER = '\u{10ffff}';
// Somebody who types asks for the same beginnings again, and others ask for the same ones.
const kept = keptAnswers<string[]>({ keptMs: () => 60_000, most: 2_000 });

/** One word for each of the commonest stems among the words that begin so. */
export function wordsBeginning(ctx: Context, typed: string): Promise<string[]> {
  return kept(ctx, typed, () => readWords(ctx, typed));
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
    .limit(MOST_STEMS)
    .execute();
  return rows.map((row) => row.word);
}
