// Names of orgs and sources for completion, cached for an hour. After any error there are none.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../command.ts';
import { type Api, createApi } from '../api.ts';
import { scoped } from '../views.ts';

interface KnownNames {
  orgs: readonly string[];
  sources: readonly string[];
}

interface NamesFile extends KnownNames {
  // The time of the cache entry in Unix milliseconds.
  at: number;
}

const NONE: KnownNames = { orgs: [], sources: [] };
const FRESH_MS = 3_600_000;
// A person has pressed a key and waits, so the request has a short timeout.
const PATIENCE_MS = 2000;
const MOST_PAGES = 10;
// Only names that a shell treats as a single word.
const NAME = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)?$/;

interface NamesInput {
  env: Environment;
  server: string;
  now: number;
}

export async function knownNames({ env, server, now }: NamesInput): Promise<KnownNames> {
  const file = join(cacheFolder(env), `names-${createHash('sha256').update(server).digest('hex').slice(0, 16)}.json`);
  const stored = readNames(file);
  if (stored && now - stored.at < FRESH_MS && stored.at <= now) return stored;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const names = await readServer(createApi({ server, credential: undefined, signal }));
    writeNames(file, { ...names, at: now });
    return names;
  } catch {
    return stored ?? NONE;
  }
}

function cacheFolder(env: Environment): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA || homedir(), 'registry');
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'registry');
}

async function readServer(api: Api): Promise<KnownNames> {
  const [orgs, sources] = await Promise.all([
    pagesOf<{ slug: string }>(api, '/v1/orgs', ({ slug }) => slug),
    pagesOf<{ slug: string; orgSlug: string | null }>(api, '/v1/sources', ({ orgSlug, slug }) => scoped(orgSlug, slug)),
  ]);
  return { orgs, sources };
}

async function pagesOf<T>(api: Api, path: string, nameOf: (item: T) => string): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = { page, limit: 500, envelope: true };
    const { items, pagination } = await api.get<{ items: T[]; pagination: { hasMore: boolean } }>(path, query);
    names.push(...items.map(nameOf).filter((name) => NAME.test(name)));
    if (!pagination.hasMore) break;
  }
  return names;
}

function readNames(file: string): NamesFile | null {
  try {
    const { at, orgs, sources }: NamesFile = JSON.parse(readFileSync(file, 'utf8'));
    const isNames = (list: unknown): list is string[] =>
      Array.isArray(list) && list.every((one) => typeof one === 'string' && NAME.test(one));
    return typeof at === 'number' && isNames(orgs) && isNames(sources) ? { at, orgs, sources } : null;
  } catch {
    return null;
  }
}

function writeNames(file: string, names: NamesFile): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(names), { mode: 0o600 });
  renameSync(draft, file);
}
