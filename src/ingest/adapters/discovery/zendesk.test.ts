import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { adapterInput } from '../../../../test/support/adapter-input.ts';
import { conditional, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { articlesAddress, fetchZendesk } from './zendesk.ts';

const QUERY = '?sort_by=created_at&sort_order=desc&per_page=100';

describe('the listing behind a help centre page', () => {
  const rows: [path: string, api: string | null][] = [
    ['/hc/en-us', '/api/v2/help_center/en-us/articles.json'],
    ['/hc/en-us/sections/12-Release-notes', '/api/v2/help_center/en-us/sections/12/articles.json'],
    ['/hc/de/categories/7', '/api/v2/help_center/de/categories/7/articles.json'],
    ['/hc/en-us/articles/9-One', null],
    ['/blog', null],
  ];
  for (const [path, api] of rows) {
    it(path, () => {
      assert.equal(articlesAddress(`https://k.zendesk.com${path}`), api && `https://k.zendesk.com${api}${QUERY}`);
    });
  }
});

describe('help centre adapter', () => {
  const API = '/api/v2/help_center/en-us/sections/1/articles.json';
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  afterEach(() => {
    world.requests.length = 0;
  });

  const article = (id: number) => ({
    id,
    title: `Kettle 1.${id}`,
    html_url: `https://k.example/a/${id}`,
    body: '<p>Lids</p>',
    created_at: '2024-01-15T10:00:00Z',
    draft: false,
    label_names: ['news'],
  });
  const listing = (ids: number[], next: string | null) =>
    JSON.stringify({ articles: ids.map(article), next_page: next });
  const poll = (options = {}) =>
    fetchZendesk(world.context(), adapterInput({ url: `${world.url}/hc/en-us/sections/1-News` }, options));

  it('reads all pages at first', async () => {
    world.route(API, listing([3, 2], `${world.url}${API}?page=2`));
    world.route(`${API}?page=2`, listing([1], null));
    const result = await poll();
    assert.equal(result.outcome, 'success');
    assert.equal(result.complete, true);
    assert.deepEqual(
      result.items.map(({ guid }) => guid),
      ['3', '2', '1'],
    );
    assert.deepEqual(result.items[0], {
      ...{ title: 'Kettle 1.3', content: 'Lids', version: '1.3', url: 'https://k.example/a/3', guid: '3' },
      ...{ publishedAt: '2024-01-15T10:00:00.000Z', datePrecision: 'time', dateFromUpdated: false },
      ...{ media: [], categories: ['news'], links: [], origin: 'page', confidence: 1 },
    });
  });

  it('reads one page later, conditionally', async () => {
    world.route(API, conditional({ body: listing([3, 2], `${world.url}${API}?page=2`), headers: { etag: '"1"' } }));
    const first = await poll({ stored: 3 });
    assert.equal(first.requests, 1);
    const second = await poll({ stored: 3, validators: first.validators });
    assert.equal(second.outcome, 'no_change');
    assert.equal(world.requests[1]?.headers['if-none-match'], '"1"');
  });

  it('does not follow a page of another host', async () => {
    world.route(API, listing([3], 'https://elsewhere.example/page'));
    assert.equal((await poll()).requests, 1);
  });

  it('what is no listing is malformed, drafts are skipped', async () => {
    world.route(API, '{}');
    assert.equal((await poll()).outcome, 'malformed');
    world.route(API, JSON.stringify({ articles: [{ ...article(1), draft: true }] }));
    assert.equal((await poll({ stored: 2 })).outcome, 'empty');
  });
});
