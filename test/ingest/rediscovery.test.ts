// A feed whose URL stops working, through the whole service: found again on the page of its source, or given up.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';

const HOUR = 3_600_000;
const WORDS = 'Schedules can be shared with a whole team. '.repeat(20);

function feed(...versions: string[]): string {
  const items = versions.map(
    (version) => `<item><title>Acme ${version}</title><link>https://acme.dev/${version}</link><guid>g-${version}</guid>
      <pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate><description>${WORDS}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>Acme</title>${items.join('')}</channel></rss>`;
}

forEachEngine('a feed that died', (engine) => {
  async function setUp(t: TestContext) {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    world.route('/old.xml', feed('1.0.0'));
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const { ctx } = await engine.openTestApp({ clock, env });
    const { id } = await createSource(ctx, { url: `${world.url}/blog`, metadata: { feedUrl: `${world.url}/old.xml` } });
    const source = () =>
      ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const poll = async () => {
      clock.move(80 * HOUR);
      world.requests.length = 0;
      await createWorker(ctx, { tasks: createFetching() }).drain();
      return source();
    };
    const requested = () => world.requests.map(({ path }) => path);
    const pageNames = (address: string) =>
      world.route('/blog', {
        body: `<html><head><link rel="alternate" type="application/rss+xml" href="${address}"></head></html>`,
        headers: { 'content-type': 'text/html' },
      });
    return { ctx, world, poll, requested, pageNames };
  }

  const statuses = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('fetch_log').selectAll().orderBy('created_at').execute()).map(
      (row) => row.error_category ?? row.status,
    );
  const guids = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('releases').select('guid').orderBy('seq').execute()).map((row) => row.guid);

  it('is found again at the third failure, read at once, and its counters begin anew', async (t) => {
    const { ctx, world, poll, requested, pageNames } = await setUp(t);
    await poll();
    world.route('/old.xml', { status: 404 });
    world.route('/new.xml', feed('1.1.0', '1.0.0'));
    pageNames('/new.xml');

    await poll();
    const failing = await poll();
    assert.deepEqual(requested(), ['/old.xml'], 'not yet');
    assert.deepEqual([failing.consecutive_errors, failing.failing_since === null], [2, false]);
    const found = await poll();

    assert.deepEqual([found.feed_url, found.feed_type], [`${world.url}/new.xml`, 'rss']);
    assert.deepEqual([found.consecutive_errors, found.failing_since, found.next_fetch_after], [0, null, null]);
    assert.deepEqual(await guids(ctx), ['g-1.0.0', 'g-1.1.0'], 'what was known is known again');
    assert.deepEqual(await statuses(ctx), ['success', 'gone', 'gone', 'success']);
    assert.ok(requested().includes('/robots.txt'));
    await poll();
    assert.deepEqual(requested(), ['/new.xml']);
  });

  it('is not taken for a feed that has nothing in common with it; after six failures it rests', async (t) => {
    const { ctx, world, poll, requested, pageNames } = await setUp(t);
    await poll();
    world.route('/old.xml', '<html>moved</html>');
    world.route('/other.xml', feed('9.9.9').replaceAll('28 Feb 2026', '28 Feb 2020'));
    pageNames('/other.xml');

    for (let failure = 0; failure < 5; failure += 1) await poll();
    assert.equal((await poll()).fetch_priority, 'paused');

    assert.deepEqual(await statuses(ctx), ['success', ...Array(6).fill('malformed')]);
    assert.deepEqual(await guids(ctx), ['g-1.0.0']);
    await poll();
    assert.deepEqual(requested(), []);
  });
});
