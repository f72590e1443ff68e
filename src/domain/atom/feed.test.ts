import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { load } from 'cheerio';
import { type AtomEntry, type AtomFeed, atomDocument } from './feed.ts';

const entry: AtomEntry = {
  id: 'tag:registry.example,2026:release/rel_x',
  title: 'Faster & <better>',
  published: '2026-03-02T09:00:00.000Z',
  updated: '2026-03-04T11:20:05.000Z',
  alternate: 'https://registry.example/release/rel_x',
  related: 'https://example.com/a?b=1&c="2"',
  author: 'Example',
  categories: [{ term: 'js', scheme: 'tag:registry.example,2026:source', label: 'js' }, { term: 'prerelease' }],
  summary: null,
  content: '<p>Cold &amp; fast</p>',
};
const feed: AtomFeed = {
  id: 'tag:registry.example,2026:user/u',
  title: 'Following',
  updated: entry.updated,
  self: 'https://registry.example/v1/feed/x.atom',
  alternate: 'https://registry.example/following',
  author: 'Registry',
  generator: { name: 'Registry', version: '1' },
  entries: [entry],
};

describe('Atom', () => {
  it('gives every value back as it was', () => {
    const read = load(atomDocument(feed), { xml: true });

    assert.equal(read('feed > title').text(), 'Following');
    assert.equal(read('feed > link[rel=self]').attr('href'), feed.self);
    assert.equal(read('feed > link[rel=next]').length, 0);
    assert.equal(read('entry > title').text(), entry.title);
    assert.equal(read('entry > link[rel=related]').attr('href'), entry.related);
    assert.equal(read('entry > content').attr('type'), 'html');
    assert.equal(read('entry > content').text(), entry.content);
    assert.equal(read('entry > category').length, 2);
    assert.equal(read('entry > summary').length, 0);
  });

  it('leaves out what XML cannot hold', () => {
    const title = 'a\u0000b\u0008c\ud800d\ufffee\u{1f680}\tf';
    const read = load(atomDocument({ ...feed, entries: [{ ...entry, title }] }), { xml: true });
    assert.equal(read('entry > title').text(), 'abcde\u{1f680}\tf');
  });

  it('leaves out what is not known', () => {
    const text = atomDocument({ ...feed, entries: [{ ...entry, published: null, related: null }] });
    assert.doesNotMatch(text, /<published>|rel="related"|<icon>|<subtitle>/);
  });
});
