// What a search reads of the catalog goes the way of its other statements: beside the thread that answers requests.
import type { Context } from '../context.ts';
import type { Store } from '../store/store.ts';

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
