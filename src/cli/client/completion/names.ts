// Names of orgs and sources for completion, cached for an hour. After any error there are none.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Argument, Command, Completed, Environment, Flag } from '../../command.ts';
import { nextWords } from '../../find-command.ts';
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
const MAX_PAGES = 10;
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
  for (let page = 1; page <= MAX_PAGES; page += 1) {
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

// The words that can stand at the cursor, from the command declarations.

interface Candidates {
  // All candidates, not yet filtered by the typed prefix.
  words: readonly string[];
  // The kind of names that the server has to supply, if any.
  names: Completed | null;
}

const NOTHING: Candidates = { words: [], names: null };
const MAX_WORDS = 3;

// `typed` are the words before the one at the cursor, `partial` is the typed part of that word.
export function candidatesFor(
  commands: readonly Command[],
  { typed, partial }: { typed: readonly string[]; partial: string },
): Candidates {
  const leading = typed.findIndex((word) => word.startsWith('-'));
  const words = typed.slice(0, Math.min(leading < 0 ? typed.length : leading, MAX_WORDS));
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command) return ofCommand({ commands, command, rest: typed.slice(count), partial });
  }
  if (words[0] === 'help') return { words: nextWords(commands, words.slice(1).join(' ')), names: null };
  if (leading >= 0) return NOTHING;
  const next = nextWords(commands, words.join(' '));
  return { words: words.length === 0 ? [...next, 'help'] : next, names: null };
}

interface Position {
  commands: readonly Command[];
  command: Command;
  // The words after the name of the command.
  rest: readonly string[];
  partial: string;
}

function ofCommand({ commands, command, rest, partial }: Position): Candidates {
  const pending = flagAwaitingValue(command, rest.at(-1));
  if (pending) return ofValue(pending);
  if (partial.startsWith('-')) return { words: flagsLeft(command, rest), names: null };
  const index = positionalCount(command, rest);
  const { words, names } = ofValue(argumentAt(command, index));
  // A command can also be the first word of others: `feed` and `feed url`.
  const next = index === 0 && rest.length === 0 ? nextWords(commands, command.name) : [];
  return { words: [...next, ...words], names };
}

function ofValue(value: Flag | Argument | undefined): Candidates {
  return { words: value?.choices ?? [], names: value?.complete ?? null };
}

function flagAwaitingValue(command: Command, word: string | undefined): Flag | undefined {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return undefined;
  const flag = flagOf(command, word);
  return flag?.type === 'string' ? flag : undefined;
}

function flagOf({ flags }: Command, word: string): Flag | undefined {
  if (word.startsWith('--')) return flags[word.slice(2)];
  return Object.values(flags).find(({ short }) => short !== undefined && word === `-${short}`);
}

function flagsLeft({ flags }: Command, rest: readonly string[]): string[] {
  const all = [...Object.keys(flags), 'help'].map((name) => `--${name}`);
  return all.filter((name) => !rest.some((word) => word === name || word.startsWith(`${name}=`)));
}

function positionalCount(command: Command, rest: readonly string[]): number {
  return rest.filter((word, index) => {
    if (word.startsWith('-')) return false;
    return flagAwaitingValue(command, rest[index - 1]) === undefined;
  }).length;
}

function argumentAt({ arguments: args = [] }: Command, index: number): Argument | undefined {
  return args[index] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
}
