import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tgz } from './archive.fixture.ts';
import type { ArchiveLimits } from './limits.ts';
import { readZip } from './read-zip.ts';
import { type ZipMember, zip } from './zip.fixture.ts';

const A: ZipMember = { name: 'lamp/a.py', body: 'x = 1\n' };
const ONLY_A = { 'lamp/a.py': 'x = 1\n' };

function read(bytes: Uint8Array, limits: Partial<ArchiveLimits> = {}): string | Record<string, string> {
  const { files, refusal } = readZip(bytes, { wanted: () => true, limits });
  if (refusal) return refusal.reason;
  return Object.fromEntries([...files].map(([path, content]) => [path, Buffer.from(content).toString()]));
}

const changed = (bytes: Uint8Array, at: number, value: number) => bytes.with(at < 0 ? bytes.length + at : at, value);

type Case = [kind: string, bytes: Uint8Array, expected: string | Record<string, string>, Partial<ArchiveLimits>?];

const CASES: readonly Case[] = [
  ['two files', zip([A, { name: 'b.txt' }]), { ...ONLY_A, 'b.txt': '' }],
  ['a comment behind the end', zip([A], { comment: 'made by hand' }), ONLY_A],
  ['no bytes', new Uint8Array(0), 'not_zip'],
  ['a gzipped archive', tgz([]), 'not_zip'],
  ['a web page', new TextEncoder().encode('<!doctype html><title>Sign in</title>'), 'not_zip'],
  ['no entries', changed(zip([]), 0, 0x50), 'empty'],
  ['cut off', zip([A]).subarray(0, 60), 'truncated'],
  ['something behind the end', new Uint8Array([...zip([A]), 1, 2, 3]), 'truncated'],
  ['fewer entries than it says', zip([A], { count: 2 }), 'damaged'],
  ['more entries than it says', zip([A, { name: 'b' }], { count: 1 }), 'damaged'],
  ['a damaged body', changed(zip([A]), 30 + 9 + 2, 0xff), 'damaged'],
  ['a wrong checksum', zip([{ ...A, listed: { checksum: 7 } }]), 'damaged'],
  ['a shorter body than it says', zip([{ ...A, listed: { size: 7 } }]), 'damaged'],
  ['a longer body than it says', zip([{ ...A, body: 'x'.repeat(5000), listed: { size: 10 } }]), 'damaged'],
  ['another name in the list', zip([{ ...A, listed: { name: 'lamp/b.py' } }]), 'damaged'],
  ['a file twice', zip([A, A]), 'damaged'],
  ['two entries over one body', zip([A, { ...A, name: 'lamp/b.py', listed: { at: 0 } }]), 'damaged'],
  ['an entry behind the archive', zip([{ ...A, listed: { at: 5000 } }]), 'damaged'],
  ['a body into the list', zip([{ ...A, listed: { packed: 500 } }]), 'damaged'],
  ['a password', zip([{ ...A, listed: { flags: 1 } }]), 'damaged'],
  ['an unknown way of packing', zip([{ ...A, listed: { method: 14 } }]), 'damaged'],
  ['a path out of it', zip([A, { name: '../../etc/passwd' }]), ONLY_A],
  ['an absolute path', zip([A, { name: '/etc/passwd' }]), ONLY_A],
  ['a path of another system', zip([A, { name: 'C:\\a.py' }, { name: 'lamp\\..\\b.py' }]), ONLY_A],
  ['a folder', zip([A, { name: 'lamp/' }]), ONLY_A],
  ['a link', zip([A, { name: 'lamp/b.py', body: '/etc/passwd', listed: { mode: 0o120777 } }]), ONLY_A],
  ['a name without an end', zip([A, { name: 'n'.repeat(5000) }]), 'name_too_long'],
  ['a bomb', zip([{ name: 'zeros', body: '0'.repeat(2_000_000) }]), 'ratio'],
  ['sizes beyond the limit', zip([A, { ...A, name: 'b', listed: { size: 300_000_000 } }]), 'too_large'],
  ['more to keep than the limit', zip([A]), 'too_large', { kept: 3 }],
  ['more bytes than the limit', zip([A]), 'too_large', { packed: 30 }],
  ['more entries than the limit', zip([A, { name: 'b' }]), 'too_many_entries', { entries: 1 }],
];

describe('zip archives', () => {
  for (const [kind, bytes, expected, limits] of CASES) it(kind, () => assert.deepEqual(read(bytes, limits), expected));

  it('never unpacks what is not wanted', () => {
    const bytes = zip([A, { name: 'b', body: 'x', listed: { checksum: 1 } }]);
    const { files } = readZip(bytes, { wanted: (path) => path === 'lamp/a.py' });
    assert.deepEqual([...(files ?? new Map()).keys()], ['lamp/a.py']);
  });
});
