import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { feedCandidates, MAX_PROBES } from './discover.ts';
import { readPageSigns } from './page-signs.ts';
import { detectProvider, markdownVariant, PROVIDERS } from './providers.ts';

const NONE = { url: 'https://kettle.example/changelog', headers: {}, generators: [] };

describe('providers', () => {
  const signs: [name: string, signs: Partial<Parameters<typeof detectProvider>[0]>, provider: string | null][] = [
    ['host suffix', { url: 'https://kettle.mintlify.app/x' }, 'mintlify'],
    ['host itself', { url: 'https://headwayapp.co/kettle' }, 'headway'],
    ['a host that only ends alike', { url: 'https://notgitbook.io/' }, null],
    ['CNAME suffix', { cnames: ['hosting.gitbook.io.'] }, 'gitbook'],
    ['generator', { generators: ['Docusaurus v3.1'] }, 'docusaurus'],
    ['generator of a blog', { generators: ['Ghost 5.2'] }, 'ghost'],
    ['a word in a generator', { generators: ['Made by a friendly Ghost'] }, null],
    ['header by name', { headers: { 'x-mintlify-client-version': '1' } }, 'mintlify'],
    ['header by value', { headers: { link: '<https://x/wp-json/>; rel="https://api.w.org/"' } }, 'wordpress'],
    ['another header of that name', { headers: { link: '<https://x/>; rel="next"' } }, null],
    ['nothing', {}, null],
  ];
  for (const [name, given, provider] of signs) {
    it(name, () => assert.equal(detectProvider({ ...NONE, ...given })?.name ?? null, provider));
  }

  const paths: [provider: string, paths: string[]][] = [
    ['mintlify', ['/rss.xml']],
    ['hashnode', ['/rss.xml']],
    ['fern', ['/changelog.rss', '/docs/changelog.rss']],
    ['readme', ['/changelog.rss', '/docs/changelog.rss']],
    ['productboard', ['/changelog.rss', '/docs/changelog.rss']],
    ['docusaurus', ['/blog/rss.xml', '/blog/atom.xml', '/changelog/rss.xml']],
    ['ghost', ['/rss/']],
    ['wordpress', ['/feed/']],
    ['vitepress', ['/feed.xml', '/feed.rss', '/rss.xml']],
    ['nextra', ['/feed.xml', '/feed.rss', '/rss.xml']],
    ['headway', ['/feed']],
    ['beamer', ['/feed']],
    ['launchnotes', ['/rss']],
    ...['gitbook', 'zendesk', 'document360', 'notion', 'canny', 'intercom', 'helpscout', 'freshdesk', 'confluence'].map(
      (name): [string, string[]] => [name, []],
    ),
  ];
  for (const [name, expected] of paths) {
    it(`feed of ${name}`, () => assert.deepEqual(PROVIDERS.find((one) => one.name === name)?.feedPaths, expected));
  }

  const markdown: [provider: string, address: string | null][] = [
    ['mintlify', 'https://kettle.example/changelog.md'],
    ['readme', 'https://kettle.example/changelog.md'],
    ['gitbook', 'https://kettle.example/changelog.md'],
    ['docusaurus', null],
  ];
  for (const [name, address] of markdown) {
    it(`markdown of ${name}`, () => {
      const provider = PROVIDERS.find((one) => one.name === name) ?? null;
      assert.equal(markdownVariant(provider, 'https://kettle.example/changelog/?a#b'), address);
    });
  }
});

describe('what a page names', () => {
  const link = (href: string, type: string, title = '') =>
    `<link rel="alternate" type="${type}" title="${title}" href="${href}">`;
  const [rss, atom, json] = ['application/rss+xml', 'application/atom+xml', 'application/feed+json'];
  const page = (...tags: string[]) => `<html><head>${tags.join('')}</head><body></body></html>`;
  const feeds = (html: string) =>
    readPageSigns(html, 'https://kettle.example/news/').feedLinks.map((url) => url.slice(23));

  it('changelog, release and update first, then JSON Feed, Atom, RSS', () => {
    const html = page(
      link('/a.rss', rss),
      link('/b.atom', atom),
      link('/c.json', json),
      link('/d.rss', rss, 'Product Updates'),
      link('/changelog/e.atom', atom),
      link('/releases.rss', rss),
    );
    assert.deepEqual(feeds(html), ['changelog/e.atom', 'd.rss', 'releases.rss', 'c.json', 'b.atom', 'a.rss']);
  });

  it('no comments, no other types, no other relations', () => {
    const html = page(
      link('/comments/feed/', rss),
      link('/wp-json/', 'application/json'),
      link('/feed.json', 'application/json'),
      link('/en/', 'text/html'),
      '<link rel="stylesheet" type="application/rss+xml" href="/x">',
    );
    assert.deepEqual(feeds(html), ['feed.json']);
  });

  it('relative to the base', () =>
    assert.deepEqual(feeds(`<base href="/b/">${page(link('x.rss', rss))}`), ['b/x.rss']));

  it('within the first 512,000 characters', () => {
    assert.deepEqual(feeds(page(`<!--${'x'.repeat(512_000)}-->`, link('/a.rss', rss))), []);
  });

  it('generator and canonical address', () => {
    const signs = readPageSigns(
      page('<meta name=Generator content="VitePress v1.0"><link rel=canonical href=/c>'),
      'https://kettle.example/',
    );
    assert.deepEqual(signs, { feedLinks: [], generators: ['VitePress v1.0'], canonical: 'https://kettle.example/c' });
  });
});

describe('candidates', () => {
  const list = (page: string, links: string[] = [], name: string | null = null) =>
    feedCandidates(page, links, PROVIDERS.find((one) => one.name === name) ?? null).map(({ url }) =>
      url.replace('https://kettle.example', ''),
    );
  const origin = [
    '/changelog.rss',
    '/changelog/rss.xml',
    '/changelog/feed',
    '/changelog.xml',
    '/feed.json',
    '/feed.xml',
    '/rss.xml',
    '/atom.xml',
    '/feed',
  ];

  it('of a page', () => {
    assert.deepEqual(list('https://kettle.example/news/?a=1'), [
      ...['/news/rss.xml', '/news/feed.xml', '/news/feed', '/news/rss', '/news/atom.xml', '/news.rss', '/news.atom'],
      ...origin,
    ]);
  });

  it('of an origin', () => {
    const siblings = ['/rss.xml', '/feed.xml', '/feed', '/rss', '/atom.xml'];
    assert.deepEqual(list('https://kettle.example/'), [
      ...siblings,
      ...origin.filter((path) => !siblings.includes(path)),
    ]);
  });

  it('links and provider first', () => {
    const [first, second, third] = list('https://kettle.example/news', ['https://x.example/f'], 'ghost');
    assert.deepEqual([first, second, third], ['https://x.example/f', '/rss/', '/news/rss.xml']);
  });

  it('are at most twenty', () => {
    const links = Array.from({ length: 15 }, (_, index) => `https://kettle.example/${index}.xml`);
    assert.equal(list('https://kettle.example/news', links).length, MAX_PROBES);
  });
});
