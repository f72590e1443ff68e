// What an answer says of the cache, for whoever asks why a page was stale: whether it was cached, from which version of the
// data it was made, and the version that it was compared with.
import type { RouteDeclaration } from '../kernel/route.ts';
import type { CachedAnswer } from './byte-cache.ts';

type Headers = readonly [string, string][];

export function hitHeaders({ version, madeAt }: Pick<CachedAnswer, 'version' | 'madeAt'>): Headers {
  return [
    ['X-Cache', 'HIT'],
    ['Server-Timing', `cache;desc=hit, data;desc=${version}, made;desc=${madeAt}`],
  ];
}

export function missHeaders(version: number): Headers {
  return [
    ['X-Cache', 'MISS'],
    ['Server-Timing', `cache;desc=miss, data;desc=${version}`],
  ];
}

// The cache takes no part: it is switched off, or the answer is for one caller. A route whose default request is stored
// says in `X-Cache` whether this is such a request.
export function bypassHeaders(
  { storedAnswer }: Pick<RouteDeclaration, 'storedAnswer'>,
  query: Record<string, never>,
): Headers {
  return [
    ['X-Cache', storedAnswer?.isDefault(query) ? 'MISS' : 'BYPASS'],
    ['Server-Timing', 'cache;desc=bypass'],
  ];
}
