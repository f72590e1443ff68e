import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { recordOf } from '../../domain/records.ts';
import { endLongTurn } from '../../threads/turns.ts';
import type { Dialect, FullTextIndex, FullTextRow, Sequence } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import type { Queries } from '../schema/index.ts';
import { isSqliteBusy, isSqliteUnique, sqliteCode } from './connection.ts';
import { isTooLong } from './deadline.ts';
import { INDEXES, statements, TABLES, TEXTS } from './full-text-tables.ts';
import { runProcedure } from './procedures.ts';

export const sqlite: Dialect = {
  name: 'sqlite',
  clustered: ' WITHOUT ROWID',
  hasOneWriter: true,
  types: { text: 'TEXT', int: 'INTEGER', real: 'REAL', blob: 'BLOB' },
  // BEGIN IMMEDIATE already excludes every other writer.
  async lock() {},
  hasLateral: false,
  skipLocked: sql``,
  forUpdate: sql``,
  epochSeconds: (column) => sql<number>`unixepoch(${sql.ref(column)}, 'subsec')`,
  byIndex: (name) => sql`INDEXED BY ${sql.ref(name)}`,
  amongKeys: amongValues,
  keyList: (keys) => JSON.stringify(keys),
  amongIds: amongValues,
  textRows: (rows, alias) => {
    const columns = (rows[0] ?? []).map(
      (_, index) => sql`json_extract(value, ${sql.lit(`$[${index}]`)}) AS ${sql.ref(`v${index}`)}`,
    );
    return sql`(SELECT ${sql.join(columns)} FROM json_each(${JSON.stringify(rows)})) AS ${sql.ref(alias)}`;
  },
  textSlice: (column, offset, length) =>
    sql<string>`CAST(substr(CAST(${sql.ref(column)} AS BLOB), ${offset} + 1, ${length}) AS TEXT)`,
  nextNumbers,
  fullTextDdl,
  // One query language serves matching and ranking.
  rankingDdl: () => [],
  // SQLite needs no settings for this.
  walkingDdl: () => [],
  newestHitsDdl: () => [],
  changeLogDdl: ['CREATE TABLE data_changes (version INTEGER PRIMARY KEY, change TEXT NOT NULL)'],
  planStatistics,
  writeFullText,
  deleteFullText,
  matchFullText: (db, query) => runProcedure(db, 'matchFullText', query),
  matchAmongKeys: (db, query) => runProcedure(db, 'matchAmongKeys', query),
  findCandidates: (db, query) => runProcedure(db, 'findCandidates', query),
  countDocuments: (db, query) => runProcedure(db, 'countDocuments', query),
  mergeFullText,
  explain,
  isUniqueViolation: isSqliteUnique,
  isBusy: isSqliteBusy,
  databaseBytes: sql`SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
  outageOf: sqliteOutage,
};

function amongValues(column: string, values: readonly (number | string)[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

// Fixed statistics give every registry the same plans, whatever its size; the last statement loads them at once.
function planStatistics(table: string, indexes: Record<string, readonly number[]>): string[] {
  return [
    'ANALYZE sqlite_schema',
    ...Object.entries(indexes).flatMap(([name, rows]) => [
      `DELETE FROM sqlite_stat1 WHERE tbl = '${table}' AND idx = '${name}'`,
      `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('${table}', '${name}', '${rows.join(' ')}')`,
    ]),
    'ANALYZE sqlite_schema',
  ];
}

async function nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`
    INSERT INTO counters (name, value) VALUES (${sequence}, ${count})
    ON CONFLICT (name) DO UPDATE SET value = counters.value + ${count} RETURNING value`.execute(tx);
  const last = rows[0]?.value ?? 0;
  return Array.from({ length: count }, (_, index) => last - count + 1 + index);
}

async function explain(db: Queries, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN ${query}`.execute(db);
  return rows.map((row) => row.detail).join('\n');
}

// Primary result codes; extended ones contain them in their lowest byte.
const OUTAGES: Readonly<Record<number, Outage>> = {
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'database',
  13: 'disk_full',
  14: 'database',
};

// I/O errors of a full file system: a write, or the growth of the shared memory file of the log.
const SPACE_ERRORS = new Set([10 | (3 << 8), 10 | (19 << 8)]);

function sqliteOutage(error: unknown): Outage | null {
  if (isTooLong(error)) return 'too_long';
  const code = sqliteCode(error);
  if (code === null) return null;
  if (SPACE_ERRORS.has(code)) return 'disk_full';
  return OUTAGES[code & 0xff] ?? null;
}

// The full-text index: its tables, and how its rows are written.

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

function fullTextDdl(index: FullTextIndex): string[] {
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

async function writeFullText(tx: Queries, index: FullTextIndex, rows: Iterable<FullTextRow>): Promise<void> {
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

async function deleteFullText(tx: Queries, index: FullTextIndex, keys: readonly number[]): Promise<void> {
  for (const key of keys) await tx.executeQuery(CompiledQuery.raw(DELETE[index], [key]));
}

async function mergeFullText(tx: Queries, pages: number): Promise<boolean> {
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
