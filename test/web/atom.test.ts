// Atom feeds: every type of feed, its filters and pages, and validators that change exactly with the content.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { parseFeed } from '@rowanmanning/feed-parser';
import { load } from 'cheerio';
import { atomFaults } from '../support/atom.ts';
import type { Answer } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { openWebWorld, type WebWorld } from './world.ts';

const validators = ({ headers }: Answer) => ({
  tag: headers.get('etag') ?? '',
  modified: Date.parse(headers.get('last-modified') ?? ''),
});
const entryIds = ({ text }: Answer) =>
  load(text, { xml: true })('entry > id')
    .toArray()
    .map((id) => load(id, { xml: true }).text());

forEachEngine('Atom feeds', (engine) => {
  let world: WebWorld;
  before(async () => {
    world = await openWebWorld(engine);
  });

  const feeds = (): Record<string, { id: string; page: string; entries: number }> => ({
    '/acme.atom': { id: `org/${world.ids.org}`, page: '/acme', entries: 50 },
    '/acme/widgets.atom': { id: `product/${world.ids.product}`, page: '/acme/widgets', entries: 50 },
    '/acme/widgets-js.atom': { id: `source/${world.ids.js}`, page: '/acme/widgets-js', entries: 50 },
    '/source/lone.atom': { id: `source/${world.ids.lone}`, page: '/source/lone', entries: 1 },
    '/other/single.atom': { id: 'source/src_', page: '/other/single', entries: 0 },
    '/collections/good.atom': { id: `collection/${world.ids.collection}`, page: '/collections/good', entries: 50 },
    '/categories/ai.atom': { id: 'category/ai', page: '/categories/ai', entries: 50 },
    '/categories/finance.atom': { id: 'category/finance', page: '/categories/finance', entries: 0 },
    '/feed.atom': { id: 'home/releases', page: '/', entries: 50 },
  });

  it('every feed passes the checks of the RFC and reads in a feed reader', async () => {
    for (const [path, { id, page, entries }] of Object.entries(feeds())) {
      const answer = await world.anonymous.get(path);
      assert.deepEqual([answer.status, atomFaults(answer.text)], [200, []], path);
      assert.equal(answer.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
      const $ = load(answer.text, { xml: true });
      assert.ok($('feed > id').text().startsWith(`tag:registry.example,2026:${id}`), $('feed > id').text());
      assert.equal($('feed > link[rel=self]').attr('href'), `https://registry.example${path}`);
      assert.equal($('feed > link[rel=alternate]').attr('href'), `https://registry.example${page}`);
      assert.ok(Date.parse(answer.headers.get('last-modified') ?? '') >= Date.parse($('feed > updated').text()));

      const read = parseFeed(answer.text);
      assert.equal(read.items.length, entries, path);
      assert.equal(read.self, `https://registry.example${path}`);
      assert.match(read.title ?? '', / – Test Registry$/);
      for (const item of read.items) assert.ok(item.id && item.title && item.url && item.updated, path);
    }
  });

  it('entries say what the release says, in safe and absolute HTML', async () => {
    const { anonymous, ids } = world;
    const $ = load((await anonymous.get('/acme/widgets-js.atom')).text, { xml: true });
    const first = $('entry').first();
    assert.equal(first.children('id').text(), `tag:registry.example,2026:release/${ids.release}`);
    assert.equal(first.children('title').text(), 'Widgets 2.0.0: Two');
    assert.equal(first.children('published').text(), '2026-03-09T09:00:00.000Z');
    assert.equal(first.children('link[rel=related]').attr('href'), 'https://releases.example/2.0.0');
    assert.equal(first.find('author > name').text(), 'Acme');
    const second = $('entry').eq(1).children('content').text();
    assert.match(second, /<strong>Bold<\/strong> &amp; /);
    assert.match(second, /href="https:\/\/releases\.example\/1\/docs"/);

    const lone = load((await anonymous.get('/source/lone.atom')).text, { xml: true });
    assert.equal(lone('entry > title').text(), 'Lone 0.1.0: First <light>');
    assert.equal(lone('entry > published').length, 0);
    assert.equal(lone('entry > content').text(), '<p>Lone 0.1.0: First &lt;light&gt;</p>');
  });

  it('pages and filters have addresses and ids of their own', async () => {
    const { anonymous } = world;
    const first = await anonymous.get('/acme/widgets-js.atom');
    const next = load(first.text, { xml: true })('feed > link[rel=next]').attr('href') ?? '';
    const second = await anonymous.get(next.replace('https://registry.example', ''));
    assert.deepEqual(atomFaults(second.text), []);
    const both = [...entryIds(first), ...entryIds(second)];
    assert.equal(new Set(both).size, 61);
    assert.equal(both.length, 61);
    assert.equal(load(second.text, { xml: true })('feed > link[rel=next]').length, 0);

    const requested = '/acme.atom?product=widgets&breaking=unknown,major&include_prereleases=1&include_coverage=false';
    const filtered = await anonymous.get(requested);
    const $ = load(filtered.text, { xml: true });
    const effective = 'breaking=major%2Cunknown&include_prereleases=true&product=widgets';
    assert.equal($('feed > id').text(), `tag:registry.example,2026:org/${world.ids.org};${effective}`);
    assert.equal($('feed > link[rel=self]').attr('href'), `https://registry.example/acme.atom?${effective}`);
    assert.deepEqual(atomFaults(filtered.text), []);
    const same = await anonymous.get('/acme.atom?include_prereleases=true&breaking=major,unknown&product=widgets');
    assert.equal(same.headers.get('etag'), filtered.headers.get('etag'));
    assert.notEqual(filtered.headers.get('etag'), (await anonymous.get('/acme.atom')).headers.get('etag'));
    for (const wrong of ['kind=boat', 'minImportance=9', 'breaking=a', 'source_type=x', 'include_coverage=maybe']) {
      const refused = await anonymous.get(`/acme.atom?${wrong}`);
      assert.deepEqual([refused.status, refused.body.error?.code], [400, 'bad_request'], wrong);
    }
    assert.equal((await anonymous.get('/acme.atom?cursor=x')).body.error.code, 'invalid_cursor');
  });

  it('a second poll costs nothing', async () => {
    const { anonymous } = world;
    for (const path of Object.keys(feeds())) {
      const first = await anonymous.get(path, { 'Accept-Encoding': 'identity' });
      const { tag } = validators(first);
      const modified = first.headers.get('last-modified') ?? '';
      const held = [tag, `W/${tag}`, `"x", ${tag}`, '*', `${tag.slice(0, -1)}-gzip"`];
      const requests: Record<string, string>[] = [
        ...held.map((value) => ({ 'If-None-Match': value })),
        { 'If-Modified-Since': modified },
        { 'If-None-Match': tag, 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      ];
      for (const headers of requests) {
        const again = await anonymous.get(path, { 'Accept-Encoding': 'identity', ...headers });
        assert.deepEqual([again.status, again.text], [304, ''], `${path} ${JSON.stringify(headers)}`);
        for (const name of ['etag', 'last-modified', 'cache-control', 'vary']) {
          assert.equal(again.headers.get(name), first.headers.get(name), name);
        }
      }
      const changed: Record<string, string>[] = [
        { 'If-None-Match': '"x"', 'If-Modified-Since': modified },
        { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      ];
      for (const headers of changed) {
        assert.equal((await anonymous.get(path, headers)).status, 200, JSON.stringify(headers));
      }
      const head = await anonymous.head(path, { 'Accept-Encoding': 'identity' });
      assert.deepEqual(validators(head), validators(first));
    }
    const coded = await anonymous.get('/acme.atom', { 'Accept-Encoding': 'gzip' });
    assert.match(coded.headers.get('etag') ?? '', /^"[\w-]{27}-gzip"$/);
  });

  it('every change that a feed shows moves both validators of all feeds that show it', async () => {
    const { anonymous, root, ids } = world;
    const paths = Object.keys(feeds()).filter((path) => /acme|good|ai|feed/.test(path));
    const states = async () => Promise.all(paths.map(async (path) => validators(await anonymous.get(path))));
    let before = await states();
    const assertMoved = async (label: string, shows: boolean) => {
      const after = await states();
      for (const [index, path] of paths.entries()) {
        assert.notEqual(after[index]?.tag, before[index]?.tag, `${label}: tag of ${path}`);
        assert.ok((after[index]?.modified ?? 0) > (before[index]?.modified ?? 0), `${label}: date of ${path}`);
        const answer = await anonymous.get(path);
        assert.equal(answer.text.includes(ids.release), shows, `${label}: ${path}`);
        assert.deepEqual(atomFaults(answer.text), [], path);
      }
      before = after;
    };
    await root.patch(`/v1/releases/${ids.release}`, { title: 'Two, edited' });
    await assertMoved('edit', true);
    await root.patch(`/v1/releases/${ids.release}`, { summary: 'In other words.' });
    await assertMoved('derived text', true);
    await root.post(`/v1/releases/${ids.release}/suppress`, { reason: 'wrong' });
    await assertMoved('suppression', false);
    await root.post(`/v1/releases/${ids.release}/unsuppress`);
    await assertMoved('its end', true);
    await root.patch(`/v1/orgs/acme/sources/widgets-js`, { isHidden: true });
    const hidden = await anonymous.get('/acme.atom');
    assert.ok(!hidden.text.includes(ids.release));
    assert.ok(validators(hidden).modified > (before[0]?.modified ?? 0));
    assert.equal((await anonymous.get('/acme/widgets-js.atom')).status, 404);
    await root.patch(`/v1/orgs/acme/sources/widgets-js`, { isHidden: false });
  });
});
