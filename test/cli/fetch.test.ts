import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { serve } from '../../src/net/loopback.fixture.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { runCommands } from '../support/registry-process.ts';

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title>
  <item><title>Acme 1.0.0</title><link>https://acme.dev/1</link><guid>1</guid>
  <pubDate>Sat, 28 Feb 2026 10:00:00 GMT</pubDate><description>First</description></item></channel></rss>`;

forEachEngine('registry fetch', (engine) => {
  async function setUp(t: TestContext) {
    const server = await serve(t, (request, answer) => {
      answer.writeHead(request.url === '/feed.xml' ? 200 : 410, { 'Content-Type': 'application/rss+xml' }).end(FEED);
    });
    const database = await engine.openTestDatabase();
    const { ctx } = await engine.openTestApp({ database });
    const org = await createOrg(ctx, { slug: 'acme' });
    const add = (slug: string, path: string, more: Partial<CreateSource> = {}) =>
      createSource(ctx, {
        ...more,
        slug,
        orgId: org.id,
        url: `${server.origin}/${slug}`,
        metadata: { feedUrl: server.origin + path },
      });
    await add('news', '/feed.xml');
    const env = {
      ...database,
      REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
      REGISTRY_HOST_DELAY_MS: '0',
      REGISTRY_LOG_LEVEL: 'silent',
    };
    const releases = () => ctx.store.read.selectFrom('releases').select('title').execute();
    return { env, releases, add };
  }

  it('shows what a source would bring, then brings what is due; 1 when a source fails, 2 for options that exclude each other', async (t) => {
    const { env, releases, add } = await setUp(t);

    // A paused source is fetched only when it is named.
    await add('gone', '/gone.xml', { fetchPriority: 'paused' });
    const [dry, due, none, failed, wrong] = await runCommands(
      [
        ['fetch', 'acme/news', '--dry-run'],
        ['fetch', '--json'],
        ['fetch'],
        ['fetch', 'gone'],
        ['fetch', '--silent', '--announce'],
      ],
      env,
    );

    assert.equal(dry?.code, 0);
    assert.equal(dry?.stdout, 'acme/news\tdry_run\t0 new\t0 changed\n\t2026-02-28\tAcme 1.0.0\n');
    assert.equal(due?.code, 0);
    const [line, ...others] = JSON.parse(due?.stdout ?? '');
    // What the dry run had stored would not be new.
    assert.deepEqual([line.source, line.status, line.inserted, line.error], ['acme/news', 'success', 1, null]);
    assert.deepEqual([others, (await releases()).length], [[], 1]);
    assert.deepEqual([none?.code, none?.stdout], [0, '']);
    assert.deepEqual([failed?.code, failed?.stdout], [1, 'acme/gone\terror\t0 new\t0 changed\tgone: http 410\n']);
    assert.equal(wrong?.code, 2);
  });
});
