import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { entry, longName, pax, paxRecord, tar, tgz } from './archive.fixture.ts';
import type { ArchiveLimits } from './limits.ts';
import { type ArchiveResult, readArchive } from './read-archive.ts';

const README = entry({ name: 'package/README.md', body: 'hello' });
const ZEROS = new Uint8Array(512);
const MB = 1_000_000;

type Case = [kind: string, bytes: () => Uint8Array, expected: string | Record<string, string>, Partial<ArchiveLimits>?];

// A word is the reason of the refusal; an object is everything that may be read.
const ONLY_README = { 'README.md': 'hello' };

const CASES: readonly Case[] = [
  // Not an archive
  ['no bytes at all', () => new Uint8Array(0), 'not_gzip'],
  ['one byte of gzip', () => Uint8Array.of(0x1f), 'not_gzip'],
  ['a zip file', () => new TextEncoder().encode('PK\x03\x04 and so on'), 'not_gzip'],
  [
    'a web page instead of a package',
    () => new TextEncoder().encode('<!doctype html><title>Sign in</title>'),
    'not_gzip',
  ],
  ['a tar archive without gzip', () => tar([README]), 'not_gzip'],
  ['a gzip header alone', () => gzipSync('').subarray(0, 10), 'truncated'],
  ['gzip of nothing', () => gzipSync(''), 'empty'],
  ['gzip of text', () => gzipSync('hello '.repeat(200)), 'damaged'],
  ['gzip of less than a block of text', () => gzipSync('hello'), 'truncated'],
  ['gzip of noise', () => gzipSync(randomBytes(5000)), 'damaged'],
  ['gzip inside gzip', () => gzipSync(tgz([README])), 'truncated'],
  ['gzip with an unknown method', () => changed(tgz([README]), 2, 9), 'damaged'],
  ['gzip with reserved flags', () => changed(tgz([README]), 3, 0xe0), 'damaged'],
  ['nothing but empty blocks', () => gzipSync(new Uint8Array(2048)), 'empty'],

  // Damaged and cut off
  ['cut off inside the compressed bytes', () => tgz([noise(5000)]).subarray(0, 2000), 'truncated'],
  ['without the checksum at the end', () => tgz([README]).subarray(0, -8), 'truncated'],
  ['a wrong checksum of the bytes', () => changed(tgz([README]), -8, 1), 'damaged'],
  ['a wrong length of the bytes', () => changed(tgz([README]), -4, 1), 'damaged'],
  ['a damaged stream', () => changed(tgz([noise(5000)]), 12, 0xff), 'damaged'],
  ['cut off inside a file', () => gzipSync(tar([noise(5000)]).subarray(0, 3000)), 'truncated'],
  ['cut off inside the padding', () => gzipSync(tar([README]).subarray(0, 600)), 'truncated'],
  ['cut off inside a header', () => gzipSync(tar([README, README]).subarray(0, 1024 + 100)), 'truncated'],
  ['cut off inside a long name', () => gzipSync(longName('package/a').subarray(0, 600)), 'truncated'],
  ['a wrong checksum of the first entry', () => tgz([entry({ name: 'package/a', checksum: 1 })]), 'damaged'],
  ['a wrong checksum of a later entry', () => tgz([README, entry({ name: 'package/a', checksum: 1 })]), 'damaged'],
  ['a checksum that is no number', () => tgz([entry({ name: 'package/a', checksum: 'eight888' })]), 'damaged'],
  ['a size that is no number', () => tgz([entry({ name: 'package/a', size: '12345678901z' })]), 'damaged'],
  ['a size with a sign', () => tgz([entry({ name: 'package/a', size: '-0000000001\0' })]), 'damaged'],
  ['a negative binary size', () => tgz([entry({ name: 'package/a', size: binary(0xff, 0xff) })]), 'damaged'],
  [
    'a binary size beyond all numbers',
    () => tgz([entry({ name: 'package/a', size: binary(0x80, 0xff) })]),
    'too_large',
  ],
  ['a size of 8 GB with no bytes behind it', () => tgz([entry({ name: 'package/a', size: 8 ** 11 - 1 })]), 'too_large'],
  ['a size larger than what follows', () => tgz([entry({ name: 'package/a', size: 100_000 })]), 'truncated'],
  [
    'a size smaller than what follows',
    () => tgz([entry({ name: 'package/a', body: 'x'.repeat(900), size: 1 })]),
    'damaged',
  ],

  // Bombs
  ['300 kB of zeros in a file', () => tgz([entry({ name: 'package/a', body: new Uint8Array(300_000) })]), 'ratio'],
  [
    'a bomb in a file that nobody wants',
    () => tgz([entry({ name: 'package/x.bin', body: new Uint8Array(5 * MB) })]),
    'ratio',
  ],
  ['a bomb behind the end', () => tgz([README], new Uint8Array(20 * MB)), 'ratio'],
  ['a bomb in a second gzip member', () => joined(tgz([README]), gzipSync(new Uint8Array(20 * MB))), 'ratio'],
  [
    'a bomb in a folder',
    () => tgz([entry({ name: 'package/a/', type: '5', size: 5 * MB }), new Uint8Array(5 * MB)]),
    'ratio',
  ],
  ['more than may be unpacked', () => tgz([noise(400_000)]), 'too_large', { unpacked: 300_000 }],
  ['more than may be downloaded', () => tgz([noise(400_000)]), 'too_large', { packed: 300_000 }],
  ['more than may be kept', () => tgz([noise(400_000)]), 'too_large', { kept: 300_000 }],
  ['more than may be kept in small files', () => tgz(many(100, () => noise(1000))), 'too_large', { kept: 50_000 }],
  [
    'too many files',
    () => tgz(many(60, (at) => entry({ name: `package/${at}` }))),
    'too_many_entries',
    { entries: 50 },
  ],
  [
    'too many folders',
    () => tgz(many(60, (at) => entry({ name: `p/${at}/`, type: '5' }))),
    'too_many_entries',
    { entries: 50 },
  ],
  [
    '50,001 entries',
    () => {
      const thousand = gzipSync(joined(...many(1000, (at) => entry({ name: `package/${at}` }))));
      return joined(...many(50, () => thousand), tgz([README]));
    },
    'too_many_entries',
  ],
  [
    'long names one after the other',
    () => tgz(many(60, () => longName('package/a'))),
    'too_many_entries',
    { entries: 50 },
  ],
  ['100,000 empty gzip members', () => new Uint8Array(Buffer.alloc(2 * MB, gzipSync(''))), 'empty'],

  // Names without end
  ['a long name of 2 MB', () => tgz([longName(hex(1 * MB)), README]), 'header_too_large'],
  ['a long name that says 5 GB', () => tgz([entry({ name: 'l', type: 'L', size: 5 * 1024 ** 3 })]), 'too_large'],
  [
    'a long link name of 2 MB',
    () => tgz([entry({ name: 'l', type: 'K', body: hex(1 * MB) }), README]),
    'header_too_large',
  ],
  ['an extended header of 2 MB', () => tgz([pax({ comment: hex(1 * MB) }), README]), 'header_too_large'],
  ['extended attributes for all entries of 2 MB', () => tgz([pax({ comment: hex(1 * MB) }, 'g')]), 'header_too_large'],
  ['a long name of 5,000 letters', () => tgz([longName(`package/${hex(2500)}`), README]), 'name_too_long'],
  ['an extended name of 5,000 letters', () => tgz([pax({ path: `package/${hex(2500)}` }), README]), 'name_too_long'],

  // Extended headers that lie
  ['a record longer than its header', () => extended('99 path=package/a\n'), 'damaged'],
  ['a record without a length', () => extended('path=package/a\n'), 'damaged'],
  ['a record of length 0', () => extended('0 path=package/a\n'), 'damaged'],
  ['a record with a negative length', () => extended('-9 path=a\n'), 'damaged'],
  ['a record without an equals sign', () => extended('10 path a\n'), 'damaged'],
  ['a record without a line end', () => extended('10 path=ab'), 'damaged'],
  ['a size that is no number in a record', () => extended(paxRecord(['size', 'all'])), 'damaged'],
  [
    'two paths in the records of one entry',
    () => extended(paxRecord(['path', 'package/a']) + paxRecord(['path', 'package/b'])),
    'damaged',
  ],
  ['a negative size in a record', () => extended(paxRecord(['size', '-5'])), 'damaged'],
  ['a size of 900 TB in a record', () => extended(paxRecord(['size', '900000000000000'])), 'too_large'],
  ['a size for all entries', () => tgz([pax({ size: '0' }, 'g'), README]), 'damaged'],
  ['a name for all entries', () => tgz([pax({ path: 'package/CHANGELOG.md' }, 'g'), README]), 'damaged'],
  ['a sparse file of GNU', () => tgz([entry({ name: 'package/a', type: 'S', body: 'x' })]), 'sparse'],
  ['a sparse file by record', () => extended(paxRecord(['GNU.sparse.major', '1'])), 'sparse'],
  ['a sparse file by real size', () => extended(paxRecord(['GNU.sparse.realsize', '999999999999'])), 'sparse'],

  // Paths that leave the archive
  ['a path to the parent', () => tgz([entry({ name: 'package/../../etc/passwd', body: 'x' }), README]), ONLY_README],
  ['a parent as the first step', () => tgz([entry({ name: '../README.md', body: 'x' }), README]), ONLY_README],
  ['a parent at the end', () => tgz([entry({ name: 'package/lib/..', body: 'x' }), README]), ONLY_README],
  ['an absolute path', () => tgz([entry({ name: '/package/a', body: 'x' }), README]), ONLY_README],
  ['a path of a drive', () => tgz([entry({ name: 'C:/package/a', body: 'x' }), README]), ONLY_README],
  ['a path with backslashes', () => tgz([entry({ name: 'package\\..\\a', body: 'x' }), README]), ONLY_README],
  [
    'a path to the parent by prefix',
    () => tgz([entry({ name: 'a', prefix: 'package/..', body: 'x' }), README]),
    ONLY_README,
  ],
  [
    'a path to the parent by a long name',
    () => tgz([longName('package/../a'), entry({ name: 'a', body: 'x' }), README]),
    ONLY_README,
  ],
  [
    'a path to the parent by a record',
    () => tgz([pax({ path: '../a/b' }), entry({ name: 'p/a', body: 'x' }), README]),
    ONLY_README,
  ],
  [
    'an empty byte inside of a recorded path',
    () => tgz([pax({ path: 'package/a\0.md' }), entry({ name: 'a', body: 'x' }), README]),
    ONLY_README,
  ],
  ['an empty name', () => tgz([entry({ name: '', body: 'x' }), README]), ONLY_README],
  ['a name of dots and slashes', () => tgz([entry({ name: './/./', body: 'x' }), README]), ONLY_README],
  ['a file beside the top folder', () => tgz([entry({ name: 'README.md', body: 'x' }), README]), ONLY_README],
  [
    'a name that every object has',
    () => tgz([entry({ name: 'package/__proto__', body: 'x' })]),
    { ['__proto__']: 'x' },
  ],

  // Entries that are no files
  ['a symbolic link', () => tgz([entry({ name: 'package/a', type: '2', link: '/etc/passwd' }), README]), ONLY_README],
  ['a hard link', () => tgz([entry({ name: 'package/a', type: '1', link: '../../a' }), README]), ONLY_README],
  ['a link with bytes', () => tgz([entry({ name: 'package/a', type: '2', body: 'x' }), README]), ONLY_README],
  [
    'a file below a link',
    () => tgz([entry({ name: 'package/l', type: '2', link: '/' }), entry({ name: 'package/l/a', body: 'x' })]),
    { 'l/a': 'x' },
  ],
  [
    'a link that takes the place of a file',
    () => tgz([README, entry({ name: 'package/README.md', type: '2', link: '/x' })]),
    ONLY_README,
  ],
  [
    'devices and pipes',
    () => tgz(['3', '4', '6'].map((type) => entry({ name: 'package/a', type })).concat(README)),
    ONLY_README,
  ],
  [
    'kinds that nobody knows',
    () => tgz(['M', 'V', 'D', 'Z'].map((type) => entry({ name: 'package/a', type, body: 'x' })).concat(README)),
    ONLY_README,
  ],
  [
    'a folder with the size of its contents',
    () => tgz([entry({ name: 'package/', type: '5', size: 4096 }), README]),
    ONLY_README,
  ],
  ['a folder in the old form', () => tgz([entry({ name: 'package/lib/', type: '\0' }), README]), ONLY_README],

  // The same thing twice
  ['two files of one path', () => tgz([entry({ name: 'package/README.md', body: 'first' }), README]), ONLY_README],
  [
    'one path under two top folders',
    () => tgz([entry({ name: 'other/README.md', body: 'first' }), README]),
    ONLY_README,
  ],
  [
    'one path written in two ways',
    () => tgz([entry({ name: './package//README.md', body: 'first' }), README]),
    ONLY_README,
  ],
  [
    'a file twice that may be kept once',
    () => tgz([entry({ name: 'package/README.md', body: 'first' }), README]),
    ONLY_README,
    { kept: 6 },
  ],
  [
    'two names for one entry',
    () => tgz([longName('package/a'), pax({ path: 'package/b' }), entry({ name: 'c', body: 'x' })]),
    { b: 'x' },
  ],
  ['a name without an entry', () => tgz([README, longName('package/a')]), ONLY_README],
  [
    'a file behind the end',
    () => tgz([README], joined(ZEROS, ZEROS, entry({ name: 'package/a', body: 'x' }))),
    ONLY_README,
  ],
  [
    'an empty block in the middle',
    () => tgz([entry({ name: 'package/a', body: 'x' }), ZEROS, README]),
    { a: 'x', ...ONLY_README },
  ],
  ['no empty blocks at the end', () => tgz([README], new Uint8Array(0)), ONLY_README],
  ['half of an empty block at the end', () => tgz([README], new Uint8Array(100)), ONLY_README],
  ['text behind the gzip stream', () => joined(tgz([README]), new TextEncoder().encode('and more')), 'damaged'],
];

