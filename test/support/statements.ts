// The statements that a read sends, and the database's plans for them.
import { type CompiledQuery, sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { Queries } from '../../src/store/schema/index.ts';

// Intercepted before they reach the database, whether they run on a read thread or on the main one.
export async function statements(ctx: Context, read: (ctx: Context) => Promise<unknown>): Promise<CompiledQuery[]> {
  const seen: CompiledQuery[] = [];
  const watched = watch(ctx.store.read, seen);
  await read({ ...ctx, store: { ...ctx.store, read: watched, search: watched } });
  return seen;
}

function watch(queries: Queries, seen: CompiledQuery[]): Queries {
  const watched = queries.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = watched.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = (query) => {
    seen.push(query);
    return execute(query);
  };
  return watched;
}

// Test tables are so small that a full scan is cheapest; `asIfLarge` checks whether an index could be used.
export async function plan(ctx: Context, query: CompiledQuery, { asIfLarge = false } = {}): Promise<string> {
  const literal = query.sql.replace(/\$\d+|\?/g, () => '\u0000').split('\u0000');
  const parts = literal.map((text) => sql.raw(text));
  const values = query.parameters.map((value) => (typeof value === 'number' ? sql.lit(value) : sql`${value}`));
  const whole = parts.flatMap((part, index) => (index < values.length ? [part, values[index] ?? sql``] : [part]));
  const { store } = ctx;
  return store.transaction(async (tx) => {
    if (asIfLarge && store.dialect.name === 'postgres') await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    return store.dialect.explain(tx, sql.join(whole, sql``));
  }, 'bookkeeping');
}
