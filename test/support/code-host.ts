// A code host on the loopback in the shape of GitHub, with its web pages, its interface and raw files. It notes what it was
// asked, and by whom.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostedFixture {
  releases?: { tag: string; body: string; name?: string; draft?: boolean }[];
  files?: Record<string, string>;
  // Seen only with the token.
  isPrivate?: boolean;
}

interface CodeHostOptions {
  token?: string;
  // Answers before the host does; true when it did.
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  // Requests of the interface that it answers to strangers; later ones are told to wait.
  quota?: number;
}

interface CodeHostFixture {
  url: string;
  // As REGISTRY_EGRESS_ALLOW takes it.
  host: string;
  // What a person sets to have it asked.
  env: Record<string, string>;
  seen: { method: string; path: string; authorization: string | undefined; etag: string | undefined; status: number }[];
  close(): void;
}

export async function startCodeHost(
  repositories: Record<string, HostedFixture>,
  { token = '', before, quota = Number.POSITIVE_INFINITY }: CodeHostOptions = {},
): Promise<CodeHostFixture> {
  const seen: CodeHostFixture['seen'] = [];
  let spent = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const { authorization, 'if-none-match': etag } = headers;
    const path = decodeURIComponent(url);
    response.on('close', () => seen.push({ method, path, authorization, etag, status: response.statusCode }));
    if (before?.(request, response)) return;
    const isHolder = token !== '' && authorization === `Bearer ${token}`;
    const isApi = path.startsWith('/api/v3/');
    if (isApi && !isHolder) {
      spent += 1;
      response.setHeader('x-ratelimit-limit', '60');
      response.setHeader('x-ratelimit-remaining', String(Math.max(0, quota - spent)));
      response.setHeader('x-ratelimit-reset', String(Math.floor(Date.now() / 1000) + 600));
      if (spent > quota) return void response.writeHead(403).end('{"message":"API rate limit exceeded"}');
    }
    const [, owner = '', name = '', rest = ''] =
      /^\/(?:api\/v3\/repos\/)?([^/?]+)\/([^/?]+)(?:\/(.*))?$/.exec(path) ?? [];
    const repository = repositories[`${owner}/${name}`];
    if (!repository || (repository.isPrivate && !isHolder)) return void response.writeHead(404).end('{}');
    const answer = isApi ? apiAnswer(repository, rest) : rest === '' ? '<html></html>' : undefined;
    if (answer === undefined) return void response.writeHead(404).end('{}');
    const tag = `"${answer.length}"`;
    if (etag === tag) return void response.writeHead(304).end();
    response.setHeader('etag', tag);
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  return { url, host, env: { GITHUB_API_URL: `${url}/api/v3` }, seen, close: () => void server.close() };
}

function apiAnswer({ releases = [], files = {} }: HostedFixture, rest: string): string | undefined {
  if (rest.startsWith('releases')) {
    const page = Number(new URL(rest, 'http://x').searchParams.get('page') ?? 1);
    const listed = releases.map(({ tag, body, name = tag, draft = false }, index) => {
      return { id: index + 1, tag_name: tag, name, body, draft, prerelease: false };
    });
    return JSON.stringify(listed.slice((page - 1) * 100, page * 100));
  }
  const file = /^contents\/?(.*)$/.exec(rest)?.[1];
  if (file === undefined) return undefined;
  if (files[file] !== undefined) return files[file];
  const below = Object.keys(files).filter((path) => path.slice(0, path.lastIndexOf('/') + 1) === (file && `${file}/`));
  return below.length === 0 ? undefined : JSON.stringify(below.map((path) => ({ type: 'file', path, size: 10 })));
}
