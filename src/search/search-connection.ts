// The connections of a search: its statements run on threads of their own, beside the one that answers requests.
import type { Context } from '../context.ts';
import type { Queries } from '../store/schema/index.ts';
import type { Store } from '../store/store.ts';

// Statements of a search never run on the thread that answers requests; inside a transaction they must.
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
