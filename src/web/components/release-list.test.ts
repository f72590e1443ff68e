import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byDay } from './release-list.ts';

const item = (publishedAt: string | null, name: string) =>
  ({ publishedAt, product: { name }, source: { name } }) as unknown as Parameters<typeof byDay>[0][number];

test('releases are grouped by day, and runs of one product within it', () => {
  const days = byDay([
    item('2026-11-12T10:00:00Z', 'A'),
    item('2026-11-12T09:00:00Z', 'A'),
    item('2026-11-12T08:00:00Z', 'B'),
    item('2026-11-11T08:00:00Z', 'B'),
    item(null, 'B'),
  ]);
  assert.deepEqual(
    days.map(({ day, runs }) => [day, runs.map(({ name, items }) => `${name}${items.length}`)]),
    [
      ['2026-11-12', ['A2', 'B1']],
      ['2026-11-11', ['B1']],
      [null, ['B1']],
    ],
  );
});
