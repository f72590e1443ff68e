import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INLINE_CHARS } from './documents.ts';
import { jsonReader, readJsonDocument } from './json.ts';
import { whereParsed } from './slow.fixture.ts';

const reading = jsonReader(new URL('./slow.fixture.ts', import.meta.url).href, whereParsed);
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a JSON document', () => {
  it('is parsed at once when it is small, and on a thread when it is large', async () => {
    const long = bytes(JSON.stringify({ name: 'b', junk: 'x'.repeat(MAX_INLINE_CHARS) }));
    assert.equal(await readJsonDocument(reading, bytes('{"name":"a"}'), { greeting: 'hi' }), 'hi a, main');
    assert.equal(await readJsonDocument(reading, long, { greeting: 'hi' }), 'hi b, thread');
  });

  it('is nothing when it is no JSON', async () => {
    for (const text of ['{', '{'.repeat(MAX_INLINE_CHARS + 1)]) {
      assert.equal(await readJsonDocument(reading, bytes(text), { greeting: 'hi' }), undefined);
    }
  });
});
