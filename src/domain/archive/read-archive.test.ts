import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { entry, longName, packed, pax, tgz } from './archive.fixture.ts';
import { readArchive } from './read-archive.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');

// Small and large ones, a scope, deep folders, types, text in many languages.
const PACKAGES = [
  'zod',
  'hono',
  'yaml',
  'ms',
  'cheerio',
  'htmlparser2',
  'entities',
  'pino',
  'kysely',
  '@types/node',
  'tldts',
];

for (const name of PACKAGES) {
  test(`every file of ${name} comes out of its archive as it went in`, async () => {
    const files = filesOf(join(MODULES, name));
    const result = await readArchive(packed(files), { wanted: () => true });
    assert.ok(result.files, result.refusal?.text ?? '');
    assert.deepEqual([...result.files.keys()].sort(), Object.keys(files).sort());
    for (const [path, bytes] of result.files) assert.ok(Buffer.from(bytes).equals(files[path] ?? Buffer.of()), path);
  });
}

test('only what is wanted is kept, and the size is known before', async () => {
  const asked: [string, number][] = [];
  const wanted = (path: string, size: number) => {
    asked.push([path, size]);
    return path === 'CHANGELOG.md';
  };
  const result = await readArchive(packed({ 'package.json': '{}', 'CHANGELOG.md': '# 1.0.0', 'lib/a.js': '' }), {
    wanted,
  });
  assert.deepEqual(asked, [
    ['package.json', 2],
    ['CHANGELOG.md', 7],
    ['lib/a.js', 0],
  ]);
  assert.deepEqual([...(result.files?.keys() ?? [])], ['CHANGELOG.md']);
});

test('the top folder may have any name, and names may be long in all three ways', async () => {
  const folders = Array.from({ length: 12 }, (_, at) => `folder-${at}`).join('/');
  const result = await readArchive(
    tgz([
      pax({ comment: 'a commit' }, 'g'),
      entry({ name: 'thing-1.0/PKG-INFO', body: 'a' }),
      entry({ name: 'by-prefix.md', prefix: `thing-1.0/${folders}`, body: 'b' }),
      longName(`thing-1.0/${folders}/by-long-name.md`),
      entry({ name: 'cut', body: 'c', magic: 'ustar  \0' }),
      pax({ path: `thing-1.0/${folders}/by-récord.md`, mtime: '1.5' }),
      entry({ name: 'cut', body: 'd' }),
      entry({ name: 'thing-1.0/signed-é.md', body: 'e', checksum: 'signed' }),
      entry({ name: 'thing-1.0/old.md', body: 'f', type: '\0', magic: '\0\0\0\0\0\0\0\0' }),
      entry({ name: 'thing-1.0/binary.md', body: 'g', size: Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1) }),
    ]),
    { wanted: () => true },
  );
  assert.deepEqual(
    [...(result.files ?? [])].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
    [
      ['PKG-INFO', 'a'],
      [`${folders}/by-prefix.md`, 'b'],
      [`${folders}/by-long-name.md`, 'c'],
      [`${folders}/by-récord.md`, 'd'],
      ['signed-é.md', 'e'],
      ['old.md', 'f'],
      ['binary.md', 'g'],
    ],
  );
});

test('what the caller throws is not taken for a fault of the archive', async () => {
  const wanted = () => {
    throw new TypeError('no');
  };
  await assert.rejects(readArchive(packed({ a: 'a' }), { wanted }), TypeError);
});

function filesOf(folder: string): Record<string, Buffer> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
  );
}
