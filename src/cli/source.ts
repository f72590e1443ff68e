// `registry source add <url>`: shows how the server would read an address, asks, and creates the source.
import { createInterface } from 'node:readline/promises';
import { type Evaluation, typeOfMethod } from '../contract/evaluate.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../ingest/adapters/index.ts';
import {
  CommandFailure,
  EXIT,
  type FlagValues,
  type Invocation,
  type Terminal,
  textFlag,
  UsageError,
} from './command.ts';

const DEFAULT_SERVER = 'http://localhost:8080';
const TIMEOUT_MS = 30_000;

export async function source({ positionals, flags, env, terminal }: Invocation): Promise<number> {
  const [verb, url, ...rest] = positionals;
  if (verb !== 'add' || url === undefined || rest.length > 0) {
    throw new UsageError('use `registry source add <url>`');
  }
  const server = textFlag(flags, 'server') ?? env.REGISTRY_API_URL ?? DEFAULT_SERVER;
  const call = caller(server, env.REGISTRY_API_KEY);
  const found = (await call('GET', `/v1/evaluate?url=${encodeURIComponent(url)}`)) as Evaluation;
  if (!flags.json) for (const line of evaluationLines(found)) terminal.out(line);
  if (!(await agreed(flags, terminal))) return EXIT.failure;
  const created = await call('POST', '/v1/sources', sourceOf(found, flags));
  const { id, slug } = created as { id: string; slug: string };
  terminal.out(flags.json ? JSON.stringify({ evaluation: found, source: created }) : `created ${slug} (${id})`);
  return EXIT.ok;
}

/** What the server is asked to create: the address of people as `url`, those of machines in the settings. */
export function sourceOf(found: Evaluation, flags: FlagValues): object {
  const { recommendedMethod, recommendedUrl: url, proposed } = found;
  const org = textFlag(flags, 'org') ?? proposed.orgSlug ?? undefined;
  const common = { name: textFlag(flags, 'name') ?? proposed.name, slug: textFlag(flags, 'slug'), type: proposed.type };
  const { creation } = SOURCE_TYPE_DESCRIPTORS[typeOfMethod(recommendedMethod)];
  return { url, ...common, ...(org === undefined ? {} : { orgSlug: org }), ...creation?.(found) };
}

function evaluationLines(found: Evaluation): string[] {
  const { proposed } = found;
  const org = proposed.orgSlug === null ? 'no org' : `org ${proposed.orgSlug}`;
  return [
    `method\t${found.recommendedMethod} (${found.confidence} confidence)`,
    `address\t${found.recommendedUrl}`,
    `source\t${proposed.name} (${proposed.slug}), ${org}`,
    ...found.sample.map(({ title, publishedAt }) => `entry\t${publishedAt?.slice(0, 10) ?? 'undated'}\t${title}`),
    ...found.notes.map((note) => `note\t${note}`),
    ...found.existingSourceIds.map((id) => `exists\t${id}`),
  ].map(printable);
}

// Texts of strangers must not steer the terminal.
function printable(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, '');
}

async function agreed(flags: FlagValues, terminal: Terminal): Promise<boolean> {
  if (flags.yes) return true;
  if (!process.stdin.isTTY) throw new UsageError('nobody is there to be asked; --yes creates the source');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (/^y(es)?$/i.test((await prompt.question('Create this source? [y/N] ')).trim())) return true;
    terminal.err('registry: nothing was created');
    return false;
  } finally {
    prompt.close();
  }
}

function caller(server: string, key: string | undefined) {
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    if (!URL.canParse(path, server)) throw new UsageError(`--server must be an address, not "${server}"`);
    const response = await fetch(new URL(path, server), {
      method,
      headers: { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error) => {
      throw new CommandFailure(`${server} does not answer (${error.message}); is the server running?`);
    });
    const answer = (await response.json().catch(() => null)) as { error?: { message?: string; code?: string } } | null;
    if (response.ok && answer !== null) return answer;
    const advice = response.status === 401 ? '; set REGISTRY_API_KEY to an admin token' : '';
    throw new CommandFailure(`${answer?.error?.message ?? `the server answered ${response.status}`}${advice}`);
  };
}
