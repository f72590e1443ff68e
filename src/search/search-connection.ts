// The connections of a search. Its statements run on threads of their own and not on the thread that answers requests.
import type { Context } from '../context.ts';
import type { Queries } from '../store/schema/index.ts';
import type { Store } from '../store/store.ts';

// The connection for the statements of a search; inside a transaction that of the transaction.
export function searchQueries(ctx: Context): Queries {
  return ctx.tx ?? ctx.store.search;
}

const besides = new WeakMap<Store, Store>();

export function readingContext(ctx: Context): Context {
  if (ctx.tx) return ctx;
  let store = besides.get(ctx.store);
  if (!store) {
    store = { ...ctx.store, read: ctx.store.search };
    besides.set(ctx.store, store);
  }
  return { ...ctx, store };
}
