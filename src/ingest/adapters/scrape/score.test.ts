import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DateReading } from '../../../domain/dates/index.ts';
import { pageHash } from './body-hash.ts';
import { entry, type PageEntry } from './entry.ts';
import { entryAddress } from './page-items.ts';
import { scoreEntries } from './score.ts';

const DATE: DateReading = { at: '2024-05-20T00:00:00.000Z', precision: 'day' };
const LONG = 'x'.repeat(40);

describe('the score of a reading', () => {
  const full = () => entry({ title: 'T', content: LONG, date: DATE, letters: 50 });
  const cases: [name: string, entries: PageEntry[], options: { least?: number }, score: number][] = [
    ['all of everything', [full(), full()], {}, 1],
    ['half of the page', [full(), { ...full(), letters: 0 }], {}, 0.85],
    ['no dates', [full(), full()].map((one) => ({ ...one, date: null })), {}, 0.6],
    ['a version for a date', [full(), full()].map((one) => ({ ...one, date: null, version: '1.0' })), {}, 1],
    ['no bodies', [full(), full()].map((one) => ({ ...one, content: 'x'.repeat(39) })), {}, 0.7],
    [
      'bodies that wait on pages of their own',
      [full(), full()].map((one) => ({ ...one, content: '', awaitsBody: true })),
      {},
      1,
    ],
    ['one entry', [full()], {}, 0],
    ['one entry on a page that is one', [full()], { least: 1 }, 0.85],
    ['nothing', [], { least: 1 }, 0],
  ];
  for (const [name, entries, options, score] of cases) {
    it(`${name}: ${score}`, () => assert.equal(scoreEntries({ mainLetters: 100 }, entries, options), score));
  }
});

describe('the address of an entry', () => {
  const page = 'https://acme.test/changelog';
  const cases: [name: string, stated: Partial<PageEntry>, address: string][] = [
    ['its own link', { link: 'https://www.acme.test/changelog/x' }, 'https://www.acme.test/changelog/x'],
    ['a place on the page', { link: `${page}#x` }, `${page}#x`],
    ['a link elsewhere', { link: 'https://other.test/x', elementId: 'e' }, `${page}#e`],
    ['a link to the page itself', { link: `${page}/`, elementId: 'e' }, `${page}#e`],
    ['only a version', { version: '1.2.0' }, `${page}#1-2-0`],
    ['only a title', {}, `${page}#a-title`],
  ];
  for (const [name, stated, address] of cases) {
    it(name, () => assert.equal(entryAddress(page, entry({ title: 'A title', ...stated })), address));
  }
});

describe('the hash of a page', () => {
  const base = '<body><h2 id="a">One</h2><time datetime="2024-05-20T10:00:00Z">May 20</time><p>Text</p></body>';
  const hash = pageHash(base);
  const same: [name: string, html: string][] = [
    ['a script', base.replace('<p>', '<script nonce="1">x()</script><p>')],
    ['a style', base.replace('<p>', '<style>p{}</style><p>')],
    ['a comment', base.replace('<p>', '<!-- 1 --><p>')],
    ['a token in a form', base.replace('<p>', '<input type="hidden" name="csrf" value="1"><p>')],
    ['a class', base.replace('<p>', '<p class="css-1x2y3z">')],
  ];
  for (const [name, html] of same) it(`does not see ${name}`, () => assert.equal(pageHash(html), hash));

  it('does not see the time of day', () => {
    const at = (time: string) => pageHash(base.replace('Text', `Text ${time}`));

    assert.equal(at('2024-06-01T12:00:00Z'), at('2024-06-01T12:00:01Z'));
    assert.equal(at('3 minutes ago'), at('4 minutes ago'));
    assert.equal(at('1717243200'), at('1717243201'));
  });

  const other: [name: string, html: string][] = [
    ['a word', base.replace('Text', 'Texts')],
    ['a date', base.replace('2024-05-20', '2024-05-21')],
    ['a day in words', base.replace('May 20', 'May 21')],
    ['state that holds the text', base.replace('<p>', '<script type="application/json">{"a":1}</script><p>')],
  ];
  for (const [name, html] of other) it(`sees ${name}`, () => assert.notEqual(pageHash(html), hash));
});
