import { sql } from 'kysely';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { textQuery } from './text-query.ts';
import { textVector } from './text-vector.ts';

export const FULL_TEXT_DDL: readonly string[] = [
  'CREATE TABLE release_search (doc_key bigint PRIMARY KEY, words tsvector NOT NULL)',
  'CREATE INDEX release_search_words ON release_search USING gin (words)',
];

// A statement holds about so many characters of vectors, whatever the notes of a batch are like.
const STATEMENT_CHARACTERS = 4_000_000;

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
      SELECT doc_key, vector::tsvector
      FROM unnest(${keys}::bigint[], string_to_array(${vectors.join('\n')}, ${'\n'})) AS batch (doc_key, vector)
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

export async function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  if (query.groups.length === 0) return [];
  const text = textQuery(query);
  const { rows } = await sql<{ key: number }>`SELECT doc_key AS key FROM release_search
    WHERE words @@ ${text}::tsquery AND doc_key BETWEEN ${query.minKey} AND ${query.maxKey}
    ORDER BY doc_key DESC LIMIT ${query.limit}`.execute(db);
  return rows.map((row) => row.key);
}
