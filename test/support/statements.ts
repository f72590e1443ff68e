// The statements that a read sends, and the database's plans for them.
import { type CompiledQuery, sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Queries } from '../../src/store/schema/index.ts';
import type { Store } from '../../src/store/store.ts';

export type SeenStatement = CompiledQuery & { rows: number };

// Intercepted before they reach the database, whether they run on a read thread or on the main one.
export async function statements(ctx: Context, read: (ctx: Context) => Promise<unknown>): Promise<SeenStatement[]> {
  const seen: SeenStatement[] = [];
  const watched = watch(ctx.store.read, seen);
  await read({ ...ctx, store: { ...ctx.store, read: watched, search: watched } });
  return seen;
}

// The statements of the transactions that a piece of work opens.
export async function writtenStatements(
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
): Promise<SeenStatement[]> {
  const seen: SeenStatement[] = [];
  const transaction: Store['transaction'] = (inside, kind) =>
    ctx.store.transaction((tx) => inside(watch(tx, seen)), kind);
  await work({ ...ctx, store: { ...ctx.store, transaction } });
  return seen;
}

// Does something before each statement of a reader.
export function beforeStatements<Q extends Queries>(queries: Q, work: (text: string) => Promise<void>): Q {
  const watched = copyOf(queries);
  const executor = watched.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async (query) => {
    await work(query.sql);
    return execute(query);
  };
  return watched;
}

function copyOf<Q extends Queries>(queries: Q): Q {
  return queries.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  }) as Q;
}

function watch<Q extends Queries>(queries: Q, seen: SeenStatement[]): Q {
  const watched = copyOf(queries);
  const executor = watched.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async (query) => {
    const statement = { ...query, rows: 0 };
    seen.push(statement);
    const result = await execute(query);
    statement.rows = result.rows.length;
    return result as never;
  };
  return watched;
}

// Test tables are so small that a full scan is cheapest; `asIfLarge` checks whether an index could be used.
export async function plan(ctx: Context, query: CompiledQuery, { asIfLarge = false } = {}): Promise<string> {
  const { store } = ctx;
  return store.transaction(async (tx) => {
    if (asIfLarge && store.dialect.name === 'postgres') await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    return store.dialect.explain(tx, asQuery(query));
  }, 'bookkeeping');
}

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

// How many rows PostgreSQL looked at, in all steps of its plan together.
export async function rowsRead(ctx: Context, query: CompiledQuery): Promise<number> {
  const { rows } = await ctx.store.transaction(
    (tx) => sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`EXPLAIN (ANALYZE, FORMAT JSON) ${asQuery(query)}`.execute(tx),
    'bookkeeping',
  );
  return rows.reduce((sum, row) => sum + rowsOfNode(row['QUERY PLAN'][0].Plan), 0);
}

function rowsOfNode(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsOfNode(part), own);
}

function asQuery(query: CompiledQuery) {
  const literal = query.sql.replace(/\$\d+|\?/g, () => '\u0000').split('\u0000');
  const parts = literal.map((text) => sql.raw(text));
  const values = query.parameters.map((value) => (typeof value === 'number' ? sql.lit(value) : sql`${value}`));
  const whole = parts.flatMap((part, index) => (index < values.length ? [part, values[index] ?? sql``] : [part]));
  return sql.join(whole, sql``);
}
