// A feed that only announces, through the whole service: items first, their articles in a later job.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { CLOCKS } from '../../src/ingest/jobs/clocks.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { type OutsideWorld, startOutsideWorld } from '../support/outside-world.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const PROSE = 'Schedules can be shared with a whole team, and every change to one is kept. '.repeat(12);

interface Post {
  id: number;
  teaser?: string;
  link?: string;
}

function feed(world: OutsideWorld, posts: readonly Post[]): string {
  const items = posts.map(
    ({ id, teaser = `Teaser ${id}`, link = `/posts/${id}` }) => `<item><title>Post ${id}</title>
      <link>${world.url}${link}</link><guid>p-${id}</guid><pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate>
      <description>${teaser}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>Acme</title>${items.join('')}</channel></rss>`;
}

const article = (id: number) => `<html><head><title>Post ${id}</title></head><body><nav>Home</nav>
  <article><h1>Post ${id}</h1><p>Article ${id}. ${PROSE}</p><img src="/shots/${id}.png" alt="Shot"></article></body></html>`;

forEachEngine('a thin feed', (engine) => {
  async function setUp(t: TestContext, posts: readonly Post[]) {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const publish = (now: readonly Post[]) => {
      world.route('/feed.xml', feed(world, now));
      for (const { id } of now)
        world.route(`/posts/${id}`, { body: article(id), headers: { 'content-type': 'text/html' } });
    };
    publish(posts);
    const clock = movableClock(START);
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const { ctx } = await engine.openTestApp({ clock, env });
    const { id } = await createSource(ctx, {
      url: `${world.url}/blog`,
      metadata: { feedUrl: `${world.url}/feed.xml` },
    });
    const work = async (hours = 5) => {
      clock.move(hours * HOUR);
      world.requests.length = 0;
      await createWorker(ctx, { tasks: createFetching() }).drain();
    };
    const requested = () => world.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
    return { ctx, world, id, publish, work, requested };
  }

  const releases = (ctx: Context) => ctx.store.read.selectFrom('releases').selectAll().orderBy('guid').execute();
  const count = async (ctx: Context, table: 'release_revisions' | 'events' | 'jobs') =>
    (await ctx.store.read.selectFrom(table).selectAll().execute()).length;
  const found = async (ctx: Context, q: string) =>
    ctx.ports.fullText.match(ctx, {
      q,
      scope: {},
      dates: 'dated',
      ...{ includePrereleases: true, includeCoverage: true, minKey: 0, maxKey: Number.MAX_SAFE_INTEGER, limit: 50 },
    });
  const posts = (...ids: number[]): Post[] => ids.map((id) => ({ id }));

  it('gets the articles of its new items, without a revision or an event, and the next poll undoes nothing', async (t) => {
    const { ctx, work, requested, publish } = await setUp(t, posts(1, 2, 3));

    await work();

    const filled = await releases(ctx);
    assert.deepEqual(requested(), ['/feed.xml', '/posts/3', '/posts/2', '/posts/1'], 'in the order in which they came');
    assert.ok(
      filled.every((row) => row.content.includes(`Article ${row.guid?.slice(2)}.`)),
      'each its own',
    );
    assert.deepEqual(JSON.parse(filled[0]?.media ?? '').length, 1);
    assert.deepEqual([await count(ctx, 'release_revisions'), await count(ctx, 'events')], [0, 0]);
    assert.equal((await found(ctx, 'schedules')).length, 3, 'the full text is that of the articles');

    await work();
    assert.deepEqual(requested(), ['/feed.xml']);
    assert.deepEqual(await releases(ctx), filled);

    publish(posts(4, 3, 2, 1));
    await work();
    assert.deepEqual(requested(), ['/feed.xml', '/posts/4'], 'only what is new');
    assert.deepEqual([await count(ctx, 'release_revisions'), await count(ctx, 'events')], [0, 1]);
    assert.ok((await releases(ctx)).every((row) => row.content.includes('Article')));
  });

  it('a teaser that is edited is a revision, and its article is read again', async (t) => {
    const { ctx, work, publish } = await setUp(t, posts(1, 2, 3));
    await work();

    publish([{ id: 1, teaser: 'Another teaser, about the same' }, ...posts(2, 3)]);
    await work();
    assert.ok(
      (await releases(ctx)).every((row) => row.content.includes('Article')),
      'a much shorter body waits',
    );
    await work();

    const [first] = await releases(ctx);
    assert.match(first?.content ?? '', /Article 1\./);
    assert.equal(await count(ctx, 'release_revisions'), 1);
  });

  it('more than ten are read in several runs, and a page with no more to say is not asked again', async (t) => {
    const { ctx, world, work, requested } = await setUp(
      t,
      posts(...Array.from({ length: 23 }, (_, index) => index + 1)),
    );
    world.route('/posts/7', {
      body: '<html><body><p>Short.</p></body></html>',
      headers: { 'content-type': 'text/html' },
    });
    world.route('/posts/8', { status: 404 });

    await work();

    assert.deepEqual([requested().length, new Set(requested()).size], [24, 24]);
    const teasers = (await releases(ctx)).filter((row) => row.content.startsWith('Teaser')).map((row) => row.guid);
    assert.deepEqual(teasers, ['p-7', 'p-8']);
    await work();
    assert.deepEqual(requested(), ['/feed.xml']);
    assert.equal(await count(ctx, 'jobs'), 1 + CLOCKS.length, 'the next fetch and the clocks');
  });

  it('a site that wants a pause is asked again later; robots are heeded; an anchor is no article', async (t) => {
    const { ctx, world, work, requested } = await setUp(t, [...posts(1, 2), { id: 3, link: '/posts#p3' }, ...posts(4)]);
    world.route('/robots.txt', 'User-agent: *\nDisallow: /posts/1');
    world.route('/posts/2', { status: 429 });

    await work();
    const texts = async () => (await releases(ctx)).map((row) => row.content.slice(0, 8));
    assert.deepEqual(requested().includes('/posts/1'), false);
    assert.ok(requested().includes('/posts/2'));

    world.route('/posts/2', { body: article(2), headers: { 'content-type': 'text/html' } });
    await work(2);

    assert.deepEqual(
      (await texts()).map((text) => text.startsWith('Teaser')),
      [true, false, true, false],
    );
  });

  it('a feed with whole texts is left as it is', async (t) => {
    const { work, requested } = await setUp(
      t,
      [1, 2, 3].map((id) => ({ id, teaser: PROSE })),
    );
    await work();
    assert.deepEqual(requested(), ['/feed.xml']);
  });
});
