import { type RawBuilder, sql } from 'kysely';
import { errorCode, errorMessage } from '../../domain/records.ts';
import type { Dialect, Sequence } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import type { Queries } from '../schema/index.ts';
import { countDocuments, findCandidates } from './candidates.ts';
import {
  deleteFullText,
  fullTextDdl,
  matchAmongKeys,
  matchFullText,
  mergeFullText,
  newestHitsDdl,
  rankingDdl,
  walkingDdl,
  writeFullText,
} from './full-text.ts';
import { CANCELLED } from './pool.ts';
import { isForeignName, isStalePlan } from './prepared.ts';

export const postgres: Dialect = {
  name: 'postgres',
  clustered: '',
  hasOneWriter: false,
  types: { text: 'text COLLATE "C"', int: 'bigint', real: 'double precision', blob: 'bytea' },
  lock,
  hasLateral: true,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  forUpdate: sql`FOR UPDATE`,
  epochSeconds: (column) => sql<number>`EXTRACT(EPOCH FROM ${sql.ref(column)}::timestamptz)::double precision`,
  byIndex: () => sql``,
  amongKeys: (column, keys) => sql<boolean>`${sql.ref(column)} = ANY(${[...keys]}::bigint[])`,
  keyList: (keys) => [...keys],
  amongIds: (column, ids) => sql<boolean>`${sql.ref(column)} = ANY(${[...ids]}::text[])`,
  textRows: (rows, alias) => {
    const columns = (rows[0] ?? []).map((_, index) => rows.map((row) => row[index]));
    const lists = columns.map((column) => sql`${column}::text[]`);
    const names = columns.map((_, index) => sql.ref(`v${index}`));
    return sql`unnest(${sql.join(lists)}) AS ${sql.ref(alias)} (${sql.join(names)})`;
  },
  textSlice: (column, offset, length) => sql<string>`convert_from(
    substring(convert_to(${sql.ref(column)}, 'UTF8') FROM (${offset} + 1)::integer FOR (${length})::integer), 'UTF8')`,
  nextNumbers,
  fullTextDdl,
  rankingDdl,
  walkingDdl,
  newestHitsDdl,
  // PostgreSQL collects statistics itself.
  changeLogDdl: [],
  planStatistics: () => [],
  writeFullText,
  deleteFullText,
  matchFullText,
  matchAmongKeys,
  findCandidates,
  countDocuments,
  mergeFullText,
  explain,
  isUniqueViolation: (error) => errorCode(error) === '23505',
  isBusy: isPostgresBusy,
  databaseBytes: sql`SELECT pg_database_size(current_database()) AS bytes`,
  outageOf: postgresOutage,
};

async function lock(tx: Queries, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

async function nextNumbers(tx: Queries, sequence: Sequence, count: number): Promise<number[]> {
  const { rows } = await sql<{ value: number }>`
    SELECT nextval(${sql.lit(sequence)}::regclass) AS value FROM generate_series(1, ${count}::int)`.execute(tx);
  return rows.map((row) => row.value);
}

async function explain(db: Queries, query: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${query}`.execute(db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// Serialization failures, deadlocks and lock timeouts disappear when the transaction is retried.
const BUSY = new Set(['40001', '40P01', '55P03']);
const DISK_FULL = '53100';
const READ_ONLY = '25006';

// The server is stopping, starting, or out of connections.
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '53200', '58000', '58030']);
const CONNECTION_CLASS = /^08[0-9A-Z]{3}$/;

const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

// The driver gives errors of its own connections no code.
const DRIVER_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];

function isPostgresBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error)) || isStalePlan(error) || isForeignName(error);
}

function postgresOutage(error: unknown): Outage | null {
  const code = codeOf(error);
  if (isPostgresBusy(error)) return 'busy';
  if (code === CANCELLED) return 'too_long';
  if (code === DISK_FULL) return 'disk_full';
  if (code === READ_ONLY) return 'read_only';
  if (UNREACHABLE.has(code) || SOCKET.has(code)) return 'database';
  if (CONNECTION_CLASS.test(code)) return 'database';
  const message = errorMessage(error);
  return DRIVER_MESSAGES.some((start) => message.startsWith(start)) ? 'database' : null;
}

function codeOf(error: unknown): string {
  const code = errorCode(error);
  return typeof code === 'string' ? code : '';
}
