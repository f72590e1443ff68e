// What `registry check` keeps between runs, in the person's cache folder: listings of packages and comparisons. Everything in it
// can be made again, so a file that cannot be read or written is a miss.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from './npmrc/settings.ts';

export interface CheckCache {
  // Null when there is none, or one of another shape. `kind` is the name of a folder, with the version of what is in it.
  read<T>(kind: string, key: string): T | null;
  write(kind: string, key: string, value: unknown): void;
}

export function openCache(env: Environment, platform: NodeJS.Platform = process.platform): CheckCache {
  const folder = join(cacheFolder(env, platform), 'registry', 'check');
  const file = (kind: string, key: string) => {
    const name = createHash('sha256').update(key).digest('hex');
    return join(folder, kind, name.slice(0, 2), `${name.slice(2)}.json`);
  };
  return {
    read(kind, key) {
      try {
        const stored = JSON.parse(readFileSync(file(kind, key), 'utf8'));
        return stored.key === key ? stored.value : null;
      } catch {
        return null;
      }
    },
    write(kind, key, value) {
      const path = file(kind, key);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // Renamed into its place, so that no reader finds half of it.
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, JSON.stringify({ key, value }), { mode: 0o600 });
        renameSync(draft, path);
      } catch {}
    },
  };
}

function cacheFolder(env: Environment, platform: NodeJS.Platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData/Local');
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  return platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
