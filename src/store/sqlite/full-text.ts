import { CompiledQuery } from 'kysely';
import { Turns } from '../../threads/turns.ts';
import type { FullTextIndex, FullTextQuery, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema/index.ts';
import { INDEXES, statements, TABLES, TEXTS } from './full-text-tables.ts';
import { matchingKeys, rawRows, risingNewest } from './match.ts';

const WRITE = statements(({ name, columns }) => {
  const places = Object.values(columns);
  const values = places.map(() => '?').join(', ');
  return `INSERT OR REPLACE INTO ${name} (rowid, ${places.join(', ')}, tokens, scope) VALUES (?, ${values}, ?, ?)`;
});
const DELETE = statements(({ name }) => `DELETE FROM ${name} WHERE rowid = ?`);
const MERGE = statements(({ name }) => `INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`);

export function fullTextDdl(index: FullTextIndex): string[] {
  const { name, columns } = TABLES[index];
  return [
    `CREATE VIRTUAL TABLE ${name} USING fts5(${Object.values(columns).join(', ')}, tokens, scope,
      content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
    // Measured up to 1,000,000 rows: merging late but in small steps costs a tenth less than the default, keeps the
    // speed of writes level and never stops one for a second, as leaving it all to forced merges does.
    `INSERT INTO ${name} (${name}, rank) VALUES ('automerge', 16)`,
    `INSERT INTO ${name} (${name}, rank) VALUES ('crisismerge', 32)`,
  ];
}

// One query language serves matching and ranking.
export function rankingDdl(): string[] {
  return [];
}

// SQLite reads no row by itself, so nothing has to be set up.
export function walkingDdl(): string[] {
  return [];
}

export async function writeFullText(tx: Queries, index: FullTextIndex, rows: readonly FullTextRow[]): Promise<void> {
  const texts = TEXTS[index];
  const turns = new Turns();
  for (const row of rows) {
    const values = [row.key, ...texts.map((text) => row[text]), row.tokens, row.scope];
    await tx.executeQuery(CompiledQuery.raw(WRITE[index], values));
    await turns.after(row.content.length);
  }
}

export async function deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.executeQuery(CompiledQuery.raw(DELETE[index], [key]));
}

export function matchFullText(db: Queries, query: FullTextQuery): Promise<number[]> {
  return query.sparse ? risingNewest(db, query) : matchingKeys(db, query, 'DESC');
}

export async function mergeFullText(tx: Queries, pages: number): Promise<boolean> {
  for (const index of INDEXES) {
    const before = await totalChanges(tx);
    await tx.executeQuery(CompiledQuery.raw(MERGE[index], [pages]));
    // The command itself counts as one change.
    if ((await totalChanges(tx)) - before > 1) return true;
  }
  return false;
}

async function totalChanges(tx: Queries): Promise<number> {
  const [row] = await rawRows<{ changes: number }>(tx, 'SELECT total_changes() AS changes');
  return row?.changes ?? 0;
}
