import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { integrityHolds } from './integrity.ts';

const BYTES = new TextEncoder().encode('an archive');

function hashOf(kind: string, text = 'an archive'): string {
  return `${kind}-${createHash(kind).update(text).digest('base64')}`;
}

test('an archive is the listed one when its hash is', async () => {
  for (const kind of ['sha512', 'sha384', 'sha256', 'sha1']) {
    assert.equal(await integrityHolds(BYTES, hashOf(kind)), true);
    assert.equal(await integrityHolds(BYTES, hashOf(kind, 'another archive')), false);
  }
});

test('one of several hashes of the strongest kind is enough, and a weak one beside it proves nothing', async () => {
  const wrong = hashOf('sha512', 'another archive');
  assert.equal(await integrityHolds(BYTES, `${wrong} ${hashOf('sha512')}?with=options`), true);
  assert.equal(await integrityHolds(BYTES, `${hashOf('sha1')} ${wrong}`), false);
});

test('what cannot be checked does not hold', async () => {
  for (const listed of [null, '', 'md5-AAAA', 'sha512', 'sha512-', hashOf('sha512').toUpperCase()]) {
    assert.equal(await integrityHolds(BYTES, listed), false);
  }
});
