import { sql } from 'kysely';
import { onTransactionThread } from '../../threads/documents.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { FullTextIndex, FullTextQuery, FullTextRow, KeyedQuery, Sequence } from '../dialect.ts';
import { together } from '../pipeline.ts';
import { ONE_PLAN } from '../query-builder.ts';
import type { Queries } from '../schema/index.ts';
import { textQuery } from './text-query.ts';
import { textVector, VECTOR_MAKING } from './text-vector.ts';

export const TABLES: Record<FullTextIndex, string> = { releases: 'release_search', chunks: 'chunk_search' };
const SEQUENCES: Record<FullTextIndex, Sequence> = { releases: 'release_seq', chunks: 'chunk_seq' };

export function fullTextDdl(index: FullTextIndex): string[] {
  const table = TABLES[index];
  return [
    `CREATE SEQUENCE IF NOT EXISTS ${SEQUENCES[index]}`,
    `CREATE TABLE ${table} (doc_key bigint PRIMARY KEY, words tsvector NOT NULL)`,
    `CREATE INDEX ${table}_words ON ${table} USING gin (words)`,
    // Functions, because only they can force a plan. The planner treats correlated terms as independent and would read
    // the whole table for a rare pair of common ones; and it would sort the whole table for the newest rows.
    `CREATE FUNCTION ${table}_hits (query tsquery, lowest bigint, highest bigint, most bigint)
      RETURNS SETOF bigint LANGUAGE sql STABLE SET enable_seqscan = off
      AS 'SELECT doc_key FROM ${table} WHERE words @@ query AND doc_key + 0 BETWEEN lowest AND highest LIMIT most'`,
    `CREATE FUNCTION ${table}_walk (query tsquery, lowest bigint, highest bigint, most bigint,
        OUT keys bigint[], OUT seen bigint)
      LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
      AS 'SELECT array_agg(doc_key) FILTER (WHERE hit), count(*) FROM (
        SELECT doc_key, words @@ query AS hit FROM ${table}
        WHERE doc_key BETWEEN lowest AND highest ORDER BY doc_key DESC LIMIT most) AS newest'`,
  ];
}

// Further functions for ranking.
export function rankingDdl(index: FullTextIndex): string[] {
  const table = TABLES[index];
  return [
    // Hits in three tiers; only hits are checked for a higher tier.
    `CREATE FUNCTION ${table}_tiers (query tsquery, head tsquery, near tsquery, lowest bigint, highest bigint, most bigint,
        OUT best bigint[], OUT good bigint[], OUT others bigint[], OUT seen bigint, OUT last bigint)
      LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
      AS 'SELECT array_agg(doc_key) FILTER (WHERE tier = 1), array_agg(doc_key) FILTER (WHERE tier = 2),
        array_agg(doc_key) FILTER (WHERE tier = 3), count(*), min(doc_key) FROM (
        SELECT doc_key, CASE WHEN NOT words @@ query THEN 0 WHEN words @@ head THEN 1 WHEN words @@ near THEN 2 ELSE 3 END
          AS tier FROM ${table}
        WHERE doc_key BETWEEN lowest AND highest ORDER BY doc_key DESC LIMIT most) AS newest'`,
  ];
}

// Speeds up reading many rows. Rows up to the size of a page are stored inline, because a row that is stored out of
// line costs twice as much to read; older rows move when they are written again. Hits of the index come with their
// tiers, because the index reads their rows in any case.
export function walkingDdl(index: FullTextIndex): string[] {
  const table = TABLES[index];
  return [
    `CREATE FUNCTION ${table}_hit_tiers (query tsquery, head tsquery, near tsquery, lowest bigint, highest bigint,
        most bigint, OUT best bigint[], OUT good bigint[], OUT others bigint[], OUT seen bigint, OUT last bigint)
      LANGUAGE sql STABLE SET enable_seqscan = off
      AS 'SELECT array_agg(doc_key) FILTER (WHERE tier = 1), array_agg(doc_key) FILTER (WHERE tier = 2),
        array_agg(doc_key) FILTER (WHERE tier = 3), count(*), min(doc_key) FROM (
        SELECT doc_key, CASE WHEN words @@ head THEN 1 WHEN words @@ near THEN 2 ELSE 3 END AS tier FROM ${table}
        WHERE words @@ query AND doc_key + 0 BETWEEN lowest AND highest LIMIT most) AS hits'`,
    `ALTER TABLE ${table} ALTER COLUMN words SET STORAGE EXTERNAL`,
    `ALTER TABLE ${table} SET (toast_tuple_target = 8160)`,
  ];
}

// The newest hits of the index in each tier, no more than are ranked: common words have thousands. Few hits have the words in
// the columns `near`, which include those of the head, so these are checked first. Without tiers every hit is a best one.
export function newestHitsDdl(index: FullTextIndex): string[] {
  const table = TABLES[index];
  return [
    `CREATE FUNCTION ${table}_newest_hits (query tsquery, head tsquery, near tsquery, lowest bigint, highest bigint,
        most bigint, kept integer, OUT best bigint[], OUT good bigint[], OUT others bigint[], OUT seen bigint)
      LANGUAGE sql STABLE SET enable_seqscan = off
      AS 'SELECT (array_agg(doc_key) FILTER (WHERE tier = 1))[:kept], (array_agg(doc_key) FILTER (WHERE tier = 2))[:kept],
        (array_agg(doc_key) FILTER (WHERE tier = 3))[:kept], count(*) FROM (SELECT doc_key, tier FROM (
        SELECT doc_key, CASE WHEN near IS NULL THEN 1 WHEN NOT words @@ near THEN 3 WHEN words @@ head THEN 1 ELSE 2 END
          AS tier FROM ${table}
        WHERE words @@ query AND doc_key + 0 BETWEEN lowest AND highest LIMIT most) AS hits
        ORDER BY doc_key DESC) AS newest'`,
  ];
}

