import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from './health.ts';

const NOW = Date.parse('2026-11-12T12:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

test('a source is up to date only while its next check comes', () => {
  const source = (checked: number, next: number | null) => ({
    fetchState: { state: 'ok' as const, since: null, outcome: null, nextCheckAt: next === null ? null : at(next) },
    lastPolledAt: at(checked),
    lastFetchedAt: null,
  });
  const cases: [checked: number, next: number | null, health: string, words: RegExp][] = [
    [-2, 4, 'ok', /^Up to date, checked 2 h/],
    [-8, -1, 'ok', /^Up to date/],
    [-2, null, 'ok', /^Up to date/],
    [-24, -12, 'stale', /^Checked .*, the next check is overdue$/],
    [-20 * 24, -12, 'stale', /^Not checked for/],
  ];
  for (const [checked, next, health, words] of cases) {
    const found = healthOf(source(checked, next) as never, NOW);
    assert.equal(found.health, health, `${checked} ${next}`);
    assert.match(found.words, words);
  }
});
