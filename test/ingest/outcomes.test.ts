// All six source types against a server that fails in every way: each fetch ends in one outcome, one log row and the
// counters of its rule, and loses neither validators nor releases.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FetchOutcome } from '../../src/domain/fetching/outcome.ts';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { fetchSource } from '../../src/ingest/pipeline/fetch-source.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';

const HOUR = 3_600_000;
const PROSE = 'Schedules can be shared with a whole team, and every change is kept. '.repeat(12);

interface Sent {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  // Closes the connection before the end of the body.
  cut?: boolean;
}

interface Kind {
  source(origin: string): Partial<CreateSource>;
  // The response of a healthy source by path.
  answer(path: string): Sent;
  // Whether the request is for the main document; others (robots, the model) always succeed.
  isMain(path: string): boolean;
  // The source sends an ETag and honours it; the others are compared by content.
  conditional: boolean;
}

const json = (value: unknown): Sent => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
const entry = (id: string) => `<item><title>Release ${id}</title><link>https://acme.dev/${id}</link><guid>${id}</guid>
  <pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate><description>${PROSE}</description></item>`;
const article = (id: string) => `<article><h2><a href="/news/${id}">News ${id}</a></h2>
  <time datetime="2026-02-2${id}">2026-02-2${id}</time><p>${PROSE}</p></article>`;

