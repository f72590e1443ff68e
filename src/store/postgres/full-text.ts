import { sql } from 'kysely';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema.ts';

export const FULL_TEXT_DDL: readonly string[] = [
  'CREATE TABLE release_search (doc_key bigint PRIMARY KEY, words tsvector NOT NULL)',
  'CREATE INDEX release_search_words ON release_search USING gin (words)',
];

export async function writeFullText(_tx: Queries, _rows: readonly FullTextRow[]): Promise<void> {}

export async function deleteFullText(tx: Queries, keys: readonly number[]): Promise<void> {
  for (const key of keys) await sql`DELETE FROM release_search WHERE doc_key = ${key}`.execute(tx);
}

export async function matchFullText(_db: Queries, _query: FullTextQuery): Promise<number[]> {
  return [];
}

export async function mergeFullText(): Promise<boolean> {
  return false;
}