for (const [kind, bytes, expected, limits] of CASES) {
  test(`hostile archive: ${kind}`, async () => {
    const result = await readArchive(bytes(), {
      wanted: (path) => !path.endsWith('.bin'),
      ...(limits ? { limits } : {}),
    });
    if (typeof expected === 'string') assert.equal(result.refusal?.reason, expected, said(result));
    else assert.deepEqual(textsOf(result), new Map(Object.entries(expected)), said(result));
  });
}

test('the table holds at least 60 kinds, each once', () => {
  assert.ok(CASES.length >= 60);
  assert.equal(new Set(CASES.map(([kind]) => kind)).size, CASES.length);
});

test('an archive with one byte changed is refused or read, and never throws', async () => {
  const whole = tar([longName('package/long'), entry({ name: 'x', body: 'long' }), pax({ path: 'package/b' }), README]);
  for (let at = 0; at < whole.length; at += 11) {
    const result = await readArchive(gzipSync(changed(whole, at, 0xff), { level: 1 }), { wanted: () => true });
    assert.ok(result.files || result.refusal);
  }
});

function textsOf(result: ArchiveResult): Map<string, string> {
  return new Map([...(result.files ?? [])].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}

function said(result: ArchiveResult): string {
  return result.refusal ? result.refusal.text : [...textsOf(result).keys()].join(', ');
}

function extended(records: string): Uint8Array {
  return tgz([entry({ name: 'PaxHeader', type: 'x', body: records }), README]);
}

function noise(size: number): Uint8Array {
  return entry({ name: `package/noise-${randomBytes(4).toString('hex')}`, body: randomBytes(size) });
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function binary(first: number, rest: number): Uint8Array {
  return new Uint8Array(12).fill(rest).fill(first, 0, 1);
}

function many(count: number, make: (at: number) => Uint8Array): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

// One byte made another one; counted from the end where the place is negative.
function changed(bytes: Uint8Array, place: number, value: number): Uint8Array {
  const copy = bytes.slice();
  const at = place < 0 ? copy.length + place : place;
  copy[at] = (copy[at] ?? 0) ^ value || value;
  return copy;
}