const KINDS: Record<string, Kind> = {
  github: {
    source: () => ({ type: 'github', url: 'https://github.com/acme/cli' }),
    answer: (path) =>
      path.includes('/releases')
        ? json([{ id: 7, tag_name: 'v1.0.0', name: 'v1.0.0', body: 'First', published_at: '2026-02-20T00:00:00Z' }])
        : json({ id: 1, full_name: 'acme/cli' }),
    isMain: (path) => path.startsWith('/repos/'),
    conditional: true,
  },
  feed: {
    source: (origin) => ({ url: `${origin}/blog`, metadata: { feedUrl: `${origin}/feed.xml` } }),
    answer: () => ({
      body: `<rss version="2.0"><channel><title>Acme</title>${entry('1')}${entry('2')}</channel></rss>`,
    }),
    isMain: (path) => path !== '/robots.txt',
    conditional: true,
  },
  scrape: {
    source: (origin) => ({ type: 'scrape', url: `${origin}/news` }),
    answer: () => ({
      headers: { 'content-type': 'text/html' },
      body: `<html><body><main>${['3', '2', '1'].map(article).join('')}</main></body></html>`,
    }),
    isMain: (path) => path !== '/robots.txt',
    conditional: true,
  },
  appstore: {
    source: () => ({ type: 'appstore', url: 'https://apps.apple.com/us/app/acme/id42', metadata: { appId: '42' } }),
    answer: () =>
      json({
        resultCount: 1,
        results: [
          {
            ...{ kind: 'software', trackId: 42, trackName: 'Acme', version: '5.1', releaseNotes: 'Faster' },
            ...{ trackViewUrl: 'https://apps.apple.com/us/app/acme/id42' },
            currentVersionReleaseDate: '2026-02-20T07:00:00Z',
          },
        ],
      }),
    isMain: (path) => path.startsWith('/lookup'),
    conditional: false,
  },
  video: {
    source: () => ({ type: 'video', url: 'https://www.youtube.com/playlist?list=PLabcdefghijkl' }),
    answer: () => ({
      body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><entry><id>yt:video:a</id><title>Tour</title>
        <link rel="alternate" href="https://www.youtube.com/watch?v=a"/><published>2026-02-20T10:00:00Z</published>
        </entry></feed>`,
    }),
    isMain: (path) => path.startsWith('/feeds/'),
    conditional: true,
  },
  agent: {
    source: (origin) => ({ type: 'agent', url: `${origin}/agent` }),
    answer: () => ({
      headers: { 'content-type': 'text/html' },
      body: '<main><h1>News</h1><h2>Shared dashboards</h2><p>February 20, 2026</p></main>',
    }),
    isMain: (path) => path.startsWith('/agent'),
    conditional: true,
  },
};

const RESET = String(Date.parse('2026-03-02T00:00:00Z') / 1000);

// Before the fetch the counters are 2 errors and 3 unchanged runs.
const FAULTS: [name: string, sent: Sent, outcome: FetchOutcome, status: string, errors: number][] = [
  ['404', { status: 404 }, 'gone', 'error', 3],
  ['410', { status: 410 }, 'gone', 'error', 3],
  ['401', { status: 401 }, 'blocked', 'blocked', 3],
  ['403 without marks of a limit', { status: 403, body: 'no' }, 'blocked', 'blocked', 3],
  [
    '403 with marks of a limit',
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': RESET } },
    'throttled',
    'error',
    3,
  ],
  ['429', { status: 429, headers: { 'retry-after': '60' } }, 'throttled', 'error', 3],
  ['451', { status: 451 }, 'blocked', 'blocked', 3],
  ['500', { status: 500 }, 'unreachable', 'error', 3],
  ['503 that asks to wait', { status: 503, headers: { 'retry-after': '60' } }, 'throttled', 'error', 3],
  ['a body that is cut off', { body: 'x'.repeat(5000), cut: true }, 'unreachable', 'error', 3],
  [
    'a decompression bomb',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(11 * 1024 * 1024)) },
    'malformed',
    'error',
    3,
  ],
  [
    'a challenge page',
    { headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }, body: '<p>Wait</p>' },
    'blocked',
    'blocked',
    3,
  ],
  ['a redirect loop', { status: 302, headers: { location: '?again' } }, 'error', 'error', 3],
  ['a redirect to a private address', { status: 302, headers: { location: 'http://10.0.0.1/' } }, 'error', 'error', 3],
  [
    'a redirect to the metadata service',
    { status: 301, headers: { location: 'http://169.254.169.254/' } },
    'error',
    'error',
    3,
  ],
];

forEachEngine('every outcome', (engine) => {
  async function setUp(t: TestContext, kind: Kind) {
    const fault: { sent: Sent | null } = { sent: null };
    const server = await serve(t, (request, response) => {
      const path = request.url ?? '/';
      const isMain = kind.isMain(path);
      const sent =
        path === '/robots.txt'
          ? { status: 404 }
          : isMain
            ? (fault.sent ?? kind.answer(path))
            : modelTurn(request.headers.host ?? '');
      const body = typeof sent.body === 'string' ? Buffer.from(sent.body) : (sent.body ?? new Uint8Array());
      const etag = kind.conditional && isMain && !fault.sent ? `"${path}"` : null;
      if (etag !== null && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
      response.writeHead(sent.status ?? 200, {
        'content-length': String(body.length),
        ...(etag === null ? {} : { etag }),
        ...sent.headers,
      });
      if (sent.cut) response.write(body.subarray(0, 100), () => response.destroy());
      else response.end(body);
    });
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { origin } = server;
    const { ctx } = await engine.openTestApp({
      clock,
      fetch: createFetch({ userAgent: 'test', allow: ['127.0.0.1'], rules: { retry: false } }),
      env: {
        REGISTRY_GITHUB_API_URL: origin,
        REGISTRY_GITHUB_TOKEN: 'token',
        REGISTRY_ITUNES_URL: origin,
        REGISTRY_YOUTUBE_URL: origin,
        REGISTRY_MODEL_URL: `${origin}/model`,
        REGISTRY_MODEL_NAME: 'test',
      },
    });
    const { id } = await createSource(ctx, kind.source(origin));
    const source = () =>
      ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const poll = async () => {
      await ctx.store.transaction(async (tx) => {
        await tx.deleteFrom('fetch_log').execute();
        await tx.updateTable('sources').set({ consecutive_errors: 2, consecutive_no_change: 3 }).execute();
      }, 'bookkeeping');
      clock.move(5 * HOUR);
      server.seen.length = 0;
      await fetchSource(ctx, id, { trigger: 'schedule' });
      const log = await ctx.store.read.selectFrom('fetch_log').selectAll().executeTakeFirstOrThrow();
      const { consecutive_errors, consecutive_no_change } = await source();
      return {
        outcome: log.error_category ?? log.status,
        status: log.status,
        counters: [consecutive_errors, consecutive_no_change],
        error: log.error,
        requests: server.seen.filter(({ url }) => url !== '/robots.txt').length,
      };
    };
    const kept = async () => ({
      validators: await ctx.store.read.selectFrom('source_validators').selectAll().orderBy('endpoint').execute(),
      releases: await ctx.store.read.selectFrom('releases').selectAll().orderBy('seq').execute(),
      readAt: (await source()).last_fetched_at,
    });
    return { fault, poll, kept };
  }

  // The model returns the one entry and ends, whatever it is asked.
  let turns = 0;
  function modelTurn(host: string): Sent {
    turns += 1;
    const entries = [{ page: `http://${host}/agent`, title: 'Shared dashboards', date: 'February 20, 2026' }];
    const call = { id: 'a', function: { name: 'submit', arguments: JSON.stringify({ entries }) } };
    return json({ choices: [{ message: turns % 2 === 1 ? { tool_calls: [call] } : { content: 'done' } }] });
  }

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`of a source of type ${name}`, async (t) => {
      const { fault, poll, kept } = await setUp(t, kind);
      const first = await poll();
      assert.deepEqual([first.outcome, first.counters], ['success', [0, 0]], first.error ?? '');
      const second = await poll();
      assert.deepEqual([second.outcome, second.status, second.counters], ['no_change', 'no_change', [0, 4]]);
      assert.equal(second.requests, 1, 'an unchanged source costs one request');
      const before = await kept();
      assert.ok(before.releases.length > 0);

      for (const [way, sent, outcome, status, errors] of FAULTS) {
        fault.sent = sent;
        const found = await poll();
        // All repositories share the rate limit of one token.
        const expected = name === 'github' && outcome === 'throttled' ? 2 : errors;
        assert.deepEqual(
          { outcome: found.outcome, status: found.status, counters: found.counters },
          { outcome, status, counters: [expected, 3] },
          `${way}: ${found.error}`,
        );
        assert.match(found.error ?? '', new RegExp(`^${outcome}: `));
      }
      assert.deepEqual(await kept(), before);

      fault.sent = null;
      assert.deepEqual((await poll()).counters, [0, 4], 'and all is as before');
    });
  }
});
