// The field table, row by row: the first that exists.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Item } from '../contract.ts';
import { atom, jsonFeed, rss } from './feeds.fixture.ts';
import { parseFeed } from './parse-feed.ts';

const OPTIONS = { url: 'https://kettle.example/feed.xml', now: new Date('2024-06-01T00:00:00Z'), names: ['Kettle'] };

function item(text: string): Item | undefined {
  const feed = parseFeed(text, OPTIONS);
  return feed.ok ? feed.items[0] : undefined;
}

type Row = [name: string, feed: string, expected: unknown];

function table(field: keyof Item, rows: readonly Row[]): void {
  for (const [name, feed, expected] of rows) it(name, () => assert.deepEqual(item(feed)?.[field], expected));
}

describe('title', () => {
  const body = (html: string) => `<description><![CDATA[${html}]]></description>`;
  table('title', [
    ['as text', rss('<title>A &amp;lt;b&amp;gt; &lt;b&gt;C&lt;/b&gt;\n D</title>'), 'A <b> C D'],
    ['generics are no markup', rss('<title>Vec&lt;T&gt; is faster</title>'), 'Vec<T> is faster'],
    ['Atom text', atom('<title type="text">Use &lt;b&gt; now</title>'), 'Use <b> now'],
    ['Atom HTML', atom('<title type="html">A &lt;b&gt;B&lt;/b&gt;</title>'), 'A B'],
    ['Atom XHTML', atom('<title type="xhtml"><div>A <b>B</b> &amp; c</div></title>'), 'A B & c'],
    ['first heading of the body', rss(body('<p>x</p><h2>Lids <em>2</em></h2>')), 'Lids 2'],
    ['first sentence of the body', rss(body('<p>Lids are quiet. They shut.</p>')), 'Lids are quiet.'],
    ['up to 80 characters', rss(body(`<p>${'word '.repeat(40)}</p>`)), 'word '.repeat(16).trim()],
    ['else the item is dropped', rss('<link>https://kettle.example/x</link>'), undefined],
    ['of JSON', jsonFeed({ id: '1', content_text: 'Lids are quiet. They shut.' }), 'Lids are quiet.'],
  ]);
});

describe('url', () => {
  const title = '<title>T</title>';
  const guid = (attribute: string) => `${title}<guid${attribute}>https://kettle.example/g</guid>`;
  table('url', [
    [
      'feedburner:origLink',
      rss(
        `${title}<link>https://fb.example/1</link><feedburner:origLink>https://kettle.example/o</feedburner:origLink>`,
      ),
      'https://kettle.example/o',
    ],
    [
      'Atom alternate',
      atom(
        `${title}<link rel="self" href="https://kettle.example/s"/><link rel="alternate" href="https://kettle.example/a"/>`,
      ),
      'https://kettle.example/a',
    ],
    [
      'Atom without relation',
      atom(`${title}<link rel="replies" href="https://kettle.example/r"/><link href="https://kettle.example/a"/>`),
      'https://kettle.example/a',
    ],
    [
      'Atom, a page before other forms',
      atom(
        `${title}<link type="application/pdf" href="https://kettle.example/p"/><link type="text/html" href="https://kettle.example/a"/>`,
      ),
      'https://kettle.example/a',
    ],
    [
      'RSS link',
      rss(`${title}<link> https://kettle.example/l </link>${guid('').slice(title.length)}`),
      'https://kettle.example/l',
    ],
    ['RSS link, relative', rss(`${title}<link>/l</link>`), 'https://kettle.example/l'],
    ['guid', rss(guid('')), 'https://kettle.example/g'],
    ['guid that is a permalink', rss(guid(' isPermaLink="true"')), 'https://kettle.example/g'],
    ['guid that is none', rss(guid(' isPermaLink="false"')), null],
    ['guid that is no address', rss(`${title}<guid>k-1</guid>`), null],
    ['link of another scheme', rss(`${title}<link>javascript:x()</link>`), null],
    [
      'JSON url',
      jsonFeed({ id: 'https://kettle.example/i', url: 'https://kettle.example/u', title: 'T' }),
      'https://kettle.example/u',
    ],
    ['JSON id', jsonFeed({ id: 'https://kettle.example/i', title: 'T' }), 'https://kettle.example/i'],
  ]);
});

describe('content', () => {
  const full = (html: string) => `<content:encoded><![CDATA[${html}]]></content:encoded>`;
  const short = (html: string) => `<description><![CDATA[${html}]]></description>`;
  const title = '<title>T</title>';
  table('content', [
    ['the longer is the full one', rss(title + short('Short') + full('<p>Long text</p>')), 'Long text'],
    ['the longer is the summary', rss(title + short('<p>Long text here</p>') + full('<p>Cut…</p>')), 'Long text here'],
    [
      'markup does not make longer',
      rss(title + short('Quiet lids at last') + full('<p><b><i><u>Quiet</u></i></b></p>')),
      'Quiet lids at last',
    ],
    [
      'HTML before text of the same length',
      jsonFeed({ title: 'T', content_text: 'Quiet lids', content_html: '<p>Quiet <b>lids</b></p>' }),
      'Quiet **lids**',
    ],
    ['summary of Atom', atom(`${title}<summary>S</summary>`), 'S'],
    [
      'Atom text is not read as HTML',
      atom(`${title}<content type="text">Use &lt;p&gt; now</content>`),
      'Use \\<p> now',
    ],
    ['Atom HTML', atom(`${title}<content type="html">&lt;p&gt;A &amp;lt;b&lt;/p&gt;</content>`), 'A \\<b'],
    ['Atom without type', atom(`${title}<content>&lt;p&gt;A&lt;/p&gt;</content>`), 'A'],
    ['Atom reference', atom(`${title}<content type="video/mp4" src="https://kettle.example/v.mp4"/>`), ''],
    [
      'Atom 0.3 base64',
      atom(`${title}<content mode="base64">${Buffer.from('<p>Añ</p>').toString('base64')}</content>`),
      'Añ',
    ],
    ['unescaped HTML', rss(`${title}<description>a <p>b<br/>c</p></description>`), 'a\n\nb  \nc'],
    ['escaped HTML', rss(`${title}<description>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</description>`), 'a & b'],
    ['no block-level tag: markdown, with marks for its tags', rss(`${title}${short('* a <b>b</b>')}`), '* a **b**'],
    ['JSON text', jsonFeed({ title: 'T', content_text: 'a <p> b' }), 'a \\<p> b'],
    [
      'a body of inline tags',
      rss(`${title}${short('New <img src=x onerror=alert(1)><script>alert(2)</script>')}`),
      'New ![](https://kettle.example/x)',
    ],
    ['none', rss(title), ''],
  ]);
});

