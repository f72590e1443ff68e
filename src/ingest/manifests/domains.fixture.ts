// Domains of the outside: one TLS server on the loopback answers for all of them, by name.
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { makeCertificate } from '../../net/certificate.fixture.ts';
import { createFetch, type GuardedFetch } from '../../net/fetch.ts';
import type { AppInfo, FeedInfo, FileInfo, PageInfo, Proof, Proofs, ProvenRepository } from '../adapters/proofs.ts';

export interface DomainAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  // The connection is closed without an answer.
  reset?: boolean;
}

export interface Domains {
  fetch: GuardedFetch;
  // `host/path` of every request.
  requested: string[];
  answer(host: string, answer: DomainAnswer, path?: string): void;
  // What the host serves as its manifest; an object is sent as JSON.
  manifest(host: string, file: object | string): void;
  close(): Promise<void>;
}

const MANIFEST = '/.well-known/releases.json';

export async function startDomains(names: readonly string[]): Promise<Domains> {
  const certificate = makeCertificate(names);
  const answers = new Map<string, DomainAnswer>();
  const requested: string[] = [];
  const server = createServer(certificate, (request, response) => {
    const place = `${request.headers.host}${request.url}`;
    requested.push(place);
    const { status = 200, headers = {}, body = '', reset } = answers.get(place) ?? { status: 404 };
    if (reset) return void response.destroy();
    response.writeHead(status, headers).end(body);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetch = createFetch({
    userAgent: 'ReleaseRegistry/test',
    allow: ['127.0.0.1'],
    rules: { retry: false },
    lookup: async (name, family) => (family === 4 && names.includes(name) ? ['127.0.0.1'] : []),
    dial: () => connect({ host: '127.0.0.1', port }),
    ca: certificate.cert,
  });
  const answer: Domains['answer'] = (host, one, path = MANIFEST) => void answers.set(`${host}${path}`, one);
  return {
    fetch,
    requested,
    answer,
    manifest: (host, file) => answer(host, { body: typeof file === 'string' ? file : JSON.stringify(file) }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Script = {
  feed?: Record<string, Proof<Partial<FeedInfo>>>;
  repository?: Record<string, Proof<Partial<ProvenRepository>>>;
  app?: Record<string, Proof<Partial<AppInfo>>>;
  file?: Record<string, Proof<Partial<FileInfo>>>;
  page?: Record<string, Proof<Partial<PageInfo>>>;
};

// Proofs that answer from a table, which the test may change; what it does not name is refused.
export function scriptedProofs(script: Script): Proofs & { requested: string[] } {
  const requested: string[] = [];
  const from = (kind: keyof Script, value: string, defaults: object) => {
    requested.push(`${kind} ${value}`);
    const found = script[kind]?.[value];
    return Promise.resolve(found ? { ...defaults, ...found } : { verdict: 'refused', reason: 'not_scripted' }) as never;
  };
  const items = [{ title: '1.0', version: '1.0', url: null, publishedAt: null }];
  return {
    requested,
    feed: (url) =>
      from('feed', url, { feedUrl: url, feedType: 'atom', title: null, homepage: null, items, thin: false }),
    repository: (name) =>
      from('repository', name, { fullName: name, homepage: null, ownerSite: null, archived: false, items }),
    app: (url) => {
      const facts = { appId: '1', platform: 'ios', storefront: 'us', name: 'App', developer: null, iconUrl: null };
      return from('app', url, { ...facts, items });
    },
    file: (url) => from('file', url, { url, items }),
    page: (url) =>
      from('page', url, {
        ...{ finalUrl: url, title: null, siteName: null, provider: null, structure: 'unknown' },
        ...{ video: null, feed: null, markdown: null, score: 0, parser: null, items: [], notes: [] },
      }),
  };
}
