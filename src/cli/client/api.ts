// Calls of a server's HTTP API: with a timeout, retried where that is safe, with the server's error messages.
import { CommandFailure, UsageError } from '../command.ts';
import { causeOf, failureOf, isTimeout, retryAfter, unreachable } from './api-failure.ts';

export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface ApiCall {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  // The path below the server's URL, made by `path`.
  path: string;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  // Set for a POST that only reads, so that it may be retried.
  isRead?: boolean;
}

export interface Api {
  readonly server: string;
  get<T>(path: string, query?: Query): Promise<T>;
  markdown(path: string, query?: Query): Promise<string>;
  // The result is undefined when the response has no body.
  send<T>(call: ApiCall): Promise<T>;
  // Returns the response once its headers arrive, for streams; the timeout covers only the time until then.
  open(call: ApiCall): Promise<Response>;
}

interface ApiOptions {
  server: string;
  credential: string | undefined;
  // Aborts every call.
  signal: AbortSignal;
  // Called with each request and response, without headers and bodies.
  trace?: (line: string) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const TIMEOUT_MS = 30_000;
const TRIES = 3;
const BACKOFF_MS = 500;
const MAX_WAIT_S = 60;

// The path of a call; every value becomes one encoded segment.
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((whole, part, index) => `${whole}${segment(values[index - 1] ?? '')}${part}`);
}

function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new UsageError(`"${value}" names nothing`);
  return encodeURIComponent(value.toWellFormed());
}

export function createApi(options: ApiOptions): Api {
  const { server, credential, signal, trace = () => {}, wait = waitFor } = options;

  async function attempt(call: ApiCall, timeLimit: AbortSignal): Promise<Response> {
    const { method = 'GET', query = {}, body, headers = {} } = call;
    const url = `${server}${call.path}${queryText(query)}`;
    const startedAt = performance.now();
    trace(`> ${method} ${url}`);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, timeLimit]),
      });
      trace(`< ${response.status} after ${Math.round(performance.now() - startedAt)} ms`);
      return response;
    } catch (error) {
      if (!signal.aborted) trace(`< ${causeOf(error)} after ${Math.round(performance.now() - startedAt)} ms`);
      throw error;
    }
  }

  async function answer(call: ApiCall, limit: () => AbortSignal): Promise<Response> {
    const isRead = call.isRead ?? (call.method === undefined || call.method === 'GET');
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === TRIES;
      const backoff = BACKOFF_MS * 2 ** (tries - 1);
      const response = await attempt(call, limit()).catch((error) => {
        if (signal.aborted) throw error;
        if (isLast || !isRead || isTimeout(error)) throw unreachable({ server, timeoutMs: TIMEOUT_MS }, error);
        return null;
      });
      const pause = response === null ? backoff : pauseAfter(response, { isRead, backoff });
      if (response !== null && (isLast || pause === null)) return response;
      await response?.body?.cancel();
      trace(`  again in ${pause} ms`);
      await wait(pause ?? 0, signal);
    }
  }

  async function accepted(call: ApiCall, limit: () => AbortSignal): Promise<Response> {
    const response = await answer(call, limit);
    if (response.ok) return response;
    throw await failureOf(response);
  }

  async function textOf(call: ApiCall): Promise<string> {
    const response = await accepted(call, () => AbortSignal.timeout(TIMEOUT_MS));
    return response.text().catch((error) => {
      throw signal.aborted ? error : unreachable({ server, timeoutMs: TIMEOUT_MS }, error);
    });
  }

  async function send<T>(call: ApiCall): Promise<T> {
    const text = await textOf(call);
    try {
      const value = text === '' ? undefined : JSON.parse(text);
      return value;
    } catch {
      throw new CommandFailure(`${server} did not answer with JSON; is there a registry at this address?`);
    }
  }

  return {
    server,
    send,
    get: (path, query) => send({ path, query }),
    markdown: (path, query) => textOf({ path, query, headers: { Accept: 'text/markdown' } }),
    async open(call) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), TIMEOUT_MS);
      try {
        return await accepted(call, () => limit.signal);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') for (const one of value) search.append(name, one);
    else search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

// The delay before the next attempt; null when the response is final.
function pauseAfter(response: Response, { isRead, backoff }: { isRead: boolean; backoff: number }): number | null {
  const retrySeconds = retryAfter(response);
  if (retrySeconds !== null && retrySeconds > MAX_WAIT_S) return null;
  // A rate-limited call had no effect, so even a write may be repeated.
  if (response.status === 429) return retrySeconds === null ? null : retrySeconds * 1000;
  if (!isRead || response.status < 502 || response.status > 504) return null;
  return retrySeconds === null ? backoff : retrySeconds * 1000;
}

export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
