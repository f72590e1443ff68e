import { type RawBuilder, sql } from 'kysely';
import type { Dialect, Sequence } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import type { Queries } from '../schema/index.ts';
import { isSqliteBusy, isSqliteUnique, sqliteCode } from './connection.ts';
import { deleteFullText, fullTextDdl, mergeFullText, rankingDdl, walkingDdl, writeFullText } from './full-text.ts';
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
  rankingDdl,
  walkingDdl,
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
  const code = sqliteCode(error);
  if (code === null) return null;
  if (SPACE_ERRORS.has(code)) return 'disk_full';
  return OUTAGES[code & 0xff] ?? null;
}
