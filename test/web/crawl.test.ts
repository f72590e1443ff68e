// A crawl of the demo registry from its home page: every link works without a redirect, and every alternate has the
// announced type.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Parser } from 'htmlparser2';
import { signUp } from '../support/accounts.ts';
import type { Answer, Client } from '../support/client.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { fillStackAccount } from '../support/stack-account.ts';

// Lists have endless pages and filters combine; a few variants of each page are enough.
const MAX_VARIANTS = 4;
// One renderer writes the alternates of all pages of a kind, so only those of the first pages are requested.
const FIRST_ALTERNATES = 6;

interface Visit {
  path: string;
  from: string;
}

function partsOf(markup: string) {
  const links: string[] = [];
  const alternates: { href: string; type: string }[] = [];
  const anchors: string[] = [];
  const ids = new Set<string>();
  const parser = new Parser({
    onopentag: (name, { href = '', rel = '', type = '', id }) => {
      if (id) ids.add(id);
      if (name === 'a' && href.startsWith('#')) anchors.push(decodeURIComponent(href.slice(1)));
      else if (name === 'a' || (name === 'link' && rel === 'canonical')) links.push(href);
      if (name === 'link' && rel === 'alternate') alternates.push({ href, type });
    },
  });
  parser.end(markup);
  return { links, alternates, anchors, ids };
}

interface CrawlOptions {
  origin: string;
  mostOfKind: number;
  starts?: readonly string[];
  // Pages whose links are followed; others are only opened.
  within?: (path: string) => boolean;
}

class Crawl {
  readonly visited = new Map<string, Answer>();
  readonly faults: string[] = [];
  readonly #client: Client;
  readonly #origin: string;
  readonly #mostOfKind: number;
  readonly #kinds = new Map<string, number>();
  readonly #read = new Map<string, number>();
  readonly #waiting: Visit[];
  readonly #within: (path: string) => boolean;

  constructor(client: Client, { origin, mostOfKind, starts = ['/'], within = () => true }: CrawlOptions) {
    this.#client = client;
    this.#origin = origin;
    this.#mostOfKind = mostOfKind;
    this.#waiting = starts.map((path) => ({ path, from: 'start' }));
    this.#within = within;
  }

  async run(): Promise<void> {
    for (let visit = this.#waiting.shift(); visit; visit = this.#waiting.shift()) {
      if (!this.visited.has(visit.path) && this.#isWanted(visit.path)) await this.#visit(visit);
    }
  }

  async #visit({ path, from }: Visit): Promise<void> {
    const answer = await this.#client.get(path, { Accept: 'text/html' });
    this.visited.set(path, answer);
    if (answer.status !== 200) {
      this.faults.push(`${from} leads to ${path}: ${answer.status} ${answer.headers.get('location') ?? ''}`);
      return;
    }
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return;
    const { links, alternates, anchors, ids } = partsOf(answer.text);
    if (this.#within(path)) for (const href of links) this.#add(href, path);
    if (this.#readsAlternates(path)) {
      for (const { href, type } of alternates) await this.#checkAlternate(href, type, path);
    }
    for (const id of anchors) if (!ids.has(id)) this.faults.push(`${path} has no part ${id}`);
  }

  #readsAlternates(path: string): boolean {
    const kind = kindOf(path.split('?', 1)[0] ?? '');
    const count = this.#read.get(kind) ?? 0;
    this.#read.set(kind, count + 1);
    return count < FIRST_ALTERNATES;
  }

  async #checkAlternate(href: string, type: string, from: string): Promise<void> {
    if (this.visited.has(href)) return;
    const answer = await this.#client.get(href);
    this.visited.set(href, answer);
    const actual = answer.headers.get('content-type')?.split(';', 1)[0];
    if (answer.status !== 200 || actual !== type) {
      this.faults.push(`${from} promises ${type} at ${href}: ${answer.status} ${actual}`);
    }
  }

  #add(href: string, from: string): void {
    const url = URL.parse(href, `${this.#origin}${from}`);
    if (url?.origin === this.#origin) this.#waiting.push({ path: `${url.pathname}${url.search}`, from });
  }

  // Guides are written by hand, so all of them are visited; of other pages, their filters and further pages only some.
  #isWanted(path: string): boolean {
    const [bare = '', query] = path.split('?');
    const kind = `${kindOf(bare)}${query === undefined ? '' : '?'}`;
    const count = this.#kinds.get(kind) ?? 0;
    this.#kinds.set(kind, count + 1);
    if (query !== undefined) return count < MAX_VARIANTS;
    return kind === 'docs' || count < this.#mostOfKind;
  }
}

const FIXED = new Set(['release', 'tags', 'categories', 'collections', 'docs', 'v1', 'source', 'sources', 'about']);

const TABS = new Set(['overview', 'sources', 'highlights', 'changelog']);

function kindOf(path: string): string {
  const [first = '', ...rest] = path.split('/').slice(1);
  return FIXED.has(first) ? first : ['{org}', ...rest.map((part) => (TABS.has(part) ? part : '{slug}'))].join('/');
}

forEachEngine('a crawl of the demo', (engine) => {
  it('finds no broken link, no redirect, and every alternate with its type', async () => {
    const app = await openDemoApp(engine, { env: { REGISTRY_RATE_PUBLIC: '0' } });
    const { anonymous, origin } = await startService(app, { verifyAnswers: false });
    // The URLs are the same on both engines, so the second one visits only a few pages of each kind.
    const mostOfKind = engine.name === 'sqlite' ? 30 : 12;
    const crawl = new Crawl(anonymous, { origin, mostOfKind });
    await crawl.run();
    assert.deepEqual(crawl.faults, []);
    const paths = [...crawl.visited.keys()];
    const types = [
      [
        '/',
        '/catalog',
        '/packages',
        '/categories',
        '/collections',
        '/tags',
        '/live',
        '/whats-changed',
        '/docs',
        '/about',
      ],
      ['/login', '/v1/docs', '/feed.atom', '/feed.json', '/about/crawler', '/docs/self-hosting.md'],
    ].flat();
    for (const path of types) assert.ok(crawl.visited.has(path), path);
    for (const pattern of [
      /^\/release\/rel_/,
      /\/overview$/,
      /\/sources$/,
      /\/highlights$/,
      /\/changelog/,
      /\.atom$/,
    ]) {
      assert.ok(
        paths.some((path) => pattern.test(path)),
        String(pattern),
      );
    }
    assert.ok(paths.length > 100, String(paths.length));
  });

  it('finds none on the pages of an account either', async () => {
    const app = await engine.openTestApp({ env: { REGISTRY_RATE_PUBLIC: '0' } });
    const service = await startService(app, { verifyAnswers: false });
    const { cookie } = await signUp(service);
    const starts = ['/account', ...(await fillStackAccount(app.ctx, cookie))];
    const within = (path: string) => /^\/(?:account|following|digest)/.test(path);
    const crawl = new Crawl(cookie, { origin: service.origin, mostOfKind: 30, starts, within });
    await crawl.run();
    assert.deepEqual(crawl.faults, []);
    for (const path of [
      '/account/stacks/web-shop',
      '/account/keys',
      '/account/digest',
      '/account/feed',
      '/following',
    ]) {
      assert.ok(crawl.visited.has(path), path);
    }
  });
});
