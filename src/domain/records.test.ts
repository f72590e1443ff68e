import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementAt, errorCode, errorMessage, isRecord, keysOf, withoutUndefined } from './records.ts';

describe('records', () => {
  it('lists keys, and leaves out what is undefined but not what is null', () => {
    assert.deepEqual(keysOf({ a: 1, b: undefined }), ['a', 'b']);
    assert.deepEqual(withoutUndefined({ a: 0, b: undefined, c: null }), { a: 0, c: null });
  });

  it('reads a position that is there, and refuses every other one', () => {
    assert.equal(elementAt(['x', 'y'], 1), 'y');
    for (const index of [-1, 2]) assert.throws(() => elementAt(['x', 'y'], index), RangeError);
  });

  for (const [value, expected] of [
    [{}, true],
    [[], true],
    [null, false],
    ['text', false],
    [undefined, false],
  ] as const) {
    it(`${JSON.stringify(value) ?? 'undefined'} is ${expected ? 'a' : 'no'} record`, () =>
      assert.equal(isRecord(value), expected));
  }

  it('finds code and message of an error, and neither in what is none', () => {
    assert.equal(errorCode(Object.assign(new Error('gone'), { code: 'ENOENT' })), 'ENOENT');
    assert.equal(errorMessage(new Error('gone')), 'gone');
    assert.deepEqual([errorCode('text'), errorMessage(null), errorMessage({ message: 4 })], [undefined, '', '']);
  });
});
