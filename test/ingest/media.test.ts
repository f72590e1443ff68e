// Copies of images: made after the insert, served under the hash of their bytes, and no change of the release.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';
import { startService } from '../support/service.ts';

const HOUR = 3_600_000;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and what follows', 'latin1');
const KEY = `media/${createHash('sha256').update(PNG).digest('hex')}.png`;
const WORDS = 'Schedules can be shared with a whole team. '.repeat(20);

forEachEngine('copies of images', (engine) => {
  async function setUp(t: TestContext, folder?: string) {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const image = (name: string) => `&lt;img src="${world.url}/${name}"&gt;`;
    const publish = (words: string) =>
      world.route(
        '/feed.xml',
        `<rss version="2.0"><channel><title>Acme</title><item><title>One</title><link>https://acme.dev/1</link>
        <pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;${words}&lt;/p&gt;${image('shot.png')}
        ${image('page.png')}${image('huge.png')}</description></item></channel></rss>`,
      );
    publish(WORDS);
    world.route('/shot.png', { body: PNG });
    world.route('/page.png', { body: '<html>not here</html>' });
    world.route('/huge.png', { body: Buffer.concat([PNG, Buffer.alloc(8 * 1024 * 1024)]) });
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const app = await engine.openTestApp({ clock, env: folder ? { ...env, REGISTRY_MEDIA_STORE: folder } : env });
    await createSource(app.ctx, { url: `${world.url}/blog`, metadata: { feedUrl: `${world.url}/feed.xml` } });
    const work = async (hours = 5) => {
      clock.move(hours * HOUR);
      world.requests.length = 0;
      await createWorker(app.ctx, { tasks: createFetching() }).drain();
      return world.requests.map(({ path }) => path);
    };
    return { app, ctx: app.ctx, world, publish, work };
  }

  const release = (ctx: Context) => ctx.store.read.selectFrom('releases').selectAll().executeTakeFirstOrThrow();
  const copies = async (ctx: Context) =>
    (JSON.parse((await release(ctx)).media) as { r2Key?: string }[]).map(({ r2Key }) => r2Key);
  const revisions = async (ctx: Context) =>
    (await ctx.store.read.selectFrom('release_revisions').selectAll().execute()).length;

  async function folderFor(t: TestContext): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'registry-media-'));
    t.after(() => rm(folder, { recursive: true }));
    return folder;
  }

  it('are made of what is an image and not too large, are served, and outlast the next fetches', async (t) => {
    const { app, ctx, publish, work } = await setUp(t, await folderFor(t));

    assert.deepEqual(await work(), ['/feed.xml', '/shot.png', '/page.png', '/huge.png']);
    assert.deepEqual(await copies(ctx), [KEY, undefined, undefined]);
    const before = await release(ctx);
    assert.equal(before.updated_at, before.fetched_at, 'the release itself has not changed');

    const service = await startService(app);
    const detail = await service.anonymous.get(`/v1/releases/${before.id}`);
    assert.equal(new URL(detail.body.media[0].r2Url).pathname, `/${KEY}`);
    const response = await fetch(`${service.url}/${KEY}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
    assert.match(response.headers.get('cache-control') ?? '', /immutable/);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG);
    for (const wrong of [KEY.replace('.png', '.gif'), 'media/x.png', 'media/..%2Froot.key']) {
      assert.equal((await fetch(`${service.url}/${wrong}`)).status, 404, wrong);
    }

    assert.deepEqual(await work(), ['/feed.xml']);
    assert.deepEqual(await release(ctx), before);
    publish(`${WORDS} Also on phones.`);
    await work();
    assert.deepEqual([await copies(ctx), await revisions(ctx)], [[KEY, undefined, undefined], 1]);
  });

  it('wait while the host wants a pause, and are given up in the end', async (t) => {
    const { ctx, world, work } = await setUp(t, await folderFor(t));
    world.route('/shot.png', { status: 429 });

    for (let tries = 0; tries < 3; tries += 1) assert.ok((await work(2)).includes('/shot.png'));

    assert.ok(!(await work(2)).includes('/shot.png'));
    assert.deepEqual(await copies(ctx), [undefined, undefined, undefined]);
  });

  it('are not made where no folder is named', async (t) => {
    const { work } = await setUp(t);
    assert.deepEqual(await work(), ['/feed.xml']);
  });
});
