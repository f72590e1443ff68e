// A source that invents releases is held for an operator: nothing of it is stored or announced until it is accepted.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import { fetchSource } from '../../src/ingest/pipeline/fetch-source.ts';
import { item, scripted, validator } from '../../src/ingest/pipeline/scripted.fixture.ts';
import { scheduleFetchJobs } from '../../src/ingest/schedule/fetch-jobs.ts';
import { createFetch } from '../../src/net/fetch.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const PROSE = 'Schedules can be shared with a whole team, and every change is kept. '.repeat(5);

forEachEngine('a flood', (engine) => {
  async function setUp(more: Partial<CreateSource> = {}) {
    const clock = movableClock(START);
    const app = await engine.openTestApp({ clock });
    const { ctx } = app;
    const { id } = await createSource(ctx, more);
    const tools = scripted();
    let made = 0;
    // As many releases as nobody has seen before.
    const invent = (count: number, publishedAt: string | null = clock().toISOString()) =>
      Array.from({ length: count }, () => item(`${++made}.0.0`, { publishedAt }));
    const poll = async (items: ReturnType<typeof invent>) => {
      clock.move(5 * HOUR);
      tools.say({ items, validators: [validator(`"${made}"`)] });
      return fetchSource(ctx, id, { trigger: 'schedule', tools });
    };
    const source = () =>
      ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const count = async (table: 'releases' | 'events' | 'source_holds' | 'jobs') =>
      (await ctx.store.read.selectFrom(table).selectAll().execute()).length;
    return { app, ctx, clock, id, tools, invent, poll, source, count };
  }

  it('of 60 new releases at every fetch is held at the second one, and accepted by an operator', async () => {
    const { app, ctx, id, invent, poll, source, count } = await setUp();
    const service = await startService(app);
    assert.equal((await poll(invent(60))).releasesInserted, 60);
    const flood = invent(60);

    const report = await poll(flood);

    assert.deepEqual([report.status, report.errorCategory, report.insertedIds], ['error', 'held', []]);
    assert.match(report.error ?? '', /^held: 60 new releases within a day; the habit of this source allows 50$/);
    assert.deepEqual([await count('releases'), await count('events')], [60, 0]);
    assert.equal((await source()).fetch_priority, 'paused');
    await scheduleFetchJobs(ctx);
    assert.equal(await count('jobs'), 0, 'it is not polled');
    const { body } = await service.root.get('/v1/admin/sources/held');
    const [held] = body.items;
    assert.deepEqual([held.sourceId, held.found, held.allowed, held.acceptedAt], [id, 60, 50, null]);
    const { fetchState } = (await service.root.get(`/v1/sources/${id}`)).body;
    assert.deepEqual([fetchState.state, fetchState.outcome], ['paused', 'held']);

    const accepted = await service.root.post(`/v1/admin/sources/${id}/accept`);
    assert.equal(accepted.status, 200);
    assert.equal((await source()).fetch_priority, 'normal');
    assert.equal(await count('jobs'), 1, 'it is read at once');
    const stored = await poll(flood);

    assert.deepEqual([stored.status, stored.releasesInserted, stored.announced], ['success', 60, 0]);
    assert.deepEqual([await count('events'), await count('source_holds')], [0, 0]);
    assert.equal((await poll(invent(60))).errorCategory, 'held', 'the next flood is held again');
  });

  it('in small parts is held too', async () => {
    const { invent, poll } = await setUp();
    await poll(invent(20));
    assert.equal((await poll(invent(20, null))).releasesInserted, 20);
    assert.equal((await poll(invent(20, null))).releasesInserted, 20);

    assert.match((await poll(invent(20, null))).error ?? '', /^held: 60 new releases within a day/);
  });

  it('is what exceeds the habit: a source of many packages may go on as it did', async () => {
    const { clock, invent, poll } = await setUp();
    const days = [1, 2, 3, 4].flatMap((ago) => invent(60, new Date(clock().getTime() - ago * 24 * HOUR).toISOString()));
    await poll(days);

    const usual = await poll(invent(80));
    assert.deepEqual([usual.status, usual.announced], ['success', 80]);
    assert.equal((await poll(invent(80))).errorCategory, 'held');
  });

  it('after a long silence is none', async () => {
    const { clock, invent, poll } = await setUp();
    await poll(invent(5));
    clock.move(10 * 24 * HOUR);

    assert.equal((await poll(invent(100))).releasesInserted, 100);
  });

  it('at a first time is more than 500, in one run or several', async () => {
    const one = await setUp();
    assert.match((await one.poll(one.invent(501))).error ?? '', /^held: 501 new releases at the first reading/);
    assert.equal(await one.count('releases'), 0);
    const other = await setUp();
    assert.equal((await other.poll(other.invent(500))).releasesInserted, 500);
  });

  it('is none in a repository that is read for the first time', async () => {
    const { invent, poll } = await setUp({ type: 'github', url: 'https://github.com/acme/cli' });

    assert.equal((await poll(invent(510))).releasesInserted, 510);
    assert.equal((await poll(invent(510))).errorCategory, 'held');
  });

  it('is none when an operator has sent the source to another address', async () => {
    const { ctx, id, invent, poll } = await setUp();
    await poll(invent(10));
    await updateSource(ctx, { src: id }, { url: 'https://acme.dev/other' });

    assert.equal((await poll(invent(100))).releasesInserted, 100);
    assert.equal((await poll(invent(100))).errorCategory, 'held', 'but only once');
  });

  it('is judged anew when an operator resumes the source', async () => {
    const { ctx, id, invent, poll, count } = await setUp();
    await poll(invent(5));
    await poll(invent(90));
    assert.equal(await count('source_holds'), 1);

    await updateSource(ctx, { src: id }, { fetchPriority: 'low' });

    assert.equal(await count('source_holds'), 0);
    assert.equal((await poll(invent(90))).errorCategory, 'held');
  });

  const pages: Record<string, (origin: string) => Partial<CreateSource>> = {
    feed: (origin) => ({ url: `${origin}/blog`, metadata: { feedUrl: `${origin}/feed.xml` } }),
    scrape: (origin) => ({ type: 'scrape', url: `${origin}/news` }),
  };
  for (const [type, sourceOf] of Object.entries(pages)) {
    it(`from a server is held, of type ${type}`, async (t: TestContext) => {
      let seen = 0;
      const { origin } = await serve(t, (request, response) => {
        if (request.url === '/robots.txt') return void response.writeHead(404).end();
        seen += 1;
        const ids = Array.from({ length: 60 }, (_, index) => `${seen}-${index}`);
        const feed = `<rss version="2.0"><channel><title>Acme</title>${ids.map((one) => `<item><title>News ${one}</title><link>https://acme.dev/${one}</link><pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate><description>${PROSE}</description></item>`).join('')}</channel></rss>`;
        const page = `<html><body><main>${ids.map((one) => `<article><h2><a href="/news/${one}">News ${one}</a></h2><time datetime="2026-03-01">March 1</time><p>${PROSE}</p></article>`).join('')}</main></body></html>`;
        response.end(type === 'feed' ? feed : page);
      });
      const clock = movableClock(START);
      const { ctx } = await engine.openTestApp({
        clock,
        fetch: createFetch({ userAgent: 'test', allow: ['127.0.0.1'], rules: { retry: false } }),
      });
      const { id } = await createSource(ctx, sourceOf(origin));
      for (let run = 0; run < 5; run += 1) {
        await fetchSource(ctx, id, { trigger: 'schedule' });
        clock.move(5 * HOUR);
      }

      const stored = await ctx.store.read.selectFrom('releases').select('id').execute();
      const [hold] = await ctx.store.read.selectFrom('source_holds').selectAll().execute();
      assert.deepEqual([stored.length, hold?.source_id], [60, id]);
    });
  }
});
