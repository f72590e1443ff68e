// A small HTTP client for tests: returns status, headers and body, and no status is an error. It uses `node:http`,
// which costs half of the processor time of `fetch`, and requests no compression by default: tests send tens of
// thousands of requests.
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export interface Answer {
  status: number;
  headers: Headers;
  // Parsed when it is JSON, else text. Tests know what they asked for, so it is not checked here.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts.
  body: any;
  text: string;
}

type HeaderValues = Record<string, string>;

export interface Client {
  get(path: string, headers?: HeaderValues): Promise<Answer>;
  head(path: string, headers?: HeaderValues): Promise<Answer>;
  delete(path: string, headers?: HeaderValues): Promise<Answer>;
  // A string is sent unchanged, anything else as JSON.
  post(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  put(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>;
}

export function createClient(url: string, always: HeaderValues = {}): Client {
  const request = async (method: string, path: string, body?: unknown, headers: HeaderValues = {}): Promise<Answer> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type: HeaderValues = sent === undefined ? {} : { 'Content-Type': 'application/json' };
    const target = new URL(path, url);
    return exchange({ method, target, headers: new Headers({ ...type, ...always, ...headers }), sent });
  };
  const bare = (method: string) => (path: string, headers?: HeaderValues) => request(method, path, undefined, headers);
  const withBody = (method: string) => (path: string, body?: unknown, headers?: HeaderValues) =>
    request(method, path, body, headers);
  return {
    get: bare('GET'),
    head: bare('HEAD'),
    delete: bare('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    request,
  };
}

const agent = new Agent({ keepAlive: true });

interface Exchange {
  method: string;
  target: URL;
  headers: Headers;
  sent: string | undefined;
}

async function exchange(input: Exchange): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { method, target, sent } = input;
  const headers: HeaderValues = { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(input.headers) };
  // Node omits the body for methods that usually have none, unless its length is given.
  if (sent !== undefined) headers['content-length'] = String(Buffer.byteLength(sent));
  const outgoing = send(target, { agent, method, headers }, (incoming) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => void parts.push(part));
    incoming.on('error', reject);
    incoming.on('end', () => resolve(answerOf(incoming, Buffer.concat(parts))));
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    // The server closed an idle connection while the request was being sent.
    const isIdle = outgoing.reusedSocket && error.code === 'ECONNRESET';
    if (isIdle && (method === 'GET' || method === 'HEAD')) resolve(exchange(input));
    else reject(error);
  });
  outgoing.end(sent);
  return promise;
}

const utf8 = new TextDecoder();

function answerOf(
  { statusCode = 0, rawHeaders, headers: { 'content-encoding': coding } }: IncomingMessage,
  sent: Buffer,
) {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const text = utf8.decode(decoded(sent, coding));
  const isJson = headers.get('content-type')?.includes('json') && text !== '';
  return { status: statusCode, headers, body: isJson ? JSON.parse(text) : text, text };
}

function decoded(sent: Buffer, coding: string | undefined): Buffer {
  if (sent.length === 0) return sent;
  if (coding === 'br') return brotliDecompressSync(sent);
  if (coding === 'gzip') return gunzipSync(sent);
  return coding === 'deflate' ? inflateSync(sent) : sent;
}
