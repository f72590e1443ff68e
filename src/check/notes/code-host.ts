// Asks code hosts for what everybody may read there. A token goes to the one API host that it belongs to, over https, never
// along a redirect, and only for repositories that were seen to be public without it: a package may name a private one of the
// person who runs the check, and its notes would end in a public comment.
import { createHash } from 'node:crypto';
import { changelogText } from '../../domain/changelog/files.ts';
import {
  type CodeHost,
  JSON_OF,
  knownCodeHosts,
  RAW_OF,
  type Repository,
  repositoryPage,
} from '../../domain/code-hosts/hosts.ts';
import { isThrottled, readRateLimit, retryAt } from '../../domain/net/rate-limit.ts';
import { createFetch, type GuardedFetch } from '../../net/fetch.ts';
import type { FetchResult } from '../../net/result.ts';
import { type JsonReader, readJsonDocument } from '../../threads/json.ts';
import { TaskStopped } from '../../threads/task.ts';
import { readVersion } from '../../version.ts';
import type { CheckCache } from '../cache.ts';
import type { Environment, NpmSettings } from '../npmrc/settings.ts';
import { ownGithub, tokenOf } from './own-github.ts';

// `missing`: it is not there, or not public. `limited`: the host wants no more requests now. `spent`: the package has had its
// requests.
export type HostAnswer<T> =
  | { kind: 'read'; value: T }
  | { kind: 'missing' | 'spent' | 'offline' }
  | { kind: 'limited' | 'failed'; reason: string };

// How many requests are left for one package.
export interface RequestBudget {
  left: number;
}

export interface CodeHosts {
  readonly hosts: readonly CodeHost[];
  // Whether a token may be used for the repositories of a host.
  hasToken(host: CodeHost): boolean;
  json<T, Options>(
    asked: AskedDocument & { read: JsonReader<T | null, Options>; options: Options },
  ): Promise<HostAnswer<T>>;
  text(asked: AskedDocument): Promise<HostAnswer<string>>;
}

interface AskedDocument {
  repository: Repository;
  url: string;
  budget: RequestBudget;
}

interface HostsInput {
  settings: Pick<NpmSettings, 'ca' | 'proxyFor'>;
  cache: CheckCache;
  env: Environment;
  signal: AbortSignal;
  isOffline: boolean;
}

interface StoredDocument {
  at: number;
  etag: string | null;
  // Null for what is not there.
  value: unknown;
}

const DOCUMENTS = 'code-hosts-1';
// A document of the last hour need not be asked for again.
const FRESH_MS = 3_600_000;
const MAX_BYTES = 8_000_000;
const MAX_TEXT = 2_000_000;
// A host that did not answer so often is left alone for this run.
const MOST_FAILURES = 3;
const MAX_REDIRECTS = 2;

