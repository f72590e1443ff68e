import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource } from '../../../test/support/factories.ts';
import { type OutsideWorld, startOutsideWorld } from '../../../test/support/outside-world.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { TaskTimeout } from '../../threads/task.ts';
import { nothingFound } from '../adapters/findings.ts';
import { withProofs } from '../adapters/probe.ts';
import { evaluateUrl, newOwner } from './evaluate.ts';

const LONG = 'A change that is told at length, with all that it means for those who use it every day. '.repeat(8);

let world: OutsideWorld;

forEachEngine('evaluateUrl', (engine) => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());

  let ctx: Context;
  before(async () => {
    const env = Object.fromEntries(
      ['GITHUB_API', 'GITHUB_RAW', 'ITUNES', 'YOUTUBE'].map((name) => [`REGISTRY_${name}_URL`, world.url]),
    );
    ctx = (await engine.openTestApp({ fetch: world.fetch(), env })).ctx;
  });
  const evaluate = (url: string) => evaluateUrl(withProofs(ctx), { url });

  it('502 for a page or a changelog that takes too long to read', async () => {
    const proving = withProofs(ctx);
    const stopped = () => Promise.reject(new TaskTimeout(10_000));
    const late = { ...proving, proofs: { ...proving.proofs, page: stopped, repository: stopped } };
    for (const url of ['https://slow.example/changelog', 'https://github.com/acme/slow']) {
      const { host } = new URL(url);
      await assert.rejects(evaluateUrl(late, { url }), {
        code: 'upstream_error',
        message: 'the page takes too long to read',
        details: { host },
      });
    }
  });

  it('github: a repository with releases', async () => {
    const releases = Array.from({ length: 7 }, (_, index) => ({
      ...{ id: index, tag_name: `v1.${9 - index}.0`, name: '', draft: index === 0 },
      ...{
        html_url: `https://github.com/Acme/Engine/releases/tag/v1.${9 - index}.0`,
        published_at: '2024-05-01T10:00:00Z',
      },
    }));
    world.route('/repos/acme/engine', JSON.stringify({ id: 1, full_name: 'Acme/Engine', homepage: null }));
    world.route('/repos/Acme/Engine/releases', JSON.stringify(releases));
    const org = await createOrg(ctx, { slug: 'acme', name: 'Acme' });
    const source = await createSource(ctx, {
      orgId: org.id,
      type: 'github',
      url: 'https://github.com/acme/engine',
      slug: 'engine',
    });

    const found = await evaluate('https://github.com/acme/engine/releases');

    assert.deepEqual(
      [found.recommendedMethod, found.recommendedUrl, found.githubRepo],
      ['github', 'https://github.com/Acme/Engine', 'Acme/Engine'],
    );
    assert.deepEqual([found.confidence, found.sample.length, found.sample[0]?.version], ['high', 5, 'v1.8.0']);
    assert.deepEqual(found.proposed, {
      type: 'github',
      name: 'Engine',
      slug: 'engine-2',
      orgSlug: 'acme',
      orgName: 'Acme',
    });
    assert.deepEqual(found.existingSourceIds, [source.id]);
  });

  it('github: tags, else the changelog, else nothing yet', async () => {
    world.route('/repos/acme/tags', JSON.stringify({ id: 2, full_name: 'acme/tags' }));
    world.route('/repos/acme/tags/releases', '[]');
    world.route('/repos/acme/tags/tags', '[{"name":"v2"}]');
    world.route('/repos/acme/file', JSON.stringify({ id: 3, full_name: 'acme/file' }));
    world.route('/acme/file/HEAD/CHANGELOG.md', '# Changelog\n\n## 1.1.0 - 2024-05-01\n\n- More\n');
    world.route('/repos/acme/bare', JSON.stringify({ id: 4, full_name: 'acme/bare', archived: true }));

    assert.deepEqual(
      (await evaluate('https://github.com/acme/tags')).sample.map(({ version }) => version),
      ['v2'],
    );
    assert.deepEqual(
      (await evaluate('https://github.com/acme/file')).sample.map(({ version }) => version),
      ['1.1.0'],
    );
    const bare = await evaluate('https://github.com/acme/bare');
    assert.deepEqual([bare.recommendedMethod, bare.confidence, bare.notes.length], ['github', 'low', 2]);
  });

  it('feed: full text wins over the page that names it', async () => {
    world.route(
      '/product/changelog',
      page('<link rel="alternate" type="application/rss+xml" href="/product/feed.xml">', entries(4)),
    );
    world.route('/product/feed.xml', rss(6, LONG));

    const found = await evaluate(`${world.url}/product/changelog`);

    assert.deepEqual([found.recommendedMethod, found.feedType, found.confidence], ['feed', 'rss', 'high']);
    assert.deepEqual(
      [found.feedUrl, found.recommendedUrl],
      [`${world.url}/product/feed.xml`, `${world.url}/product/feed.xml`],
    );
    assert.deepEqual([found.sample.length, found.proposed.type, found.proposed.slug], [5, 'feed', 'acme-news']);
    assert.deepEqual(
      found.alternatives.map(({ method }) => method),
      ['scrape', 'agent'],
    );
    const itself = await evaluate(`${world.url}/product/feed.xml`);
    assert.deepEqual([itself.recommendedMethod, itself.pageStructure], ['feed', 'feed_only']);
  });

  it('feed: its own title tells which versions its entries are called by', async () => {
    const item = '<item><guid>1</guid><title>Kettle 2.4</title><link>https://k.example/1</link></item>';
    world.route('/kettle.xml', {
      headers: { 'Content-Type': 'application/rss+xml' },
      body: `<?xml version="1.0"?><rss version="2.0"><channel><title>Kettle</title>${item}</channel></rss>`,
    });

    const { sample } = await evaluate(`${world.url}/kettle.xml`);

    assert.deepEqual(
      sample.map(({ title, version }) => [title, version]),
      [['Kettle 2.4', '2.4']],
    );
  });

  it('scrape: a page with entries wins over a thin feed', async () => {
    world.route(
      '/thin/changelog',
      page('<link rel="alternate" type="application/rss+xml" href="/thin/feed.xml">', entries(5)),
    );
    world.route('/thin/feed.xml', rss(5, 'Short.'));

    const found = await evaluate(`${world.url}/thin/changelog`);

    assert.deepEqual([found.recommendedMethod, found.pageStructure, found.sample.length], ['scrape', 'single_page', 5]);
    assert.deepEqual(
      found.alternatives.map(({ method }) => method),
      ['feed', 'agent'],
    );
  });

  it('feed: a thin one wins over a page that nothing reads', async () => {
    world.route(
      '/only/blog',
      page('<link rel="alternate" type="application/rss+xml" href="/only/feed.xml">', '<p>Hello.</p>'),
    );
    world.route('/only/feed.xml', rss(5, 'Short.'));

    const found = await evaluate(`${world.url}/only/blog`);

    assert.deepEqual([found.recommendedMethod, found.confidence], ['feed', 'medium']);
    assert.ok(found.notes.includes('the feed holds teasers, or entries without a date'));
  });

  it('markdown: a text with entries', async () => {
    const headers = { 'content-type': 'text/markdown' };
    world.route('/docs/CHANGELOG.md', {
      headers,
      body: '# Changelog\n\n## 2.0.0 - 2024-05-01\n\n- New\n\n## 1.0.0 - 2024-01-01\n\n- First\n',
    });

    const found = await evaluate(`${world.url}/docs/CHANGELOG.md`);

    assert.deepEqual([found.recommendedMethod, found.proposed.type], ['markdown', 'scrape']);
    assert.deepEqual(
      found.sample.map(({ version }) => version),
      ['2.0.0', '1.0.0'],
    );
  });

  it('appstore: a listing of the store', async () => {
    const app = {
      kind: 'software',
      trackId: 42,
      trackName: 'Acme Planner',
      version: '5.1',
      trackViewUrl: 'https://apps.apple.com/de/app/acme/id42',
    };
    world.route(
      '/lookup',
      JSON.stringify({ resultCount: 1, results: [{ ...app, currentVersionReleaseDate: '2024-05-20T07:00:00Z' }] }),
    );

    const found = await evaluate('https://apps.apple.com/de/app/acme/id42');

    assert.deepEqual(
      [found.recommendedMethod, found.proposed.name, found.proposed.slug],
      ['appstore', 'Acme Planner', 'acme-planner'],
    );
    assert.deepEqual(
      [found.appStore?.appId, found.appStore?.platform, found.appStore?.storefront],
      ['42', 'ios', 'de'],
    );
    assert.equal(found.sample[0]?.version, '5.1');
  });

  it('video: a listing; a single video is refused', async () => {
    const entry = `<entry><id>yt:video:x</id><title>What is new</title><link rel="alternate" href="https://www.youtube.com/watch?v=x"/><published>2024-05-01T00:00:00Z</published></entry>`;
    world.route(
      '/feeds/videos.xml',
      `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Tube</title>${entry}</feed>`,
    );

    const found = await evaluate('https://www.youtube.com/playlist?list=PLacme');

    assert.deepEqual([found.recommendedMethod, found.video?.provider, found.sample.length], ['video', 'youtube', 1]);
    assert.equal((await refused(evaluate('https://www.youtube.com/watch?v=x')))?.code, 'bad_request');
  });

  it('agent: no parser fits', async () => {
    world.route('/about', page('', '<p>We make things.</p>'));

    const found = await evaluate(`${world.url}/about`);

    assert.deepEqual(
      [found.recommendedMethod, found.confidence, found.sample, found.alternatives],
      ['agent', 'low', [], []],
    );
    assert.equal(found.proposed.name, 'Acme updates');
  });

  it('names the sources that read the address already', async () => {
    world.route('/known', page('', entries(3)));
    const source = await createSource(ctx, { type: 'scrape', url: `${world.url}/known/` });
    assert.deepEqual((await evaluate(`${world.url}/known`)).existingSourceIds, [source.id]);
  });

  it('400: no address, a private or blocked one; 502: a site that fails', async () => {
    world.route('/broken', { status: 500 });
    world.route('/gone', { reset: true });
    world.route('/blocked', page('', entries(3)));
    const row = {
      id: 'bu_1',
      pattern: `${world.url}/blocked`,
      pattern_key: `${world.host}/blocked`,
      type: 'exact',
      reason: null,
      created_at: '',
    } as const;
    await ctx.store.transaction((tx) => tx.insertInto('blocked_urls').values(row).execute(), 'catalog');
    const code = async (url: string) => (await refused(evaluate(url)))?.code;

    for (const url of [
      'acme',
      'ftp://acme.example',
      'http://10.0.0.1/x',
      'http://localhost:1/',
      `${world.url}/blocked`,
    ]) {
      assert.equal(await code(url), 'bad_request', url);
    }
    for (const path of ['/missing', '/broken', '/gone'])
      assert.equal(await code(`${world.url}${path}`), 'upstream_error', path);
    assert.equal(await code('https://github.com/acme/missing'), 'upstream_error');
    const failed = await refused(evaluate(`${world.url}/broken`));
    assert.deepEqual(failed?.details, { host: world.host, status: 500 });
  });

  it('a refusal says what happened, and which setting would admit a private address', async () => {
    world.route('/busy', { status: 503 });
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const message = (url: string) =>
      evaluate(url).then(
        () => assert.fail(url),
        (error: Error) => error.message,
      );

    assert.match(await message(`${world.url}/busy`), /it answers 503$/);
    assert.match(await message(`${world.url}/nowhere`), /has no page at this address \(404\)/);
    assert.match(await message(`http://127.0.0.1:${port}/`), /the host refuses the connection/);
    assert.match(await message('http://10.0.0.1/x'), /private address; .*REGISTRY_EGRESS_ALLOW=10\.0\.0\.1$/);
  });

  it('proposes an organization that is not stored yet, under a slug that is free', async () => {
    world.route('/repos/newcomer/tool', JSON.stringify({ id: 9, full_name: 'newcomer/tool' }));
    world.route('/repos/newcomer/tool/releases', '[]');
    world.route('/repos/newcomer/tool/tags', '[{"name":"v2"}]');
    const proposed = async () => {
      const { orgSlug, orgName } = (await evaluate('https://github.com/newcomer/tool')).proposed;
      return [orgSlug, orgName];
    };

    assert.deepEqual(await proposed(), ['newcomer', 'Newcomer']);
    const ofSite = (url: string) => newOwner(ctx, { ...nothingFound(url), options: [] });
    assert.deepEqual(await ofSite('https://docs.newcomer.co.uk/x'), { orgSlug: 'newcomer', orgName: 'Newcomer' });
    // A reserved word and a slug that is taken.
    assert.deepEqual(await ofSite('https://blog.admin.dev/news'), { orgSlug: 'admin-2', orgName: 'Admin' });
    await createOrg(ctx, { slug: 'newcomer' });
    assert.deepEqual(await ofSite('https://newcomer.dev/x'), { orgSlug: 'newcomer-2', orgName: 'Newcomer' });
  });
});

function page(head: string, body: string): string {
  return `<!doctype html><html><head><title>Acme updates</title>${head}</head><body><main>${body}</main></body></html>`;
}

function entries(count: number): string {
  const one = (index: number) =>
    `<article><h2>Version 1.${index}.0</h2><time datetime="2024-0${index + 1}-02">then</time><p>${LONG}</p></article>`;
  return Array.from({ length: count }, (_, index) => one(index)).join('');
}

function rss(count: number, text: string): string {
  const one = (index: number) =>
    `<item><title>Acme 1.${index}</title><link>https://acme.example/${index}</link><pubDate>Mon, 0${index + 1} Apr 2024 00:00:00 GMT</pubDate><description>${text}</description></item>`;
  const items = Array.from({ length: count }, (_, index) => one(index)).join('');
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme news</title><link>https://acme.example</link>${items}</channel></rss>`;
}
