// Tells the debug log what every cached answer hangs on, and which change dropped it.
import type { Context } from '../../context.ts';
import type { Changes } from '../../store/store.ts';
import type { CachedAnswer, CacheLog } from '../caching/byte-cache.ts';
import { pathWithoutSecrets } from './request-log.ts';

// An answer may show hundreds of entities.
const MAX_IDS = 50;

// Null when the level is switched off.
export function createCacheLog({ log, store }: Pick<Context, 'log' | 'store'>): CacheLog | null {
  if (!log.isLevelEnabled('debug')) return null;
  return {
    stored(url, { route, dependencies, madeAt }) {
      const hangsOn = dependencies === null ? 'registry' : [...dependencies].slice(0, MAX_IDS);
      log.debug({ path: pathWithoutSecrets(url, route), route, madeAt, hangsOn }, 'an answer is cached');
    },
    dropped(url, cached, version) {
      const { route, madeAt } = cached;
      const because = changeOf(cached, store.changes);
      log.debug(
        { path: pathWithoutSecrets(url, route), route, madeAt, version, because },
        'a cached answer is dropped',
      );
    },
  };
}

function changeOf({ mark, dependencies }: CachedAnswer, changes: Changes): string | string[] {
  if (changes.changedSince(mark, new Set())) return 'everything';
  if (dependencies === null) return 'registry';
  return [...dependencies].filter((id) => changes.changedSince(mark, new Set([id]))).slice(0, MAX_IDS);
}
