import { sql } from 'kysely';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema.ts';

export const FULL_TEXT_DDL: readonly string[] = [
  `CREATE VIRTUAL TABLE release_fts USING fts5(title, version, summary, content, tokens, scope,
    content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
];

export async function writeFullText(tx: Queries, rows: readonly FullTextRow[]): Promise<void> {
  for (const row of rows) {
    await sql`INSERT OR REPLACE INTO release_fts (rowid, title, version, summary, content, tokens, scope)
      VALUES (${row.key}, ${row.title}, ${row.version}, ${row.summary}, ${row.content}, ${row.tokens}, ${row.scope})`.execute(
      tx,
    );
  }
}

export async function deleteFullText(tx: Queries, keys: readonly number[]): Promise<void> {
  for (const key of keys) await sql`DELETE FROM release_fts WHERE rowid = ${key}`.execute(tx);
}

export async function matchFullText(_db: Queries, _query: FullTextQuery): Promise<number[]> {
  return [];
}