describe('date', () => {
  const t = '<title>T</title>';
  const at = '2024-01-15T10:00:00.000Z';
  const iso = '2024-01-15T10:00:00Z';
  const later = '2024-03-01T00:00:00Z';
  const rows: [name: string, feed: string, at: string | null, fromUpdated: boolean][] = [
    ['published', atom(`${t}<updated>${later}</updated><published>${iso}</published>`), at, false],
    ['pubDate', rss(`${t}<dc:date>${later}</dc:date><pubDate>Mon, 15 Jan 24 10:00:00 GMT</pubDate>`), at, false],
    ['dc:date', rss(`${t}<dc:date>${iso}</dc:date>`), at, false],
    ['date_published', jsonFeed({ title: 'T', date_modified: later, date_published: iso }), at, false],
    ['issued', atom(`${t}<modified>${later}</modified><issued>${iso}</issued>`), at, false],
    ['updated', atom(`${t}<updated>${iso}</updated>`), at, true],
    ['modified', atom(`${t}<modified>${iso}</modified>`), at, true],
    ['date_modified', jsonFeed({ title: 'T', date_modified: iso }), at, true],
    ['what cannot be read is no date', rss(`${t}<pubDate>soon</pubDate><dc:date>${iso}</dc:date>`), at, false],
    ['none: never the current time', rss(t), null, false],
    ['the channel has no say', rss(t, `<pubDate>Mon, 15 Jan 2024 10:00:00 GMT</pubDate>`), null, false],
  ];
  for (const [name, feed, expected, fromUpdated] of rows) {
    it(name, () => {
      assert.equal(item(feed)?.publishedAt, expected);
      assert.equal(item(feed)?.dateFromUpdated, fromUpdated);
    });
  }

  it('the document shows whether the day comes first', () => {
    const dated = (text: string) => `<item><title>T</title><pubDate>${text}</pubDate></item>`;
    const feed = parseFeed(`<rss><channel>${dated('03/04/2024')}${dated('15/01/2024')}</channel></rss>`, OPTIONS);
    assert.deepEqual(feed.ok && feed.items.map(({ publishedAt }) => publishedAt?.slice(0, 10)), [
      '2024-04-03',
      '2024-01-15',
    ]);
  });
});

describe('version', () => {
  table('version', [
    ['with v', rss('<title>v2.1.0 — Faster sync</title>'), '2.1.0'],
    ['behind a name', rss('<title>Kettle 3.0</title>'), '3.0'],
    ['of something else', rss('<title>Support for Python 3.13</title>'), null],
  ]);
});

describe('media', () => {
  const t = '<title>T</title>';
  table('media', [
    [
      'enclosure',
      rss(`${t}<enclosure url="https://k.example/a.mp4" type="video/mp4"/>`),
      [{ type: 'video', url: 'https://k.example/a.mp4' }],
    ],
    ['enclosure of sound', rss(`${t}<enclosure url="https://k.example/a.mp3" type="audio/mpeg"/>`), []],
    [
      'media:content',
      rss(`${t}<media:content url="/a.png" medium="image"><media:title>A</media:title></media:content>`),
      [{ type: 'image', url: 'https://kettle.example/a.png', alt: 'A' }],
    ],
    [
      'media:thumbnail in a group',
      rss(`${t}<media:group><media:thumbnail url="https://k.example/t.gif"/></media:group>`),
      [{ type: 'gif', url: 'https://k.example/t.gif' }],
    ],
    [
      'attachments',
      jsonFeed({ title: 'T', attachments: [{ url: 'https://k.example/a.png', mime_type: 'image/png' }] }),
      [{ type: 'image', url: 'https://k.example/a.png' }],
    ],
  ]);
});

describe('categories', () => {
  const t = '<title>T</title>';
  table('categories', [
    ['RSS', rss(`${t}<category>A</category><category> B </category><category>A</category>`), ['A', 'B']],
    ['Atom', atom(`${t}<category term="a"/><category term="b" label="B"/>`), ['a', 'B']],
    ['JSON', jsonFeed({ title: 'T', tags: ['A', 1, 'B'] }), ['A', 'B']],
  ]);
});

describe('guid', () => {
  it('a number is text', () => assert.equal(item(jsonFeed({ id: 7, title: 'T' }))?.guid, '7'));

  it('a long one is kept by its hash', () => {
    const guid = item(rss(`<title>T</title><guid>${'x'.repeat(501)}</guid>`))?.guid;
    assert.match(guid ?? '', /^sha256:[0-9a-f]{64}$/);
  });
});
