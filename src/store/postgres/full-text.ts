import { sql } from 'kysely';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { textQuery } from './text-query.ts';
import { textVector } from './text-vector.ts';

export const FULL_TEXT_DDL: readonly string[] = [
  'CREATE TABLE release_search (doc_key bigint PRIMARY KEY, words tsvector NOT NULL)',
  'CREATE INDEX release_search_words ON release_search USING gin (words)',
  // Functions, because only they can hold the planner to a plan. It takes correlated terms for independent ones and
  // would read the whole table for a rare pair of common ones; and it would sort the whole table for the newest rows.
  `CREATE FUNCTION release_search_hits (query tsquery, lowest bigint, highest bigint, most bigint)
    RETURNS SETOF bigint LANGUAGE sql STABLE SET enable_seqscan = off
    AS 'SELECT doc_key FROM release_search WHERE words @@ query AND doc_key + 0 BETWEEN lowest AND highest LIMIT most'`,
  `CREATE FUNCTION release_search_walk (query tsquery, lowest bigint, highest bigint, most bigint,
      OUT keys bigint[], OUT seen bigint)
    LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
    AS 'SELECT array_agg(doc_key) FILTER (WHERE hit), count(*) FROM (
      SELECT doc_key, words @@ query AS hit FROM release_search
      WHERE doc_key BETWEEN lowest AND highest ORDER BY doc_key DESC LIMIT most) AS newest'`,
];

// A statement holds about so many characters of vectors, whatever the notes of a batch are like.
const STATEMENT_CHARACTERS = 4_000_000;
// Rows that are looked at one by one, newest first: always, and at most while the index could still be asked instead.
const FIRST_WALK = 512;
const LONG_WALK = 20_000;
// Up to so many hits it is cheaper to take them all from the index than to look for the newest row by row.
const INDEX_HITS = 8_000;

export async function writeFullText(tx: Queries, rows: readonly FullTextRow[]): Promise<void> {
  let keys: number[] = [];
  let vectors: string[] = [];
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    const vector = textVector(row);
    keys.push(row.key);
    vectors.push(vector);
    characters += vector.length;
    if (characters < STATEMENT_CHARACTERS && index < rows.length - 1) continue;
    await sql`INSERT INTO release_search (doc_key, words)
      SELECT doc_key, vector::tsvector FROM unnest(${keys}::bigint[], ${vectors}::text[]) AS batch (doc_key, vector)
      ON CONFLICT (doc_key) DO UPDATE SET words = excluded.words`.execute(tx);
    keys = [];
    vectors = [];
    characters = 0;
  }
}

export async function deleteFullText(tx: Queries, keys: readonly number[]): Promise<void> {
  await sql`DELETE FROM release_search WHERE doc_key = ANY(${[...keys]}::bigint[])`.execute(tx);
}

// The server merges by itself.
export async function mergeFullText(): Promise<boolean> {
  return false;
}

// The index gives hits in no order. Frequent ones are met soon by walking down the keys, others are few enough to sort.
export async function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  if (query.groups.length === 0 || query.limit < 1) return [];
  const text = textQuery(query);
  const first = await walkDown(db, text, query, FIRST_WALK);
  if (first.complete) return first.keys;
  const expected = Math.ceil((1.25 * FIRST_WALK * query.limit) / first.keys.length);
  if (expected <= LONG_WALK) {
    const second = await walkDown(db, text, query, expected);
    if (second.complete) return second.keys;
  }
  const hits = await indexHits(db, text, query);
  if (hits.length <= INDEX_HITS) return hits.sort((a, b) => b - a).slice(0, query.limit);
  for (let rows = LONG_WALK; ; rows *= 4) {
    const { keys, complete } = await walkDown(db, text, query, rows);
    if (complete) return keys;
  }
}

async function indexHits(db: Queries, text: string, { minKey, maxKey }: FullTextQuery): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    SELECT release_search_hits(${text}::tsquery, ${minKey}, ${maxKey}, ${INDEX_HITS + 1}) AS key`.execute(db);
  return rows.map((row) => row.key);
}

// Complete when the page is full or the range is at its end.
async function walkDown(
  db: Queries,
  text: string,
  query: FullTextQuery,
  rows: number,
): Promise<{ keys: number[]; complete: boolean }> {
  const { rows: answers } = await sql<{ keys: string[] | null; seen: number }>`
    SELECT keys, seen FROM release_search_walk(${text}::tsquery, ${query.minKey}, ${query.maxKey}, ${rows})`.execute(
    db,
  );
  const keys = (answers[0]?.keys ?? []).map(Number).sort((a, b) => b - a);
  const atEnd = (answers[0]?.seen ?? 0) < rows;
  return { keys: keys.slice(0, query.limit), complete: atEnd || keys.length >= query.limit };
}
