import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { ArchiveRefused } from './refusal.ts';
import { zipped } from './zip-entries.fixture.ts';
import { zipEntries } from './zip-entries.ts';

const LIMITS = { entries: 100, entryBytes: 10_000, unpacked: 50_000 };
const read = (archive: Buffer, limits = LIMITS) =>
  [...zipEntries(archive, (path) => path.endsWith('.json'), limits)].map(({ path, bytes }) => [
    path,
    bytes === null ? null : Buffer.from(bytes).toString(),
  ]);

describe('the entries of a zip archive', () => {
  it('are read as they are packed, and only those that are wanted', () => {
    const members = [
      { name: 'a.json', body: '{}' },
      { name: 'folder/', body: '' },
      { name: 'folder/b.json', body: '[1]', method: 0 },
      { name: 'c.txt', body: 'no' },
      { name: 'empty.json', body: '' },
    ];
    const expected = [
      ['a.json', '{}'],
      ['folder/b.json', '[1]'],
      ['empty.json', ''],
    ];
    for (const isLong of [false, true]) assert.deepEqual(read(zipped(members, { isLong })), expected);
  });

  const UNREAD = [
    ['a size that is too large', { size: 10_001 }],
    ['a size that is not the true one', { size: 1 }],
    ['another sum', { sum: 1 }],
    ['a code word', { flags: 1 }],
    ['another way of packing', { method: 12 }],
    ['a place outside of the archive', { place: 4_000_000_000 }],
    ['a place inside of another entry', { place: 3 }],
  ] as const;
  for (const [says, said] of UNREAD) {
    it(`with ${says} are not read, and the others are`, () => {
      const archive = zipped([
        { name: 'a.json', body: '{"a":1}', ...said },
        { name: 'b.json', body: '{}' },
      ]);
      assert.deepEqual(read(archive), [
        ['a.json', null],
        ['b.json', '{}'],
      ]);
    });
  }

  it('that unpack to more than their limit are not kept in memory', () => {
    const archive = zipped([{ name: 'a.json', body: 'a'.repeat(5_000_000), size: 5_000 }]);
    assert.deepEqual(read(archive), [['a.json', null]]);
  });

  const big = { name: 'a.json', body: 'a'.repeat(9_000) };
  const REFUSED: readonly [string, Buffer, string][] = [
    ['is empty', Buffer.alloc(0), 'truncated'],
    ['is no zip', Buffer.from('x'.repeat(100_000)), 'truncated'],
    ['is cut off', zipped([big]).subarray(0, 50), 'truncated'],
    ['says to have more entries than it has', zipped([big], { count: 50 }), 'damaged'],
    ['has too many entries', zipped([big], { count: 101 }), 'too_many_entries'],
    ['has too many entries by its long end', zipped([big], { count: 2 ** 40, isLong: true }), 'too_many_entries'],
    ['unpacks to too much', zipped(Array.from({ length: 6 }, () => big)), 'too_large'],
  ];
  for (const [says, archive, reason] of REFUSED) {
    it(`of an archive that ${says} are refused`, () => {
      assert.throws(
        () => read(archive),
        (error) => error instanceof ArchiveRefused && error.refusal.reason === reason,
      );
    });
  }
});
