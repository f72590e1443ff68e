// Caches ranked lists for the next page. A list is valid until the data or the vectors change, and for a minute at most,
// because releases with a future date may appear. Degraded lists are not cached, because the next one may be complete.
import type { Context } from '../../context.ts';
import type { Store } from '../../store/store.ts';
import type { RankedList } from './ranked-list.ts';

const CACHED_MS = 60_000;
const MOST_LISTS = 64;

interface CachedList {
  list: RankedList;
  at: number;
}

const caches = new WeakMap<Store, Map<string, CachedList>>();

// `name` contains everything that the list depends on, apart from the data.
export async function cachedList(
  ctx: Context,
  name: readonly unknown[],
  make: () => Promise<RankedList>,
): Promise<RankedList> {
  if (ctx.tx) return make();
  const cache = caches.get(ctx.store) ?? new Map<string, CachedList>();
  caches.set(ctx.store, cache);
  const { space, counts, degraded } = ctx.ports.vectors.status();
  const key = JSON.stringify([name, ctx.store.dataVersion(), space, counts, degraded]);
  const at = ctx.clock().getTime();
  const known = cache.get(key);
  if (known && at >= known.at && at - known.at < CACHED_MS) return known.list;
  const list = await make();
  cache.delete(key);
  if (list.degraded !== null) return list;
  cache.set(key, { list, at });
  const [oldest] = cache.keys();
  if (cache.size > MOST_LISTS && oldest !== undefined) cache.delete(oldest);
  return list;
}