export function openCodeHosts(input: HostsInput): CodeHosts {
  const { cache, env, signal, isOffline } = input;
  const fetch = hostClient(input);
  const own = ownGithub(env);
  const token = tokenOf(env);
  const state = { isRefused: false };
  const limits = new Map<string, { until: number; reason: string }>();
  const quotas = new Map<string, { requests: number; reason: string }>();
  const gates = new Map<string, Promise<unknown>>();
  const failures = new Map<string, { count: number; reason: string }>();
  const known = new Map<string, Promise<HostAnswer<unknown>>>();
  const seenPublic = new Map<string, ReturnType<typeof seenAs>>();

  const hasToken = ({ api }: CodeHost) => token !== null && !state.isRefused && api === own.api;

  async function sent(url: string, { budget, method = 'GET', accept = '*/*', etag, secret }: SentRequest) {
    // Neither a token nor the question whether a repository is public goes along a redirect.
    const isStrict = secret !== undefined || method === 'HEAD';
    const result = await fetch({
      url,
      method,
      headers: {
        accept,
        ...(etag ? { 'if-none-match': etag } : {}),
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      },
      limits: { maxBytes: MAX_BYTES, maxRedirects: isStrict ? 0 : Math.min(MAX_REDIRECTS, budget.left - 1) },
      mayRedirect: (from, to) => from.origin === to.origin,
      retry: false,
      poolKey: secret === undefined ? 'notes' : `notes ${createHash('sha256').update(secret).digest('hex')}`,
      signal,
    });
    budget.left -= Math.max(1, result.requests);
    signal.throwIfAborted();
    return result;
  }

  // By the page that people open, without the token: what the API says to its holder proves nothing.
  function seenAs(repository: Repository, budget: RequestBudget): Promise<'public' | 'absent' | 'unclear'> {
    const page = repositoryPage(repository);
    const asked = seenPublic.get(page) ?? sent(page, { budget, method: 'HEAD' }).then(sightOf);
    seenPublic.set(page, asked);
    return asked;
  }

  async function ask(
    { repository, url, budget }: AskedDocument,
    { accept, read }: WantedDocument,
  ): Promise<HostAnswer<unknown>> {
    const stored = cache.read<StoredDocument>(DOCUMENTS, url);
    if (stored && (isOffline || Date.now() - stored.at < FRESH_MS)) return answerOf(stored.value);
    if (isOffline) return { kind: 'offline' };
    // The first answer of a host tells how many more it gives.
    const { origin } = new URL(url);
    const first = gates.get(origin);
    if (first) await first.catch(() => {});
    const answer = askNow({ repository, url, budget }, { accept, read }, stored);
    if (!first) gates.set(origin, answer);
    return answer;
  }

  async function askNow(
    { repository, url, budget }: AskedDocument,
    { accept, read }: WantedDocument,
    stored: StoredDocument | null,
  ): Promise<HostAnswer<unknown>> {
    const { host, origin } = new URL(url);
    const limit = limits.get(origin);
    if (limit && limit.until > Date.now()) return { kind: 'limited', reason: limit.reason };
    const failed = failures.get(origin);
    if (failed && failed.count >= MOST_FAILURES) return { kind: 'failed', reason: failed.reason };
    if (budget.left <= 0) return { kind: 'spent' };
    const mayUseToken = token !== null && url.startsWith(`${repository.host.api}/`) && hasToken(repository.host);
    const sight = mayUseToken ? await seenAs(repository, budget) : 'unclear';
    if (sight === 'absent') return { kind: 'missing' };
    if (budget.left <= 0) return { kind: 'spent' };
    const isTokened = mayUseToken && sight === 'public';
    const etag = stored?.etag ?? null;
    const left = quotas.get(origin);
    if (left && left.requests <= 0) return { kind: 'limited', reason: left.reason };
    if (left) left.requests -= 1;
    const result = await sent(url, { budget, accept, etag, ...(isTokened ? { secret: token } : {}) });
    if (isTokened && result.ok && result.status === 401) {
      state.isRefused = true;
      return askNow({ repository, url, budget }, { accept, read }, stored);
    }
    if (stored && result.ok && result.status === 304) {
      cache.write(DOCUMENTS, url, { ...stored, at: Date.now() });
      return answerOf(stored.value);
    }
    const reason = faultOf(result, host, { isTokened });
    if (result.ok && isThrottled({ ...result, text: '' }, new Date())) {
      const until = retryAt(result, new Date()) ?? new Date(Date.now() + 60_000);
      const words = limitWords(host, { until, isTokened, hint: own.api === repository.host.api });
      limits.set(origin, { until: until.getTime(), reason: words });
      return { kind: 'limited', reason: words };
    }
    if (!result.ok && result.failure === 'too_large')
      return { kind: 'failed', reason: `${host}: the answer is too long` };
    if (!result.ok || result.status >= 500) {
      const isAway = result.ok || result.failure === 'timeout' || result.failure === 'unreachable';
      if (isAway) failures.set(origin, { count: (failed?.count ?? 0) + 1, reason });
      return { kind: 'failed', reason };
    }
    failures.delete(origin);
    noteQuota(result, origin, { isTokened, hint: own.api === repository.host.api });
    if (result.status !== 200) {
      if (result.status !== 404 && result.status !== 410) return { kind: 'failed', reason };
      cache.write(DOCUMENTS, url, { at: Date.now(), etag: null, value: null } satisfies StoredDocument);
      return { kind: 'missing' };
    }
    const value = await read(result.body).catch((error) => {
      if (error instanceof TaskStopped) return null;
      throw error;
    });
    if (value === null || value === undefined)
      return { kind: 'failed', reason: `${host}: the answer is not what such a host says` };
    cache.write(DOCUMENTS, url, { at: Date.now(), etag: result.headers.etag ?? null, value } satisfies StoredDocument);
    return { kind: 'read', value };
  }

  function noteQuota({ headers }: Extract<FetchResult, { ok: true }>, origin: string, how: Omit<LimitWords, 'until'>) {
    const { remaining, resetAt } = readRateLimit(headers, new Date());
    if (remaining === null || resetAt === null) return;
    const reason = limitWords(new URL(origin).host, { until: resetAt, ...how });
    // Requests under way are not in what the host has counted.
    quotas.set(origin, { requests: Math.min(remaining, quotas.get(origin)?.requests ?? remaining), reason });
  }

  async function once<T>(asked: AskedDocument, wanted: WantedDocument): Promise<HostAnswer<T>> {
    const running = known.get(asked.url);
    const answer = running ?? ask(asked, wanted);
    known.set(asked.url, answer);
    const told = await answer;
    if (told.kind !== 'spent') return told as HostAnswer<T>;
    // Another package of the same repository has requests of its own.
    if (known.get(asked.url) === answer) known.delete(asked.url);
    return running && asked.budget.left > 0 ? once(asked, wanted) : (told as HostAnswer<T>);
  }

  return {
    hosts: [...(own.isNamed ? [own] : []), ...knownCodeHosts(env.REGISTRY_CODE_HOSTS ?? '')],
    hasToken,
    json: ({ read, options, ...asked }) =>
      once(asked, {
        accept: JSON_OF[asked.repository.host.kind],
        read: (body) => readJsonDocument(read, body, options),
      }),
    text: (asked) =>
      once(asked, {
        accept: `${RAW_OF[asked.repository.host.kind]}*/*;q=0.5`,
        read: async (body) => changelogText(body.subarray(0, MAX_TEXT)),
      }),
  };
}

