import { CompiledQuery } from 'kysely';
import { recordOf } from '../../domain/records.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { FullTextIndex, FullTextRow } from '../dialect.ts';
import type { Queries } from '../schema/index.ts';
import { INDEXES, statements, TABLES, TEXTS } from './full-text-tables.ts';

// The rows of one statement: few sizes mean few prepared statements, and a statement costs as much as a short row.
const CHUNKS = [16, 4, 1] as const;
type ChunkSize = (typeof CHUNKS)[number];
// A statement cannot be interrupted, so long rows do not share one.
const CHUNK_CHARS = 16_000;

const WRITE = recordOf(CHUNKS, (size) =>
  statements(({ name, columns }) => {
    const columnNames = Object.values(columns);
    const row = `(?, ${columnNames.map(() => '?').join(', ')}, ?, ?)`;
    const rows = Array.from({ length: size }, () => row).join(', ');
    return `INSERT OR REPLACE INTO ${name} (rowid, ${columnNames.join(', ')}, tokens, scope) VALUES ${rows}`;
  }),
);
const DELETE = statements(({ name }) => `DELETE FROM ${name} WHERE rowid = ?`);
const MERGE = statements(({ name }) => `INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`);

export function fullTextDdl(index: FullTextIndex): string[] {
  const { name, columns } = TABLES[index];
  return [
    `CREATE VIRTUAL TABLE ${name} USING fts5(${Object.values(columns).join(', ')}, tokens, scope,
      content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`,
    // Measured up to 1,000,000 rows: merging late but in small steps costs a tenth less than the default, writes stay
    // equally fast, and none stops for a second, as with forced merges only.
    `INSERT INTO ${name} (${name}, rank) VALUES ('automerge', 16)`,
    `INSERT INTO ${name} (${name}, rank) VALUES ('crisismerge', 32)`,
  ];
}

// One query language serves matching and ranking.
export function rankingDdl(): string[] {
  return [];
}

// SQLite needs no settings for this.
export function walkingDdl(): string[] {
  return [];
}

export async function writeFullText(tx: Queries, index: FullTextIndex, rows: Iterable<FullTextRow>): Promise<void> {
  let group: FullTextRow[] = [];
  for (const row of rows) {
    group.push(row);
    if (group.length < CHUNKS[0] && charsOf(group) <= CHUNK_CHARS) continue;
    await writeGroup(tx, index, group);
    group = [];
    await endLongTurn();
  }
  await writeGroup(tx, index, group);
}

async function writeGroup(tx: Queries, index: FullTextIndex, rows: readonly FullTextRow[]): Promise<void> {
  const texts = TEXTS[index];
  for (let start = 0; start < rows.length; ) {
    const size = chunkSize(rows, start);
    const chunk = rows.slice(start, start + size);
    const values = chunk.flatMap((row) => [row.key, ...texts.map((text) => row[text]), row.tokens, row.scope]);
    await tx.executeQuery(CompiledQuery.raw(WRITE[size][index], values));
    start += size;
  }
}

function chunkSize(rows: readonly FullTextRow[], start: number): ChunkSize {
  const fits = (size: ChunkSize) =>
    start + size <= rows.length && charsOf(rows.slice(start, start + size)) <= CHUNK_CHARS;
  return CHUNKS.find(fits) ?? 1;
}

function charsOf(rows: readonly FullTextRow[]): number {
  return rows.reduce((sum, { content }) => sum + content.length, 0);
}

export async function deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.executeQuery(CompiledQuery.raw(DELETE[index], [key]));
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
  const { rows } = await tx.executeQuery<{ changes: number }>(
    CompiledQuery.raw('SELECT total_changes() AS changes') as CompiledQuery<{ changes: number }>,
  );
  return rows[0]?.changes ?? 0;
}
