import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tidyBody } from './body-input.ts';

const tidied = (body: unknown, dropNulls = false) => tidyBody(body, { dropNulls });

describe('texts of a body', () => {
  const cases: [given: unknown, expected: unknown][] = [
    [{ name: '  a b\n' }, { name: 'a b' }],
    [{ tags: [' a', 'b '] }, { tags: ['a', 'b'] }],
    [{ content: ' a\r\nb\rc\u0007\t ' }, { content: ' a\nb\nc\t ' }],
    [{ notes: ' x ' }, { notes: ' x ' }],
    [{ summary: ' a\r\nb ' }, { summary: 'a\nb' }],
    [{ description: '\u0000a' }, { description: 'a' }],
    [
      { message: ' a ', migrationNotes: ' b\r' },
      { message: 'a', migrationNotes: 'b' },
    ],
    [{ metadata: ' {"a": "\u0001"} ' }, { metadata: ' {"a": "\u0001"} ' }],
    [{ metadata: { name: ' x\u0001 ', a: null } }, { metadata: { name: ' x\u0001 ', a: null } }],
    [{ rows: [{ content: ' x ' }] }, { rows: [{ content: ' x ' }] }],
    [{ title: 'v\u202e0.1\u202c \u2066x\u2069' }, { title: 'v0.1 x' }],
    [7, 7],
  ];
  for (const [given, expected] of cases) {
    it(`${JSON.stringify(given)} becomes ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(tidied(given), { value: expected, issues: [] });
    });
  }

  it('refuses control characters in short texts', () => {
    const { issues } = tidied({ name: 'a\tb', rows: [{ title: 'x\u009f' }] });
    assert.deepEqual(
      issues.map(({ path }) => path),
      ['name', 'rows.0.title'],
    );
  });

  it('drops nulls of objects, not of lists', () => {
    assert.deepEqual(tidied({ a: null, b: { c: null }, d: [null] }, true).value, { b: {}, d: [null] });
  });

  it('keeps __proto__ an ordinary key', () => {
    const { value } = tidied(JSON.parse('{"__proto__": {"admin": true}}'));
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
    assert.equal((value as { admin?: boolean }).admin, undefined);
  });
});