interface SentRequest {
  budget: RequestBudget;
  method?: 'GET' | 'HEAD';
  accept?: string;
  etag?: string | null;
  secret?: string;
}

interface WantedDocument {
  accept: string;
  // Null for what is no such document.
  read: (body: Uint8Array) => Promise<unknown>;
}

function sightOf(result: FetchResult): 'public' | 'absent' | 'unclear' {
  if (!result.ok) return 'unclear';
  return result.status === 200 ? 'public' : result.status === 404 ? 'absent' : 'unclear';
}

function answerOf(value: unknown): HostAnswer<unknown> {
  return value === null ? { kind: 'missing' } : { kind: 'read', value };
}

function hostClient({ settings, env, isOffline }: HostsInput): GuardedFetch {
  if (isOffline) return async () => Promise.reject(new Error('nothing is fetched offline'));
  const allow = (env.REGISTRY_EGRESS_ALLOW ?? '').split(',').map((one) => one.trim());
  return createFetch({
    userAgent: `ReleaseRegistry/${readVersion()}`,
    allow: allow.filter(Boolean),
    rules: { httpsOnly: true },
    ...(settings.ca === null ? {} : { ca: settings.ca }),
    proxyFor: settings.proxyFor,
  });
}

function faultOf(result: FetchResult, host: string, { isTokened }: { isTokened: boolean }): string {
  if (!result.ok) return `${host}: ${result.detail}`;
  return `${host}: ${result.status}${isTokened && result.status === 403 ? ' with the token' : ''}`;
}

interface LimitWords {
  until: Date;
  isTokened: boolean;
  // A token would raise the limit.
  hint: boolean;
}

function limitWords(host: string, { until, isTokened, hint }: LimitWords): string {
  const time = `${until.toISOString().slice(11, 16)} UTC`;
  return `${host} wants no more requests before ${time}${hint && !isTokened ? '; with GITHUB_TOKEN it allows more' : ''}`;
}
