import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { ROBOTS } from '../outcomes.ts';
import { articleBody } from './article-body.ts';
import { isFuller, isThinFeed, readArticle } from './articles.ts';

const PAGE = 'https://kettle.example/news/2-4';
const LONG = 'Lids that close without a sound. '.repeat(30).trim();
const items = (...lengths: number[]) => lengths.map((length) => ({ content: 'x'.repeat(length) }));

describe('a thin feed', () => {
  const rows: [lengths: number[], thin: boolean][] = [
    [[10, 10, 10], true],
    [[10, 10], false],
    [[599, 599, 599, 600, 600], true],
    [[599, 599, 600, 600], false],
    [[600, 600, 600], false],
    [[], false],
  ];
  for (const [lengths, thin] of rows)
    it(`${lengths}: ${thin}`, () => assert.equal(isThinFeed(items(...lengths)), thin));
});

describe('an article that is fuller', () => {
  const rows: [article: number, teaser: number, fuller: boolean][] = [
    [600, 0, true],
    [599, 0, false],
    [600, 400, true],
    [600, 401, false],
    [1500, 1000, true],
  ];
  for (const [article, teaser, fuller] of rows) {
    it(`${article} for ${teaser}: ${fuller}`, () =>
      assert.equal(isFuller('x'.repeat(article), 'x'.repeat(teaser)), fuller));
  }
});

describe('the text of an article', () => {
  const menu =
    '<nav><p>Home</p></nav><div class="menu"><ul><li><a href="/a">Products and prices of all kinds</a></li></ul></div>';
  const rows: [name: string, html: string, expected: string | null][] = [
    [
      'JSON-LD',
      `<script type="application/ld+json">{"@graph":[{"@type":"Article","articleBody":"${LONG}"}]}</script><article><p>${LONG} other</p></article>`,
      LONG,
    ],
    ['article element', `${menu}<article><h1>T</h1><p>${LONG}</p></article><p>${LONG.repeat(3)}</p>`, `# T\n\n${LONG}`],
    ['the longest of several', `<article><p>Related</p></article><article><p>${LONG}</p></article>`, LONG],
    [
      'the densest block',
      `${menu}<div id="side"><p>Short words</p></div><div id="main"><p>${LONG}</p><ul><li>and more</li></ul></div>`,
      `${LONG}\n\n- and more`,
    ],
    ['nothing', `${menu}<p>Hello</p>`, null],
  ];
  for (const [name, html, expected] of rows) {
    it(name, () => assert.equal(articleBody(`<html><body>${html}</body></html>`, PAGE)?.content ?? null, expected));
  }

  it('has absolute addresses', () => {
    const found = articleBody(`<article><p>${LONG} <img src="/a.png"><a href="b">c</a></p></article>`, PAGE);
    assert.deepEqual(found?.media, [{ type: 'image', url: 'https://kettle.example/a.png' }]);
    assert.match(found?.content ?? '', /\[c\]\(https:\/\/kettle\.example\/news\/b\)$/);
  });
});

describe('reading an article', () => {
  let world: OutsideWorld;
  before(async () => {
    world = await startOutsideWorld();
    world.route('/post', { body: `<article><p>${LONG}</p></article>`, headers: { 'content-type': 'text/html' } });
    world.route('/short', '<article><p>Short</p></article>');
  });
  after(() => world.close());

  it('gives its text', async () => {
    const article = await readArticle(world.context(), { url: `${world.url}/post`, content: 'Lids' });
    assert.deepEqual(article, { content: LONG, media: [] });
  });

  it('asks robots first', async () => {
    const ctx = world.context({ robotsFailure: async () => ROBOTS });
    const article = await readArticle(ctx, { url: `${world.url}/post`, content: 'Lids' });
    assert.equal(article && 'outcome' in article && `${article.outcome}: ${article.detail}`, 'blocked: robots');
    assert.equal(ctx.meter.requests, 0);
  });

  it('leaves the teaser when there is no more', async () => {
    assert.equal(await readArticle(world.context(), { url: `${world.url}/short`, content: 'Lids' }), null);
  });

  it('tells of failure', async () => {
    const article = await readArticle(world.context(), { url: `${world.url}/none`, content: 'Lids' });
    assert.equal(article && 'outcome' in article && article.outcome, 'gone');
  });
});
