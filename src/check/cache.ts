// What `registry check` keeps between runs, in the person's cache folder: listings of packages,
// comparisons, what was read of a project's files. Everything in it can be made again, so a file that cannot be read or written
// is a miss.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from './npmrc/settings.ts';

export interface CheckCache {
  // Null when there is none, or one of another shape. `kind` is the name of a folder, with the version of what is in it.
  read<T>(kind: string, key: string): T | null;
  // `most`: of a kind with large files the newest are kept.
  write(kind: string, key: string, value: unknown, limits?: { most: number }): void;
}

const MAX_FILE_SIZE = 200_000_000;

export function openCache(env: Environment, platform: NodeJS.Platform = process.platform): CheckCache {
  const folder = join(cacheFolder(env, platform), 'registry', 'check');
  const file = (kind: string, key: string) => {
    const name = createHash('sha256').update(key).digest('hex');
    return join(folder, kind, name.slice(0, 2), `${name.slice(2)}.json`);
  };
  return {
    read(kind, key) {
      try {
        const path = file(kind, key);
        if (statSync(path).size > MAX_FILE_SIZE) return null;
        const stored = JSON.parse(readFileSync(path, 'utf8'));
        return stored.key === key ? stored.value : null;
      } catch {
        return null;
      }
    },
    write(kind, key, value, limits) {
      const path = file(kind, key);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        // Renamed into its place, so that no reader finds half of it.
        const draft = `${path}.${process.pid}`;
        writeFileSync(draft, JSON.stringify({ key, value }), { mode: 0o600 });
        renameSync(draft, path);
        if (limits) keepNewest(join(folder, kind), limits.most);
      } catch {}
    },
  };
}

function keepNewest(folder: string, most: number): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  if (paths.length <= most) return;
  const files = paths.map((path) => ({ path: join(folder, path), at: statSync(join(folder, path)).mtimeMs }));
  for (const { path } of files.sort((a, b) => b.at - a.at).slice(most)) rmSync(path, { force: true });
}

function cacheFolder(env: Environment, platform: NodeJS.Platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData/Local');
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  return platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
