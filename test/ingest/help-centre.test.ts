// A help centre as a source, through the whole service: its pages identify it, its listing has the articles.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { conditional, startOutsideWorld } from '../support/outside-world.ts';
import { startService } from '../support/service.ts';

const HOUR = 3_600_000;
const PAGE = '/hc/en-us/sections/7-Release-notes';
const API = '/api/v2/help_center/en-us/sections/7/articles.json';
const MARK = { 'content-type': 'text/html', 'x-zendesk-request-id': 'r1' };

forEachEngine('a help centre', (engine) => {
  async function setUp(t: TestContext) {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const article = (id: number) => ({
      id,
      title: `Note ${id}`,
      html_url: `${world.url}/hc/en-us/articles/${id}`,
      body: `<p>What is new, number ${id}.</p>`,
      created_at: new Date(Date.UTC(2026, 1, 20) + id * HOUR).toISOString(),
    });
    // Three articles per page, the newest first, as many pages as needed.
    const publish = (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => count - index);
      for (let page = 1; (page - 1) * 3 < count; page += 1) {
        const shown = ids.slice((page - 1) * 3, page * 3);
        const next_page = page * 3 < count ? `${world.url}${API}?page=${page + 1}` : null;
        const body = JSON.stringify({ articles: shown.map(article), next_page });
        world.route(
          page === 1 ? API : `${API}?page=${page}`,
          conditional({ body, headers: { etag: `"${count}-${page}"` } }),
        );
      }
    };
    world.route(PAGE, { body: '<html><body><h1>Release notes</h1></body></html>', headers: MARK });
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const app = await engine.openTestApp({ clock, env });
    const poll = async () => {
      clock.move(50 * HOUR);
      world.requests.length = 0;
      await createWorker(app.ctx, { tasks: createFetching() }).drain();
      return world.requests.map(({ path }) => path.split('&', 1)[0]).filter((path) => path !== '/robots.txt');
    };
    return { app, ctx: app.ctx, world, publish, poll, url: `${world.url}${PAGE}` };
  }

  const guids = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('releases').select('guid').orderBy('seq').execute()).map((row) => row.guid);
  const source = (ctx: Context) => ctx.store.read.selectFrom('sources').selectAll().executeTakeFirstOrThrow();

  it('is read whole at first, silently, past the pages of one run; later one conditional request', async (t) => {
    const { ctx, publish, poll, url } = await setUp(t);
    publish(35);
    await createSource(ctx, { type: 'scrape', url });

    const first = await poll();
    assert.equal(first[0], PAGE);
    assert.equal((await guids(ctx)).length, 35, 'ten pages in the run, the others in a job behind it');
    assert.equal((await source(ctx)).parser, 'zendesk');
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);

    assert.deepEqual(await poll(), [`${API}?sort_by=created_at`]);
    publish(36);
    assert.deepEqual(await poll(), [`${API}?sort_by=created_at`]);
    assert.equal((await guids(ctx)).length, 36);
    assert.equal((await ctx.store.read.selectFrom('events').selectAll().execute()).length, 1);
    const logs = await ctx.store.read.selectFrom('fetch_log').select('status').orderBy('created_at').execute();
    assert.deepEqual(
      logs.slice(-2).map((row) => row.status),
      ['no_change', 'success'],
    );
  });

  it('whose listing is taken away is read as a page again', async (t) => {
    const { ctx, world, publish, poll, url } = await setUp(t);
    publish(3);
    await createSource(ctx, { type: 'scrape', url });
    await poll();
    world.route(API, { status: 404 });
    const entry = (id: number) => `<article><h2><a href="/hc/en-us/articles/${id}">Note ${id}</a></h2>
      <time datetime="2026-02-2${id}">2026-02-2${id}</time><p>${'What is new, in some more words. '.repeat(4)}</p></article>`;
    const body = `<html><body><main>${[4, 3, 2].map(entry).join('')}</main></body></html>`;
    world.route(PAGE, { body, headers: { 'content-type': 'text/html' } });

    assert.deepEqual(await poll(), [`${API}?sort_by=created_at`, PAGE]);

    assert.notEqual((await source(ctx)).parser, 'zendesk');
    assert.equal((await guids(ctx)).length, 4);
  });

  it('is proposed by an evaluation as a page that can be read', async (t) => {
    const { app, publish, url } = await setUp(t);
    publish(2);
    const service = await startService(app);

    const { status, body } = await service.root.get(`/v1/evaluate?url=${encodeURIComponent(url)}`);

    assert.deepEqual([status, body.recommendedMethod, body.provider], [200, 'scrape', 'zendesk']);
  });
});
