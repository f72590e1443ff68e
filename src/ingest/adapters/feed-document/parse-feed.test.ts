import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from '../../../../test/support/growth.ts';
import type { Item } from '../contract.ts';
import { ATOM, ATOM_03, JSON_FEED, RDF, RSS } from './feeds.fixture.ts';
import { itemSetHash, MAX_ITEMS, type ParsedFeed, parseFeed } from './parse-feed.ts';

const OPTIONS = { url: 'https://kettle.example/feed.xml', now: new Date('2024-06-01T00:00:00Z'), names: ['Kettle'] };

function read(text: string | Uint8Array): ParsedFeed & { ok: true } {
  const feed = parseFeed(text, OPTIONS);
  assert.ok(feed.ok, feed.ok ? '' : feed.detail);
  return feed;
}

function first(text: string): Item {
  return read(text).items[0] as Item;
}

describe('formats', () => {
  const rows: [name: string, text: string, type: string, guid: string | null][] = [
    ['RSS 2.0', RSS, 'rss', 'k-3'],
    ['RSS 0.91', RSS.replace('version="2.0"', 'version="0.91"'), 'rss', 'k-3'],
    ['RSS 1.0', RDF, 'rss', 'https://kettle.example/news/2-4'],
    ['Atom 1.0', ATOM, 'atom', 'tag:kettle.example,2024:3'],
    ['Atom 0.3', ATOM_03, 'atom', 'k-3'],
    ['JSON Feed 1.1', JSON_FEED, 'jsonfeed', 'k-3'],
    ['JSON Feed 1', JSON_FEED.replace('version/1.1', 'version/1'), 'jsonfeed', 'k-3'],
    [
      'Atom with a prefix',
      ATOM.replace(/<(\/?)(?!div|p>|b>|a |\/|\?)/g, '<$1a:').replace('xmlns=', 'xmlns:a='),
      'atom',
      'tag:kettle.example,2024:3',
    ],
  ];
  for (const [name, text, type, guid] of rows) {
    it(name, () => {
      const item = first(text);
      assert.equal(read(text).feedType, type);
      assert.equal(item.title, 'Kettle 2.4 is out');
      assert.equal(item.version, '2.4');
      assert.equal(item.url, 'https://kettle.example/news/2-4');
      assert.equal(item.guid, guid);
      assert.equal(item.publishedAt, '2024-01-15T15:00:00.000Z');
      assert.equal(item.datePrecision, 'time');
      assert.equal(item.dateFromUpdated, false);
      assert.match(item.content, /^Quieter (?:\*\*)?lids/);
    });
  }

  it('the whole of an item', () => {
    assert.deepEqual(first(RSS), {
      title: 'Kettle 2.4 is out',
      content:
        'Quieter **lids**, see [the guide](https://kettle.example/docs/lids).\n\n![Lid](https://kettle.example/lid.png)',
      version: '2.4',
      url: 'https://kettle.example/news/2-4',
      guid: 'k-3',
      publishedAt: '2024-01-15T15:00:00.000Z',
      datePrecision: 'time',
      dateFromUpdated: false,
      media: [{ type: 'image', url: 'https://kettle.example/lid.png', alt: 'Lid' }],
      categories: ['Releases'],
      links: ['https://kettle.example/docs/lids'],
      origin: 'feed',
      confidence: 1,
    });
  });

  it('xml:base completes links and content of Atom', () => {
    assert.match(first(ATOM).content, /\[the guide\]\(https:\/\/kettle\.example\/docs\/lids\)/);
    assert.deepEqual(first(ATOM).media, [{ type: 'image', url: 'https://kettle.example/lid.png' }]);
  });

  const others: [text: string, detail: string][] = [
    ['', 'the body is empty'],
    ['<!doctype html><html><body><rss></rss></body></html>', 'a page, not a feed'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>', 'not a feed'],
    ['{"items":[{"id":1,"title":"a"}]}', 'JSON, but no JSON Feed'],
    ['[1]', 'JSON, but no JSON Feed'],
    ['<urlset><url/></urlset>', 'not a feed'],
    ['plain words', 'not a feed'],
  ];
  for (const [text, detail] of others) {
    it(`"${text.slice(0, 40)}" is none`, () => assert.deepEqual(parseFeed(text, OPTIONS), { ok: false, detail }));
  }

  it('a valid feed may be empty', () => {
    assert.deepEqual(read('<rss><channel><title>K</title></channel></rss>').items, []);
    assert.deepEqual(read('<feed xmlns="http://www.w3.org/2005/Atom"/>').items, []);
  });
});

describe('repairs', () => {
  const broken: [name: string, text: string, note: string][] = [
    ['leading junk', `Warning: <b>x</b>\n${RSS}`, 'leading junk skipped'],
    ['control characters', RSS.replace('Kettle 2.4', 'Kettle\u0000\u000b 2.4'), 'control characters removed'],
    [
      'a bare ampersand',
      RSS.replace('<link>https://kettle.example/news/2-4', '<comments>?a&b</comments>$&'),
      'bare ampersands kept as text',
    ],
    ['an entity of HTML', RSS.replace('is out</title>', '&#105;s&nbsp;out</title>'), 'entities of HTML read'],
    ['an unclosed field', RSS.replace('is out</title>', 'is out'), 'unclosed tags closed'],
    ['an unclosed item', RSS.replace('</item>', ''), 'unclosed tags closed'],
    ['a cut-off end', RSS.slice(0, RSS.indexOf('Three people')), 'cut off: complete items kept'],
    ['a cut-off section', RSS.slice(0, RSS.indexOf('Meet the')), 'cut off: complete items kept'],
    ['cut-off JSON', `${JSON_FEED.slice(0, -2)},{"id":"k-2","title":"cu`, 'cut off: complete items kept'],
    ['JSON with raw line ends', JSON_FEED.replace('Quieter lids.', 'Quieter\nlids.'), 'control characters removed'],
    ['JSON behind a guard', `)]}',\n${JSON_FEED}`, 'leading junk skipped'],
  ];
  for (const [name, text, note] of broken) {
    it(name, () => {
      const { items, notes } = read(text);
      assert.deepEqual(notes, [note]);
      assert.equal(items[0]?.title, 'Kettle 2.4 is out');
      assert.equal(items[0]?.url, 'https://kettle.example/news/2-4');
    });
  }

  it('of a cut-off feed the incomplete item is left out', () => {
    assert.equal(read(RSS.slice(0, RSS.indexOf('Three people'))).items.length, 2);
  });

  it('nothing recovered is no feed', () => {
    const feed = parseFeed(RSS.slice(0, RSS.indexOf('Quieter')), OPTIONS);
    assert.deepEqual(feed, { ok: false, detail: 'cut off before the end of the first item' });
  });

  it('an entity that nobody knows is text', () => {
    assert.equal(first(RSS.replace('is out', '&zzz; is out')).title, 'Kettle 2.4 &zzz; is out');
  });

  it('entities of the document are not read, let alone loaded', () => {
    const declared = '<!DOCTYPE rss [<!ENTITY a "boo"><!ENTITY x SYSTEM "file:///etc/hostname">]>';
    const text = RSS.replace('<rss', `${declared}<rss`).replace('is out', 'is out &a;&x;');
    assert.equal(first(text).title, 'Kettle 2.4 is out &a;&x;');
  });

  it('odd encodings', () => {
    const latin = RSS.replace('UTF-8', 'ISO-8859-1').replace('is out', 'c\xe9 est');
    assert.equal(read(Buffer.from(latin, 'latin1')).items[0]?.title, 'Kettle 2.4 cé est');
    assert.equal(read(Buffer.from(RSS.replace('is out', 'c\xe9'), 'latin1')).items[0]?.title, 'Kettle 2.4 cé');
    assert.equal(read(Buffer.from(`\ufeff${RSS}`, 'utf16le')).items.length, 3);
  });
});

describe('the set of items', () => {
  it('has at most 500, the newest by date', () => {
    const day = (index: number) => new Date(Date.UTC(2020, 0, index)).toUTCString();
    const item = (index: number) => `<item><title>n${index}</title><pubDate>${day(index)}</pubDate></item>`;
    const items = Array.from({ length: 700 }, (_, index) => item(index + 1)).join('');
    const titles = read(`<rss><channel><item><title>undated</title></item>${items}</channel></rss>`).items.map(
      ({ title }) => title,
    );
    assert.equal(titles.length, MAX_ITEMS);
    assert.equal(titles[0], 'n700');
    assert.equal(titles.at(-1), 'n201');
  });

  it('has one hash whatever its order and its build date', () => {
    const [a, b, c] = read(RSS).items as [Item, Item, Item];
    assert.equal(itemSetHash([a, b, c]), itemSetHash([c, a, b]));
    const rebuilt = RSS.replace('Sat, 01 Jun 2024', 'Sun, 02 Jun 2024');
    assert.equal(itemSetHash(read(rebuilt).items), itemSetHash(read(RSS).items));
    assert.notEqual(itemSetHash([a, b, { ...c, content: 'x' }]), itemSetHash([a, b, c]));
  });
});

describe('hostile feeds', () => {
  const after = (head: string, piece: string) => (size: number) => head + repeated(piece)(size);
  const texts: Record<string, (size: number) => string> = {
    'open items': after('<rss><channel>', '<item><title>a'),
    depth: after('<rss>', '<channel>'),
    'end tags': (size) => `<rss>${repeated('<a>')(size / 2)}${repeated('</b>')(size / 2)}`,
    sections: after('<rss><channel>', '<![CDATA['),
    comments: after('<rss><channel>', '<!--'),
    entities: after('<rss><channel>', '&a'),
    declarations: after('<rss>', '<!DOCTYPE a ['),
    json: after('{"version":"https://jsonfeed.org/version/1","items":', '['),
  };
  for (const [name, make] of Object.entries(texts)) {
    it(name, () => assertLinear((text) => parseFeed(text, OPTIONS), make));
  }
});
