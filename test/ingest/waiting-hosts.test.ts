// Servers that ask to be left alone for decades wait a day at most, and an operator can end it.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { toolsOf } from '../../src/ingest/adapters/adapter-context.ts';
import { runFetch } from '../../src/ingest/pipeline/fetch-job.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { scheduleFetchJobs } from '../../src/ingest/schedule/fetch-jobs.ts';
import { shortenWaits } from '../../src/ingest/schedule/waiting-hosts.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const A_DAY_LATER = '2026-03-02T12:00:00.000Z';

const SOURCES: Record<string, (origin: string) => Partial<CreateSource>> = {
  github: () => ({ type: 'github', url: 'https://github.com/acme/cli' }),
  feed: (origin) => ({ url: `${origin}/blog`, metadata: { feedUrl: `${origin}/feed.xml` } }),
  scrape: (origin) => ({ type: 'scrape', url: `${origin}/news` }),
  appstore: () => ({ type: 'appstore', url: 'https://apps.apple.com/us/app/acme/id42', metadata: { appId: '42' } }),
  video: () => ({ type: 'video', url: 'https://www.youtube.com/playlist?list=PLabcdefghijkl' }),
  agent: (origin) => ({ type: 'agent', url: `${origin}/agent` }),
};

const ANSWERS: Record<string, { status: number; headers: Record<string, string> }> = {
  'Retry-After of 31,000 years': { status: 429, headers: { 'retry-after': '999999999999' } },
  'a reset in the year 5138': {
    status: 403,
    headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' },
  },
  'an outage until 9999': { status: 503, headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' } },
};

forEachEngine('a host that asks to be left alone', (engine) => {
  async function setUp(t: TestContext, type: string) {
    const sent = { ...(ANSWERS['Retry-After of 31,000 years'] as { status: number; headers: Record<string, string> }) };
    const { origin } = await serve(t, (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(sent.status, sent.headers).end();
    });
    const clock = movableClock(NOW);
    const app = await engine.openTestApp({
      clock,
      fetch: createFetch({ userAgent: 'test', allow: ['127.0.0.1'], rules: { retry: false } }),
      env: {
        REGISTRY_GITHUB_API_URL: origin,
        REGISTRY_GITHUB_TOKEN: 'token',
        REGISTRY_ITUNES_URL: origin,
        REGISTRY_YOUTUBE_URL: origin,
        REGISTRY_MODEL_URL: `${origin}/model`,
        REGISTRY_MODEL_NAME: 'test',
        REGISTRY_HOST_DELAY_MS: '0',
      },
    });
    const { ctx } = app;
    const { id } = await createSource(ctx, (SOURCES[type] ?? assert.fail())(origin));
    const poll = async () => {
      await scheduleFetchJobs(ctx);
      const job = await claim(ctx);
      if (job === null) return false;
      await runFetch(ctx, job, { signal: new AbortController().signal, tools: toolsOf(ctx) });
      return true;
    };
    const source = () =>
      ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const hosts = () => ctx.store.read.selectFrom('hosts').selectAll().execute();
    return { app, ctx, clock, sent, id, poll, source, hosts };
  }

  for (const type of Object.keys(SOURCES)) {
    it(`waits a day at most, and is asked again when an operator says so: ${type}`, async (t) => {
      const { app, sent, clock, poll, source, hosts } = await setUp(t, type);
      const service = await startService(app);
      for (const [name, answer] of Object.entries(ANSWERS)) {
        Object.assign(sent, answer);
        assert.equal(await poll(), true, name);

        const { last_outcome, next_fetch_after } = await source();
        assert.equal(last_outcome, 'throttled', name);
        const limit = new Date(clock().getTime() + 24 * 3_600_000).toISOString();
        assert.ok((next_fetch_after ?? '') <= limit, `${name}: the source waits until ${next_fetch_after}`);
        for (const row of await hosts()) assert.ok((row.next_request_at ?? '') <= limit, row.next_request_at ?? '');
        assert.equal(await poll(), false, 'nothing is due');

        const { body } = await service.root.get('/v1/admin/hosts/waiting');
        assert.equal(body.items.length, 1, name);
        const [{ host, until, sources }] = body.items;
        assert.deepEqual([until, sources], [limit, 1]);
        const ended = await service.root.delete(`/v1/admin/hosts/${encodeURIComponent(host)}/wait`);
        assert.deepEqual([ended.status, ended.body], [200, { ended: true, sources: 1 }]);
        clock.move(1000);
      }
      assert.equal(await poll(), true, 'and it is asked again');
    });
  }

  it('not found: a host that does not wait', async (t) => {
    const { app } = await setUp(t, 'feed');
    const service = await startService(app);

    const { status, body } = await service.root.delete('/v1/admin/hosts/acme.dev/wait');

    assert.deepEqual([status, body.error.code], [404, 'not_found']);
    assert.equal((await service.anonymous.get('/v1/admin/hosts/waiting')).status, 401);
  });

  it('since before there was a limit is shortened at the start', async (t) => {
    const { ctx, hosts } = await setUp(t, 'feed');
    const long = { host: 'api.acme.dev', claims: 0, next_request_at: '5138-11-16T09:46:39.000Z' };
    await ctx.store.transaction((tx) => tx.insertInto('hosts').values(long).execute(), 'bookkeeping');

    await shortenWaits(ctx);

    assert.equal((await hosts()).find(({ host }) => host === long.host)?.next_request_at, A_DAY_LATER);
  });
});
