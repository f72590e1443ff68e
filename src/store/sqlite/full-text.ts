import { CompiledQuery } from 'kysely';
import type { FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { matchExpression } from './match-expression.ts';

export const FULL_TEXT_DDL: readonly string[] = [
  `CREATE VIRTUAL TABLE release_fts USING fts5(title, version, summary, content, tokens, scope,
    content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
  // Measured up to 1,000,000 rows: merging late but in small steps costs a tenth less than the default, keeps the speed
  // of writes level and never stops one for a second, as leaving it all to forced merges does.
  "INSERT INTO release_fts (release_fts, rank) VALUES ('automerge', 16)",
  "INSERT INTO release_fts (release_fts, rank) VALUES ('crisismerge', 32)",
];

const WRITE = `INSERT OR REPLACE INTO release_fts (rowid, title, version, summary, content, tokens, scope)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const DELETE = 'DELETE FROM release_fts WHERE rowid = ?';
export const MATCH = `SELECT rowid AS key FROM release_fts WHERE release_fts MATCH ? AND rowid BETWEEN ? AND ?
  ORDER BY rowid DESC LIMIT ?`;
const MERGE = "INSERT INTO release_fts (release_fts, rank) VALUES ('merge', ?)";

export async function writeFullText(tx: Queries, rows: readonly FullTextRow[]): Promise<void> {
  for (const { key, title, version, summary, content, tokens, scope } of rows) {
    await tx.executeQuery(CompiledQuery.raw(WRITE, [key, title, version, summary, content, tokens, scope]));
  }
}

export async function deleteFullText(tx: Queries, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.executeQuery(CompiledQuery.raw(DELETE, [key]));
}

export async function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  if (query.groups.length === 0) return [];
  const parameters = [matchExpression(query), query.minKey, query.maxKey, query.limit];
  const { rows } = await db.executeQuery(CompiledQuery.raw(MATCH, parameters));
  return (rows as { key: number }[]).map((row) => row.key);
}

export async function mergeFullText(tx: Queries, pages: number): Promise<boolean> {
  const before = await totalChanges(tx);
  await tx.executeQuery(CompiledQuery.raw(MERGE, [pages]));
  // The command itself counts as one change.
  return (await totalChanges(tx)) - before > 1;
}

async function totalChanges(tx: Queries): Promise<number> {
  const { rows } = await tx.executeQuery(CompiledQuery.raw('SELECT total_changes() AS changes'));
  return (rows as { changes: number }[])[0]?.changes ?? 0;
}
