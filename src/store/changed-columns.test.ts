import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changedColumns } from './changed-columns.ts';

it('gives what differs from the row: null counts, undefined does not', () => {
  const row: { name: string; url: string | null; count: number } = { name: 'a', url: 'b', count: 1 };

  assert.deepEqual(changedColumns(row, { name: 'a', url: null, count: 2 }), { url: null, count: 2 });
  assert.deepEqual(changedColumns(row, { name: undefined, url: 'b' }), {});
});
