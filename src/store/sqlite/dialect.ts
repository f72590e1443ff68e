import { type RawBuilder, sql } from 'kysely';
import type {
  CandidateQuery,
  CountQuery,
  Dialect,
  DocumentCount,
  FullTextCandidates,
  FullTextQuery,
  Sequence,
} from '../dialect.ts';
import type { Outage } from '../outage.ts';
import type { Queries } from '../schema/index.ts';
import { isSqliteBusy, isSqliteUnique, sqliteCode } from './connection.ts';
import {
  deleteFullText,
  fullTextDdl,
  matchFullText,
  mergeFullText,
  rankingDdl,
  walkingDdl,
  writeFullText,
} from './full-text.ts';
import { TEXTS } from './full-text-tables.ts';
import { countMatches, matchAmongKeys, matchingKeys, risingKeys, risingNewest } from './match.ts';

// Selects the candidates for ranking, and estimates how common a term is. The caller sets a range of keys in which a
// query is cheap.

// Documents of a term are counted up to this number, newest first; the rest is estimated.
const COUNTED = 4_000;
// The density of a range is estimated from this part of it.
const SLICES = 16;
// Slightly more than needed, so that one step is usually enough.
const SPARE = 1.25;

type PartialQuery = Pick<FullTextQuery, 'columns' | 'oneIn' | 'limit'>;

async function findCandidates(db: Queries, query: CandidateQuery): Promise<FullTextCandidates> {
  const { tiers, most, sparse, sliceKey, ...requested } = query;
  const columns = TEXTS[query.index];
  const all = sparse ? await risingKeys(db, { ...requested, columns, limit: most + 1 }) : null;
  const newestOf = (part: PartialQuery) => {
    const whole: FullTextQuery = { ...requested, ...part };
    if (all) return newestAmong(db, whole, all);
    return sparse || sliceKey === null ? matchingKeys(db, whole, 'DESC') : slicedNewest(db, whole, sliceKey);
  };
  const found = all ?? (await newestOf({ columns, limit: most + 1 }));
  if (found.length <= most) return { keys: found, complete: true, lowestKey: query.minKey };
  const newest = found.slice(0, most);
  const lowestKey = newest.at(-1) ?? query.maxKey;
  if (tiers === null) return { keys: newest, complete: false, lowestKey };
  const limit = Math.ceil(most / 2);
  const best = await newestOf({ columns: tiers.head, limit });
  const near = nearQuestion(query.groups.length, tiers, columns);
  const good = near ? await newestOf({ ...near, limit }) : [];
  return { keys: [...new Set([...best, ...good, ...newest])].slice(0, most), complete: false, lowestKey };
}

// The newest documents of a tier among these keys, no further back than needed.
async function newestAmong(db: Queries, query: FullTextQuery, all: readonly number[]): Promise<number[]> {
  const { limit } = query;
  const keys: number[] = [];
  let seen = 0;
  let size = 2 * limit;
  while (keys.length < limit && seen < all.length) {
    const part = all.slice(seen, seen + size);
    const range = { minKey: part.at(-1) ?? 0, maxKey: part[0] ?? 0, limit: limit - keys.length };
    keys.push(...(await risingNewest(db, { ...query, ...range })));
    seen += part.length;
    size = Math.ceil((SPARE * seen * (limit - keys.length)) / Math.max(1, keys.length));
  }
  return keys;
}

// A single group is near wherever it occurs in these columns.
function nearQuestion(
  groups: number,
  { near }: NonNullable<CandidateQuery['tiers']>,
  columns: FullTextQuery['columns'],
): Pick<FullTextQuery, 'columns' | 'oneIn'> | null {
  if (near.length === 0) return null;
  return groups > 1 ? { columns, oneIn: near } : { columns: near };
}

// Common matches are read in descending order, which ends soon; rare ones in ascending order.
async function slicedNewest(db: Queries, query: FullTextQuery, sliceKey: number): Promise<number[]> {
  const { minKey, limit } = query;
  const slice = await risingNewest(db, { ...query, minKey: sliceKey });
  if (slice.length === limit || sliceKey <= minKey) return slice;
  if (slice.length * SLICES >= 2 * limit) return matchingKeys(db, query, 'DESC');
  const rest = await risingNewest(db, { ...query, maxKey: sliceKey - 1, limit: limit - slice.length });
  return [...slice, ...rest];
}

async function countDocuments(db: Queries, { index, group, minKey, sparse }: CountQuery): Promise<DocumentCount> {
  const query: FullTextQuery = {
    index,
    groups: [group],
    columns: TEXTS[index],
    required: [],
    excluded: [],
    minKey,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: COUNTED + 1,
  };
  const rising = sparse || minKey > 0 ? await countMatches(db, query, 'ASC') : null;
  const { docs, lowest } = rising && rising.docs <= COUNTED ? rising : await countMatches(db, query, 'DESC');
  return { docs, lowestKey: docs > COUNTED ? lowest : null };
}

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
  changeLogDdl: ['CREATE TABLE data_changes (version INTEGER PRIMARY KEY, change TEXT NOT NULL)'],
  planStatistics,
  writeFullText,
  deleteFullText,
  matchFullText,
  matchAmongKeys,
  findCandidates,
  countDocuments,
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
