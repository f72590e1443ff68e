// A feed as the service reads it: over a real socket, through the guard, by the worker.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;

function feed(entries: readonly { id: string; body: string }[]): string {
  const items = entries.map(
    ({ id, body }) => `<item><title>Acme ${id}</title><link>https://acme.dev/${id}</link><guid>${id}</guid>
      <pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate><description>${body}</description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title>${items.join('')}</channel></rss>`;
}

forEachEngine('a feed', (engine) => {
  async function setUp(t: TestContext) {
    const page = { text: feed([{ id: '1.0.0', body: 'First' }]), etag: '"one"' };
    const server = await serve(t, (request, answer) => {
      const same = request.headers['if-none-match'] === page.etag;
      answer.writeHead(same ? 304 : 200, { 'Content-Type': 'application/rss+xml', ETag: page.etag });
      answer.end(same ? undefined : page.text);
    });
    const clock = movableClock(START);
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const { ctx } = await engine.openTestApp({ clock, env });
    await createSource(ctx, { url: `${server.origin}/blog`, metadata: { feedUrl: `${server.origin}/feed.xml` } });
    const poll = async () => {
      clock.move(5 * HOUR);
      const before = server.seen.length;
      await createWorker(ctx, { tasks: createFetching() }).drain();
      return server.seen.length - before;
    };
    return { ctx, page, poll };
  }

  const rows = (ctx: Context) => ctx.store.read.selectFrom('releases').selectAll().execute();
  const logs = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('fetch_log').selectAll().orderBy('created_at').execute()).map((row) => row.status);

  it('that has not changed costs one request and no write to a release', async (t) => {
    const { ctx, poll } = await setUp(t);
    await poll();
    const before = await rows(ctx);

    assert.equal(await poll(), 1);

    assert.deepEqual(await rows(ctx), before);
    assert.deepEqual(await logs(ctx), ['success', 'no_change']);
  });

  it('with an edited entry brings one revision and no event; a new entry brings an event', async (t) => {
    const { ctx, page, poll } = await setUp(t);
    await poll();

    Object.assign(page, { text: feed([{ id: '1.0.0', body: 'First, in other words' }]), etag: '"two"' });
    await poll();
    const [release] = await rows(ctx);
    const revisions = await ctx.store.read.selectFrom('release_revisions').selectAll().execute();
    const events = () => ctx.store.read.selectFrom('events').selectAll().execute();
    assert.deepEqual([release?.content, revisions.length], ['First, in other words', 1]);
    assert.deepEqual(await events(), []);

    const entries = [
      { id: '1.1.0', body: 'Second' },
      { id: '1.0.0', body: 'First, in other words' },
    ];
    Object.assign(page, { text: feed(entries), etag: '"three"' });
    await poll();
    assert.deepEqual([(await rows(ctx)).length, (await events()).length], [2, 1]);
    assert.deepEqual(await logs(ctx), ['success', 'success', 'success']);
  });
});
