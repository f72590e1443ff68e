import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pick } from '../domain/records.ts';

it('picks the named fields in the order of their names, undefined ones too', () => {
  const picked = pick({ a: 1, b: 2, c: undefined, d: 4 }, 'd', 'c', 'a');

  assert.deepEqual(Object.keys(picked), ['d', 'c', 'a']);
  assert.deepEqual(picked, { d: 4, c: undefined, a: 1 });
});
