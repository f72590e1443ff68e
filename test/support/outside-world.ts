// The outside world as a server on the loopback: tests register its responses and read its requests. Adapters reach it
// through the real guarded fetch, which is configured to allow this one address.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { AdapterContext, AdapterSettings } from '../../src/ingest/adapters/contract.ts';
import { createFetch, type GuardedFetch } from '../../src/net/fetch.ts';
import type { FetchRules } from '../../src/net/rules.ts';

export interface SeenRequest {
  method: string;
  // The path with its query.
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  gzip?: boolean;
  // Announces the full length and closes the connection after this many bytes.
  cutAfter?: number;
  // The connection is closed without a response.
  reset?: boolean;
  // No response is sent until the server closes.
  hang?: boolean;
}

type Route = Answer | string | ((request: SeenRequest) => Answer | string | Promise<Answer | string>);

export interface OutsideWorld {
  // The URL without a trailing slash.
  url: string;
  host: string;
  // `/path` matches any query, `/path?a=1` only that one; unregistered paths are 404.
  route(path: string, answer: Route): void;
  requests: SeenRequest[];
  requested(path: string): SeenRequest[];
  fetch(rules?: FetchRules): GuardedFetch;
  // The context of an adapter whose services are all here.
  context(overrides?: Partial<AdapterContext> & { rules?: FetchRules }): AdapterContext;
  close(): Promise<void>;
}

export const NOW = new Date('2024-06-01T12:00:00.000Z');

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const routes = new Map<string, Route>();
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => void serve(routes, requests, incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  const fetch = (rules: FetchRules = {}) =>
    createFetch({ userAgent: 'ReleaseRegistry/test', allow: ['127.0.0.1'], rules: { retry: false, ...rules } });
  return {
    url,
    host,
    requests,
    route: (path, answer) => void routes.set(path, answer),
    requested: (path) => requests.filter((request) => request.path === path || request.path.split('?', 1)[0] === path),
    fetch,
    context: ({ rules, ...overrides } = {}) => contextOf(url, fetch(rules), overrides),
    close: () => closed(server),
  };
}

function contextOf(url: string, fetch: GuardedFetch, overrides: Partial<AdapterContext>): AdapterContext {
  const meter = { requests: 0, bytes: 0 };
  const metered: GuardedFetch = async (request) => {
    const result = await fetch(request);
    meter.requests += result.requests;
    meter.bytes += result.bytes;
    return result;
  };
  return {
    fetch: metered,
    robotsFailure: async () => null,
    settings: settingsAt(url),
    model: null,
    now: NOW,
    meter,
    ...overrides,
  };
}

function settingsAt(url: string): AdapterSettings {
  return {
    githubApiUrl: url,
    githubRawUrl: url,
    githubWebUrl: url,
    githubToken: null,
    itunesUrl: url,
    youtubeUrl: url,
    vimeoUrl: url,
    wistiaUrl: url,
    rendererUrl: null,
  };
}

async function serve(
  routes: ReadonlyMap<string, Route>,
  requests: SeenRequest[],
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await seen(incoming);
  requests.push(request);
  const route = routes.get(request.path) ?? routes.get(request.path.split('?', 1)[0] ?? '') ?? { status: 404 };
  const answered = typeof route === 'function' ? await route(request) : route;
  send(response, typeof answered === 'string' ? { body: answered } : answered);
}

async function seen(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = incoming;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.hang) return;
  if (answer.reset) return void response.destroy();
  const plain = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? new Uint8Array());
  const body = answer.gzip ? gzipSync(plain) : plain;
  response.writeHead(answer.status ?? 200, {
    'content-length': String(body.length),
    ...(answer.gzip ? { 'content-encoding': 'gzip' } : {}),
    ...answer.headers,
  });
  if (answer.cutAfter === undefined) return void response.end(body);
  response.write(body.subarray(0, answer.cutAfter), () => response.destroy());
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

// Answers 304 to a request that repeats the validators of the response, as well-behaved servers do.
export function conditional(answer: Answer & { headers: Record<string, string> }): Route {
  const { etag, 'last-modified': lastModified } = answer.headers;
  return ({ headers }) => {
    const sameTag = etag !== undefined && headers['if-none-match'] === etag;
    const sameDate = headers['if-none-match'] === undefined && headers['if-modified-since'] === lastModified;
    return sameTag || (lastModified !== undefined && sameDate) ? { status: 304, headers: answer.headers } : answer;
  };
}