// A statement holds about so many characters of vectors, whatever the notes of a batch are like. Writing them as a literal
// takes about 10 ms.
const STATEMENT_CHARACTERS = 250_000;
// A long file is not held in memory a second time, as statements that wait to be sent.
const MAX_UNANSWERED = 8;
// Rows that are read one by one, newest first: always, and at most while the index could still be used instead.
const FIRST_WALK = 512;
const LONG_WALK = 20_000;
// Up to this many hits it is cheaper to read them all from the index than to search for the newest row by row.
export const INDEX_HITS = 8_000;

// Making the vector of the most expensive text of this length takes about 30 ms.
const LONG_TEXT = 32_000;

// Its words are those of derived texts too, which are known only inside the transaction.
async function vectorOf(row: FullTextRow): Promise<string> {
  return row.content.length > LONG_TEXT ? onTransactionThread(VECTOR_MAKING, row) : textVector(row);
}

export async function writeFullText(tx: Queries, index: FullTextIndex, given: Iterable<FullTextRow>): Promise<void> {
  let batch: VectorRow[] = [];
  let characters = 0;
  // The server stores one part while the vectors of the next are made.
  const parts: Promise<void>[] = [];
  const write = (rows: readonly VectorRow[]) => {
    const part = writeVectors(tx, index, rows);
    // A failure is seen at the end, together with the others.
    part.catch(() => {});
    parts.push(part);
  };
  for (const row of given) {
    const vector = await vectorOf(row);
    batch.push({ key: row.key, vector });
    characters += vector.length;
    await endLongTurn();
    if (characters < STATEMENT_CHARACTERS) continue;
    write(batch);
    batch = [];
    characters = 0;
    await parts.at(-MAX_UNANSWERED);
  }
  if (batch.length > 0) write(batch);
  await together(parts);
}

interface VectorRow {
  key: number;
  vector: string;
}

async function writeVectors(tx: Queries, index: FullTextIndex, batch: readonly VectorRow[]): Promise<void> {
  const keys = batch.map(({ key }) => key);
  const vectors = batch.map(({ vector }) => vector);
  await sql`INSERT INTO ${sql.table(TABLES[index])} (doc_key, words)
    SELECT doc_key, vector::tsvector FROM unnest(${keys}::bigint[], ${vectors}::text[]) AS batch (doc_key, vector)
    ON CONFLICT (doc_key) DO UPDATE SET words = excluded.words`.execute(tx);
}

export async function deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void> {
  await sql`DELETE FROM ${sql.table(TABLES[index])} WHERE doc_key = ANY(${[...keys]}::bigint[])`.execute(tx);
}

// PostgreSQL merges its index itself.
export async function mergeFullText(): Promise<boolean> {
  return false;
}

// The index returns hits in no order. Frequent ones are found soon by walking down the keys, others are few enough to
// sort.
export async function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  const unmatchable = query.groups.length === 0 || query.required.some((terms) => terms.length === 0);
  if (unmatchable || query.limit < 1) return [];
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

// The rows are selected by their keys before the words are matched, because the planner might begin with the index of
// the words.
export async function matchAmongKeys(db: Queries, { index, groups, columns, keys }: KeyedQuery): Promise<number[]> {
  if (groups.length === 0 || keys.length === 0) return [];
  const text = textQuery({ groups, columns, required: [], excluded: [] });
  const { rows } = await sql<{ key: number }>`
    WITH keyed AS MATERIALIZED (
      SELECT doc_key, words FROM ${sql.table(TABLES[index])} WHERE doc_key = ANY(${[...keys]}::bigint[]))
    SELECT doc_key AS key FROM keyed WHERE words @@ ${text}::tsquery ${ONE_PLAN}`.execute(db);
  return rows.map((row) => row.key);
}

async function indexHits(
  db: Queries,
  text: string,
  { index, minKey, maxKey }: Pick<FullTextQuery, 'index' | 'minKey' | 'maxKey'>,
): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    SELECT ${sql.ref(`${TABLES[index]}_hits`)}(${text}::tsquery, ${minKey}, ${maxKey}, ${sql.lit(INDEX_HITS + 1)}) AS key ${ONE_PLAN}`.execute(
    db,
  );
  return rows.map((row) => row.key);
}

// Complete when the page is full or the range is exhausted.
async function walkDown(
  db: Queries,
  text: string,
  query: FullTextQuery,
  rows: number,
): Promise<{ keys: number[]; complete: boolean }> {
  const { rows: answers } = await sql<{ keys: string[] | null; seen: number }>`
    SELECT keys, seen FROM ${sql.table(`${TABLES[query.index]}_walk`)}(
      ${text}::tsquery, ${query.minKey}, ${query.maxKey}, ${rows}) ${ONE_PLAN}`.execute(db);
  const keys = (answers[0]?.keys ?? []).map(Number).sort((a, b) => b - a);
  const atEnd = (answers[0]?.seen ?? 0) < rows;
  return { keys: keys.slice(0, query.limit), complete: atEnd || keys.length >= query.limit };
}
