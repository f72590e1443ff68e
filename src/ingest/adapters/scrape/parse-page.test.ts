import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParserName } from './entry.ts';
import * as fixture from './page.fixture.ts';
import { LAUNCHES } from './page.fixture.ts';
import { type ParsePageOptions, parsePage } from './parse-page.ts';

const ADDRESS = 'https://acme.test/changelog';
const options: ParsePageOptions = { address: ADDRESS, names: ['Acme'], now: new Date('2024-06-01T12:00:00Z') };

describe('the parser that suits a page', () => {
  const cases: [page: string, html: string, parser: ParserName][] = [
    ['linked data', fixture.jsonLdPage(), 'json-ld'],
    ['articles with a time', fixture.articlesPage(), 'article'],
    ['repeated boxes', fixture.siblingsPage(), 'siblings'],
    ['headings', fixture.headingsPage(), 'headings'],
    ['state for scripts', fixture.statePage(), 'state'],
    ['an index of links', fixture.indexPage(), 'index'],
  ];
  for (const [name, html, parser] of cases) {
    it(`reads ${name} with ${parser}`, () => {
      const reading = parsePage(html, options);

      assert.equal(reading.parser, parser, JSON.stringify(reading.scores));
      assert.ok(reading.score >= 0.6);
      assert.equal(reading.entries.length, parser === 'headings' ? 3 : 4);
    });
  }

  it('gives every entry its title, day, text and address', () => {
    const { items } = parsePage(fixture.siblingsPage(), options);

    assert.deepEqual(
      items.map(({ title, publishedAt, datePrecision, content, url }) => ({
        title,
        publishedAt,
        datePrecision,
        content,
        url,
      })),
      LAUNCHES.map((launch) => ({
        title: launch.title,
        publishedAt: `${launch.day}T00:00:00.000Z`,
        datePrecision: 'day',
        content: launch.words,
        url: `${ADDRESS}#${fixture.slugOf(launch)}`,
      })),
    );
  });

  it('takes the link of an entry, its stated time and its pictures', () => {
    const [first] = parsePage(fixture.articlesPage(), options).items;

    assert.equal(first?.url, 'https://acme.test/changelog/shared-dashboards');
    assert.equal(first?.publishedAt, '2024-05-20T09:30:00.000Z');
    assert.deepEqual(first?.media, [
      { type: 'image', url: 'https://acme.test/shots/shared-dashboards.png', alt: 'shot' },
    ]);
  });

  it('reads versions of headings and falls back on a slug where a heading has no id', () => {
    const { items } = parsePage(fixture.headingsPage(), options);

    assert.deepEqual(
      items.map(({ version, url }) => [version, url]),
      [
        ['2.1.0', `${ADDRESS}#v2-1-0`],
        ['2.0.0', `${ADDRESS}#v2-0-0`],
        ['1.9.0', `${ADDRESS}#1-9-0`],
      ],
    );
  });

  it('places a bare slug of embedded state below the page', () => {
    const { items } = parsePage(fixture.statePage(), options);

    assert.deepEqual(
      items.map(({ title, content, url }) => [title, content, url]),
      LAUNCHES.map((launch) => [launch.title, launch.words, `${ADDRESS}/${fixture.slugOf(launch)}`]),
    );
  });

  it('never links an entry to another site', () => {
    const html = fixture.articlesPage().replaceAll('href="/changelog/', 'href="https://elsewhere.test/');

    assert.equal(parsePage(html, options).items[0]?.url, `${ADDRESS}#shared-dashboards`);
  });
});

describe('entries without boxes of their own', () => {
  const flat = (entry: (launch: (typeof LAUNCHES)[number]) => string) =>
    fixture.page(`<h1>Changelog</h1>${LAUNCHES.map(entry).join('')}`);
  const cases: [name: string, html: string][] = [
    ['the date below the heading', flat(({ title, day, words }) => `<h2>${title}</h2><p>${day}</p><p>${words}</p>`)],
    [
      'the date above it',
      flat(({ title, day, words }) => `<p>Published on ${day}</p><h2>${title}</h2><p>${words}</p>`),
    ],
  ];
  for (const [name, html] of cases) {
    it(name, () => {
      const { parser, items } = parsePage(html, options);

      assert.equal(parser, 'siblings');
      assert.deepEqual(
        items.map(({ title, publishedAt, content }) => [title, publishedAt?.slice(0, 10), content]),
        LAUNCHES.map(({ title, day, words }) => [title, day, words]),
      );
    });
  }

  it('sections that only mention a date are no entries', () => {
    const html = flat(({ title, day, words }) => `<h2>${title}</h2><p>As of ${day}, this is so. ${words}</p>`);

    assert.equal(parsePage(html, options).parser, null);
  });
});

describe('a page without entries', () => {
  it('says how every parser fared', () => {
    const reading = parsePage(
      fixture.page('<h1>About us</h1><p>We make tools for tables and for people.</p>'),
      options,
    );

    assert.equal(reading.parser, null);
    assert.deepEqual(Object.keys(reading.scores), ['json-ld', 'article', 'siblings', 'headings', 'state', 'index']);
    assert.ok(Object.values(reading.scores).every((score) => score < 0.6));
    assert.equal(reading.needsBrowser, false);
  });

  it('tells a shell that a script fills', () => {
    assert.equal(parsePage(fixture.emptyShell(), options).needsBrowser, true);
  });

  it('takes one entry for a list only on a page that is one entry', () => {
    const html = fixture.articlesPage(LAUNCHES.slice(0, 1));

    assert.equal(parsePage(html, options).parser, null);
    assert.equal(parsePage(html, { ...options, entryPage: true }).parser, 'article');
  });
});

describe('a pinned parser', () => {
  const html = fixture.articlesPage();

  it('stays while it finds at least half of what it found', () => {
    assert.equal(parsePage(html, { ...options, pinned: { parser: 'siblings', entries: 8 } }).parser, 'siblings');
  });

  it('is chosen anew when it finds less than half, or nothing', () => {
    assert.equal(parsePage(html, { ...options, pinned: { parser: 'siblings', entries: 9 } }).parser, 'article');
    assert.equal(parsePage(html, { ...options, pinned: { parser: 'json-ld', entries: 1 } }).parser, 'article');
  });

  it('is ignored when nobody knows it', () => {
    assert.equal(parsePage(html, { ...options, pinned: { parser: 'magic', entries: 1 } }).parser, 'article');
  });
});

it('reads the dates of a page in one way, by the one that can be read in no other', () => {
  const html = fixture.siblingsPage().replaceAll('2024-05-20', '20/05/2024').replaceAll('2024-05-06', '06/05/2024');

  const days = parsePage(html, options).items.map(({ publishedAt }) => publishedAt?.slice(0, 10));

  assert.deepEqual(days.slice(0, 2), ['2024-05-20', '2024-05-06']);
});

it('reads dates that count back from today', () => {
  const html = fixture.siblingsPage().replaceAll('2024-05-20', '3 days ago').replaceAll('2024-05-06', 'yesterday');

  const days = parsePage(html, options).items.map(({ publishedAt }) => publishedAt?.slice(0, 10));

  assert.deepEqual(days.slice(0, 2), ['2024-05-29', '2024-05-31']);
});

it('survives markup that is all nesting and no text', () => {
  const hostile = `<main>${'<div class="a"><b>'.repeat(20_000)}2024-01-01${'<li>x'.repeat(20_000)}</main>`;

  assert.equal(parsePage(hostile, options).parser, null);
});
