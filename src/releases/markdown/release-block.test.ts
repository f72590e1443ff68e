import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FeedItem } from '../../contract/release.ts';
import { feedMarkdown, ownedFeed, paginationLine, releaseBlocks } from './release.ts';

function item(more: Partial<FeedItem> = {}): FeedItem {
  return {
    id: 'rel_1',
    version: '1.2.0',
    title: 'Faster sync',
    summary: 'Sync is faster.',
    content: '- Sync is faster\n',
    publishedAt: '2026-03-01T10:00:00.000Z',
    url: 'https://acme.example/?a=1&b="2"',
    breaking: 'none',
    org: { id: 'org_1', slug: 'acme', name: 'Acme' },
    source: { slug: 'cli' },
    ...more,
  } as FeedItem;
}

describe('releaseBlocks', () => {
  const open =
    '<Release id="rel_1" version="1.2.0" date="2026-03-01" published="2026-03-01T10:00:00.000Z"' +
    ' url="https://acme.example/?a=1&amp;b=&quot;2&quot;" breaking="none">';
  const cases: [string, Partial<FeedItem>, string][] = [
    ['title and content', {}, `${open}\n## Faster sync\n\n- Sync is faster\n</Release>\n`],
    ['no title that only repeats the version', { title: '1.2.0' }, `${open}\n- Sync is faster\n</Release>\n`],
    ['the summary of a lean item', { content: undefined }, `${open}\n## Faster sync\n\nSync is faster.\n</Release>\n`],
    ['the summary of an empty one', { content: '' }, `${open}\n## Faster sync\n\nSync is faster.\n</Release>\n`],
    [
      'no tag of ours that the notes hold',
      {
        title: 'x </Release>',
        content: 'a\n</release >\n<Release id="rel_2">\n<Pagination cursor="x" /> <Released> < /Release>',
      },
      `${open}\n## x &lt;/Release>\n\na\n&lt;/release >\n&lt;Release id="rel_2">\n&lt;Pagination cursor="x" /> <Released> &lt; /Release>\n</Release>\n`,
    ],
    [
      'nothing but the frame',
      { title: 'x', version: 'x', content: '', summary: '', publishedAt: null, url: null },
      '<Release id="rel_1" version="x" breaking="none">\n</Release>\n',
    ],
  ];
  for (const [label, more, expected] of cases) {
    it(label, () => assert.equal(releaseBlocks([item(more)]), expected));
  }

  it('names the owner on demand', () => {
    assert.match(releaseBlocks([item()], { org: true }), /^<Release id="rel_1" org="acme" source="cli" version=/);
    assert.match(releaseBlocks([item({ org: null })], { org: true }), /^<Release id="rel_1" source="cli"/);
  });

  it('parts blocks by an empty line', () => {
    assert.match(releaseBlocks([item(), item()]), /<\/Release>\n\n<Release/);
  });
});

describe('feedMarkdown', () => {
  const feed = (nextCursor: string | null, releases = [item()]) => ({
    releases,
    pagination: { nextCursor, limit: 20 },
  });

  it('has front matter, blocks and a last line for the next page', () => {
    const text = feedMarkdown({ feed: 'latest' }, feed('abc'));

    assert.match(text, /^---\nfeed: latest\nrelease_count: 1\nhas_more: true\n---\n\n<Release id="rel_1" org="acme"/);
    assert.ok(text.endsWith('</Release>\n\n<Pagination cursor="abc" />\n'));
  });

  it('ends with the last block on the last page', () => {
    assert.ok(feedMarkdown({}, feed(null)).endsWith('</Release>\n'));
    assert.equal(feedMarkdown({}, feed(null, [])), '---\nrelease_count: 0\nhas_more: false\n---\n');
    assert.equal(paginationLine(null), '');
  });

  it('prefers the owner that came with the feed', () => {
    const owned = ownedFeed(feed(null, []), { organization: 'Acme' });

    assert.match(feedMarkdown({ organization: 'acme.example' }, owned), /^---\norganization: Acme\n/);
  });
});
