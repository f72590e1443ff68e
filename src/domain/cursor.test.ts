import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeFeedCursor, decodeListCursor, encodeCursor } from './cursor.ts';
import { feedVersionOf, versionSort } from './versions/index.ts';

const AT = '2024-01-15T10:00:00.000Z';
const ID = 'rel_0123456789ABCDEFGHIJa';

const timestamp = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const versionKey = fc
  .stringMatching(/^v\d{1,3}(?:\.\d{1,9}){0,40}(?:-[a-z\u00e9]{1,80}\.\d)?$/)
  .map((version) => feedVersionOf(versionSort(version)));
const id = fc.stringMatching(/^(?:rel|dlv|evt)_[0-9A-Za-z]{21}$/);

function pack(value: unknown): string {
  return packText(JSON.stringify(value));
}

function packText(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64url');
}

// The last character of a text of 3n + 1 bytes holds four unused bits; here they are not zero.
function strayBits(key: readonly string[]): string {
  let text = JSON.stringify({ v: 1, k: key });
  while (text.length % 3 !== 1) text += ' ';
  const packed = packText(text);
  return packed.slice(0, -1) + String.fromCharCode(packed.charCodeAt(packed.length - 1) + 1);
}

describe('cursors', () => {
  it('come back from a feed key as they went in', () => {
    fc.assert(
      fc.property(fc.option(timestamp), versionKey, id, (orderTime, version, rowId) => {
        const text = encodeCursor([orderTime, version, rowId]);

        assert.deepEqual(decodeFeedCursor(text), [orderTime, version, rowId]);
        assert.equal(decodeListCursor(text), null);
      }),
    );
  });

  it('come back from a list key as they went in', () => {
    fc.assert(
      fc.property(timestamp, id, (createdAt, rowId) => {
        const text = encodeCursor([createdAt, rowId]);

        assert.deepEqual(decodeListCursor(text), [createdAt, rowId]);
        assert.equal(decodeFeedCursor(text), null);
      }),
    );
  });

  it('are base64url without padding of the documented text', () => {
    assert.equal(
      Buffer.from(encodeCursor([null, 'A0A12', ID]), 'base64url').toString(),
      `{"v":1,"k":[null,"A0A12","${ID}"]}`,
    );
    assert.match(encodeCursor([AT, ID]), /^[A-Za-z0-9_-]+$/);
  });

  it('from the time when feeds were ordered by fetch date begin before all versions of their time', () => {
    assert.deepEqual(decodeFeedCursor(encodeCursor([AT, AT, ID])), [AT, '~', ID]);
  });

  it('never throw, whatever the text', () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.json().map(packText), fc.uint8Array().map(packText));
    fc.assert(
      fc.property(text, (broken) => {
        assert.equal(decodeFeedCursor(broken), null);
        assert.equal(decodeListCursor(broken), null);
      }),
    );
  });
});

describe('a broken feed cursor', () => {
  const valid = encodeCursor([AT, AT, ID]);
  const cases: [string, string][] = [
    ['empty', ''],
    ['blank', ' '],
    ['plain text', 'next'],
    ['a page number', '2'],
    ['padded', `${packText(`{"v":1,"k":["${AT}","${AT}","${ID}"]} `)}=`],
    ['white space around', ` ${valid}`],
    ['line feed behind', `${valid}\n`],
    ['cut by one character', valid.slice(0, -1)],
    ['a character too many', `${valid}A`],
    ['standard alphabet', 'ab+/'],
    ['stray bits in the last character', strayBits([AT, AT, ID])],
    ['not UTF-8', packText(Uint8Array.of(0x7b, 0xff, 0x7d))],
    ['byte order mark', packText(`\ufeff{"v":1,"k":["${AT}","${AT}","${ID}"]}`)],
    ['not JSON', packText('{"v":1,"k":[')],
    ['JSON null', pack(null)],
    ['JSON array', pack([AT, AT, ID])],
    ['JSON string', pack('x')],
    ['no version', pack({ k: [AT, AT, ID] })],
    ['another version', pack({ v: 2, k: [AT, AT, ID] })],
    ['version as text', pack({ v: '1', k: [AT, AT, ID] })],
    ['no key', pack({ v: 1 })],
    ['key as object', pack({ v: 1, k: { 0: AT, 1: AT, 2: ID, length: 3 } })],
    ['empty key', pack({ v: 1, k: [] })],
    ['short key', pack({ v: 1, k: [AT, ID] })],
    ['long key', pack({ v: 1, k: [AT, AT, ID, ID] })],
    ['number as date', pack({ v: 1, k: [1705312800000, AT, ID] })],
    ['a word as version', pack({ v: 1, k: [AT, 'newest', ID] })],
    ['a version as its text', pack({ v: 1, k: [AT, '1.2.3', ID] })],
    ['null as version', pack({ v: 1, k: [AT, null, ID] })],
    ['null as id', pack({ v: 1, k: [AT, AT, null] })],
    ['number as id', pack({ v: 1, k: [AT, AT, 7] })],
    ['nested id', pack({ v: 1, k: [AT, AT, [ID]] })],
    ['empty id', pack({ v: 1, k: [AT, AT, ''] })],
    ['NUL in the id', pack({ v: 1, k: [AT, AT, 'rel_\u0000'] })],
    ['a word as date', pack({ v: 1, k: ['now', AT, ID] })],
    ['date without milliseconds', pack({ v: 1, k: ['2024-01-15T10:00:00Z', AT, ID] })],
    ['too long', pack({ v: 1, k: [AT, AT, ID], pad: 'x'.repeat(400) })],
  ];
  for (const [name, text] of cases) {
    it(`${name} is null`, () => assert.equal(decodeFeedCursor(text), null));
  }
});

describe('a broken list cursor', () => {
  const cases: [string, string][] = [
    ['null as date', pack({ v: 1, k: [null, ID] })],
    ['null as id', pack({ v: 1, k: [AT, null] })],
    ['feed key', pack({ v: 1, k: [AT, AT, ID] })],
    ['another version', pack({ v: 0, k: [AT, ID] })],
    ['too long', pack({ v: 1, k: [AT, ID], pad: 'x'.repeat(400) })],
  ];
  for (const [name, text] of cases) {
    it(`${name} is null`, () => assert.equal(decodeListCursor(text), null));
  }
});

it('accepts 512 characters and refuses more', () => {
  const padded = (size: number) => pack({ v: 1, k: [AT, ID], pad: 'x'.repeat(size) });
  const size = Array.from({ length: 400 }, (_, i) => i).findLast((n) => padded(n).length <= 512) ?? 0;

  assert.deepEqual(decodeListCursor(padded(size)), [AT, ID]);
  assert.equal(decodeListCursor(padded(size + 1)), null);
});
