import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { MAX_RECORD_BYTES, readRecordText } from './record-text.ts';

const record = (more: object = {}) => ({
  id: 'INV-1',
  affected: [{ package: { ecosystem: 'npm', name: 'lamp' }, versions: ['1.0.0'] }],
  ...more,
});
const read = (text: string) => readRecordText(Buffer.from(text));
const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('the text of an advisory', () => {
  it('is read up to 64 levels, and what looks like a level inside of a string is none', () => {
    assert.notEqual(read(JSON.stringify(record({ details: `\\"${'[{'.repeat(500)}` }))), null);
    assert.notEqual(read(JSON.stringify(record({ extra: nested(63) }))), null);
    assert.equal(read(JSON.stringify(record({ extra: nested(64) }))), null);
    assert.equal(read('['.repeat(900_000)), null);
  });

  it('is read up to a megabyte', () => {
    const padding = 'x'.repeat(MAX_RECORD_BYTES);
    assert.equal(read(JSON.stringify(record({ padding }))), null);
    assert.notEqual(read(JSON.stringify(record({ padding: padding.slice(1_000) }))), null);
  });

  for (const text of ['', '{', 'null', '[]', '"text"', '{"id":1}', '\u0000']) {
    it(`${JSON.stringify(text)} is no record`, () => assert.equal(read(text), null));
  }
});
