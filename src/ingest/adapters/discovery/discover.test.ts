import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { adapterInput, sourceRow } from '../../../../test/support/adapter-input.ts';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { ATOM, JSON_FEED, RSS } from '../feed-document/feeds.fixture.ts';
import { ROBOTS } from '../outcomes.ts';
import { discoverFeed, inspectPage } from './discover.ts';
import { isRediscoveryDue, rediscoverFeed } from './rediscover.ts';

const EMPTY = '<rss><channel><title>K</title></channel></rss>';
const page = (head = '') => ({
  body: `<html><head>${head}</head><body><p>Hi</p></body></html>`,
  headers: { 'content-type': 'text/html' },
});
const alternate = (href: string, type = 'application/rss+xml') =>
  `<link rel="alternate" type="${type}" href="${href}">`;

let world: OutsideWorld;
function withWorld(): void {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
}

async function freshWorld(): Promise<void> {
  await world.close();
  world = await startOutsideWorld();
}

describe('discovery', () => {
  withWorld();

  afterEach(freshWorld);
  const paths = () => world.requests.map(({ path }) => path);
  const discover = () => discoverFeed(world.context(), `${world.url}/news`);

  it('the link of the page', async () => {
    world.route('/news', page(alternate('/a.rss') + alternate('/b.json', 'application/feed+json')));
    world.route('/a.rss', RSS);
    world.route('/b.json', JSON_FEED);
    const found = await discover();
    assert.equal(found?.feedUrl, `${world.url}/b.json`);
    assert.equal(found?.feedType, 'jsonfeed');
    assert.equal(found?.via, 'link');
    assert.equal(found?.title, 'Kettle news');
    assert.equal(found?.items[0]?.title, 'Kettle 2.4 is out');
    assert.deepEqual(paths(), ['/news', '/b.json']);
  });

  it('a candidate without items, or of another kind, does not count', async () => {
    world.route('/news', page(alternate('/empty.rss') + alternate('/page.rss') + alternate('/a.rss')));
    world.route('/empty.rss', EMPTY);
    world.route('/page.rss', page());
    world.route('/a.rss', RSS);
    assert.equal((await discover())?.feedUrl, `${world.url}/a.rss`);
  });

  it('JSON without the version of a JSON Feed does not count', async () => {
    world.route('/news', page(alternate('/feed.json', 'application/json')));
    world.route('/feed.json', '{"items":[{"id":"1","title":"A"}]}');
    assert.equal(await discover(), null);
  });

  it('the path of the provider', async () => {
    world.route('/news', page('<meta name="generator" content="Docusaurus v3">'));
    world.route('/blog/atom.xml', ATOM);
    world.route('/news/rss.xml', RSS);
    const found = await discover();
    assert.equal(found?.feedUrl, `${world.url}/blog/atom.xml`);
    assert.equal(found?.provider, 'docusaurus');
    assert.equal(found?.via, 'provider');
    assert.equal(found?.probes, 2);
  });

  it('a sibling, then a path of the origin', async () => {
    world.route('/news', page());
    world.route('/atom.xml', ATOM);
    assert.equal((await discover())?.via, 'origin');
    world.route('/news.rss', RSS);
    assert.equal((await discover())?.via, 'sibling');
  });

  it('a page that is a feed itself', async () => {
    world.route('/news', RSS);
    const found = await discover();
    assert.equal(found?.feedUrl, `${world.url}/news`);
    assert.equal(found?.via, 'page');
    assert.deepEqual(paths(), ['/news']);
  });

  it('a feed that has moved for good is given by its new address', async () => {
    world.route('/news', page(alternate('/a.rss')));
    world.route('/a.rss', { status: 301, headers: { location: '/new.rss' } });
    world.route('/new.rss', RSS);
    assert.equal((await discover())?.feedUrl, `${world.url}/new.rss`);
  });

  it('never asks more than twenty times', async () => {
    const links = Array.from({ length: 30 }, (_, index) => alternate(`/${index}.rss`)).join('');
    world.route('/news', page(links));
    assert.equal(await discover(), null);
    assert.equal(world.requests.length, 21);
  });

  it('does not read a page that robots forbid, but still asks for feeds', async () => {
    world.route('/news', page(alternate('/a.rss')));
    world.route('/feed.xml', RSS);
    const found = await discoverFeed(world.context({ robotsFailure: async () => ROBOTS }), `${world.url}/news`);
    assert.equal(found?.feedUrl, `${world.url}/feed.xml`);
    assert.equal(paths().includes('/news'), false);
  });

  it('goes on behind a missing page and a path that fails', async () => {
    world.route('/news/rss.xml', { status: 500 });
    world.route('/feed.xml', RSS);
    assert.equal((await discover())?.feedUrl, `${world.url}/feed.xml`);
  });

  it('stops when the host wants to be left alone', async () => {
    world.route('/news', page());
    world.route('/news/feed', { status: 429 });
    assert.equal(await discover(), null);
    assert.deepEqual(paths(), ['/news', '/news/rss.xml', '/news/feed.xml', '/news/feed']);
  });

  it('a page can be inspected alone', async () => {
    world.route('/news', page('<meta name="generator" content="GitBook (1)">'));
    const inspected = await inspectPage(world.context(), `${world.url}/news`);
    assert.equal('outcome' in inspected ? null : inspected.provider?.name, 'gitbook');
    const missing = await inspectPage(world.context(), `${world.url}/none`);
    assert.equal('outcome' in missing && missing.outcome, 'gone');
  });
});

describe('rediscovery', () => {
  withWorld();

  afterEach(freshWorld);

  it('is due after three of gone, malformed and empty in a row', () => {
    assert.equal(isRediscoveryDue(['gone', 'malformed', 'empty', 'success']), true);
    assert.equal(isRediscoveryDue(['gone', 'gone']), false);
    assert.equal(isRediscoveryDue(['gone', 'timeout', 'gone', 'gone']), false);
  });

  const rows: [name: string, known: { guids?: string[]; urls?: string[] }, newest: string | null, found: boolean][] = [
    ['shares a guid', { guids: ['k-1'] }, '2024-05-01T00:00:00.000Z', true],
    [
      'shares an address',
      { urls: ['http://www.kettle.example/news/2-3/?utm_source=x'] },
      '2024-05-01T00:00:00.000Z',
      true,
    ],
    ['has a newer item', {}, '2024-01-10T00:00:00.000Z', true],
    ['has nothing in common', {}, '2024-05-01T00:00:00.000Z', false],
  ];
  for (const [name, { guids = [], urls = [] }, newestStored, found] of rows) {
    it(`a feed that ${name}: ${found ? 'taken' : 'left'}`, async () => {
      world.route('/news', page(alternate('/new.rss')));
      world.route('/new.rss', RSS);
      const known = { guids: new Set(guids), urls: new Set(urls), count: 3 };
      const source = sourceRow({ url: `${world.url}/news`, feed_url: `${world.url}/old.rss`, consecutive_errors: 3 });
      const result = await rediscoverFeed(world.context(), { ...adapterInput({}), source, known, newestStored });
      const changes = { feed_url: `${world.url}/new.rss`, feed_type: 'rss' };
      assert.deepEqual(result?.sourceChanges, found ? changes : undefined);
    });
  }
});
