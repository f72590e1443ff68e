// Brings the tables of the index up to date with `vectors`: a page in a transaction, in the order of commits.
import { sql } from 'kysely';
import type { Queries } from '../../../store/schema/index.ts';
import { type IndexedRow, rowsAfter } from '../nearest/vector-rows.ts';
import { KINDS } from '../spaces.ts';
import {
  buildIndex,
  createTable,
  type IndexTable,
  lockTables,
  readTable,
  readTables,
  type TableOf,
  tableName,
  vectorText,
  writeProgress,
} from './tables.ts';

const PAGE = 500;

export interface IndexedSpace {
  space: string;
  dims: number;
}

interface Filling {
  signal: AbortSignal;
  log: (message: string, facts: Record<string, unknown>) => void;
}

// Makes the tables of these spaces where they are missing, fills and builds them. False when another process does it or the
// work was stopped.
export async function fillTables(db: Queries, spaces: readonly IndexedSpace[], filling: Filling): Promise<boolean> {
  for (const { space, dims } of spaces) {
    for (const kind of KINDS) {
      if (!(await fillTable(db, { space, kind }, { ...filling, dims }))) return false;
    }
  }
  return true;
}

type Step = 'more' | 'caught up' | 'not mine';

async function fillTable(
  db: Queries,
  table: TableOf,
  { signal, log, dims }: Filling & { dims: number },
): Promise<boolean> {
  for (;;) {
    if (signal.aborted) return false;
    const step = await inTurn(db, (tx) => applyPage(tx, table, dims));
    if (step === 'not mine') return false;
    if (step === 'caught up') break;
  }
  const filled = await readTable(db, table);
  if (!filled || filled.built) return filled !== null;
  const started = performance.now();
  const step = await inTurn(db, async (tx) => {
    await buildIndex(tx, filled);
    return 'caught up';
  });
  const { kind, space, vectors: count } = filled;
  if (step === 'caught up' && count > 0) {
    log('vector index is built in the database', { kind, space, count, ms: Math.round(performance.now() - started) });
  }
  return step === 'caught up';
}

function inTurn(db: Queries, work: (tx: Queries) => Promise<Step>): Promise<Step> {
  return db.transaction().execute(async (tx) => ((await lockTables(tx)) ? work(tx) : 'not mine'));
}

async function applyPage(tx: Queries, table: TableOf, dims: number): Promise<Step> {
  if (!(await readTables(tx)).some(({ name }) => name === tableName(table))) await createTable(tx, table, dims);
  const { name, seq } = (await readTable(tx, table)) ?? { name: tableName(table), seq: 0 };
  const rows = await rowsAfter({ reader: { db: tx }, ...table }, seq, PAGE);
  const last = rows.at(-1);
  if (!last) return 'caught up';
  const { present = [], absent = [] } = Object.groupBy(rows, (row) => (isIndexed(row, dims) ? 'present' : 'absent'));
  const added = (await putRows(tx, name, present)) - (await removeRows(tx, name, absent));
  await writeProgress(tx, name, { seq: last.seq, added });
  return rows.length < PAGE ? 'caught up' : 'more';
}

// A vector without direction is near to nothing.
function isIndexed({ data, deleted }: IndexedRow, dims: number): boolean {
  return !deleted && data.length === dims && data.some((value) => value !== 0);
}

// How many were not there before.
async function putRows(tx: Queries, name: string, rows: readonly IndexedRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const keys = rows.map(({ key }) => key);
  const vectors = rows.map(({ data }) => vectorText(data));
  // A row that was inserted, and not updated, has no earlier version.
  const { rows: put } = await sql<{ fresh: boolean }>`
    INSERT INTO ${sql.table(name)} AS t (key, embedding)
    SELECT n.key, n.vector::halfvec FROM unnest(${keys}::bigint[], ${vectors}::text[]) AS n (key, vector)
    ON CONFLICT (key) DO UPDATE SET embedding = EXCLUDED.embedding RETURNING (t.xmax = 0) AS fresh`.execute(tx);
  return put.filter(({ fresh }) => fresh).length;
}

async function removeRows(tx: Queries, name: string, rows: readonly IndexedRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const keys = rows.map(({ key }) => key);
  const { numAffectedRows } = await sql`DELETE FROM ${sql.table(name)} WHERE key = ANY(${keys}::bigint[])`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

// Whether `vectors` has what these tables have not, or one of them is missing or not built.
export async function isFillDue(db: Queries, spaces: readonly IndexedSpace[]): Promise<boolean> {
  const tables = new Map((await readTables(db)).map((table): [string, IndexTable] => [table.name, table]));
  for (const { space } of spaces) {
    for (const kind of KINDS) {
      const table = tables.get(tableName({ space, kind }));
      if (!table?.built || (await lastSeq(db, { space, kind })) > table.seq) return true;
    }
  }
  return false;
}

async function lastSeq(db: Queries, { space, kind }: TableOf): Promise<number> {
  const row = await db
    .selectFrom('vectors')
    .select(({ fn }) => fn.max('seq').as('last'))
    .where('space', '=', space)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}
