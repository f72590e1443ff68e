import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayHeading, exact, lasting, longDate, relative, upcoming } from './time.ts';

const NOW = Date.parse('2026-11-15T16:00:30Z');

describe('a time', () => {
  const table: [string, string][] = [
    ['2026-11-15T16:00:00Z', 'just now'],
    ['2026-11-15T15:54:00Z', '6 min ago'],
    ['2026-11-15T00:00:00Z', '16 h ago'],
    ['2026-11-13T15:32:26Z', '2 d ago'],
    ['2026-10-02T09:00:00Z', '44 d ago'],
    ['2026-06-02T06:01:08Z', '5 mo ago'],
    ['2023-01-01T00:00:00Z', '3 y ago'],
    ['2026-11-15T20:00:30Z', 'in 4 h'],
  ];
  for (const [iso, words] of table) {
    it(`${iso} is ${words}`, () => assert.equal(relative(iso, NOW), words));
  }

  it('has an exact form and a long one', () => {
    assert.equal(exact('2026-11-05T07:05:30Z'), '5 Nov 2026, 07:05');
    assert.equal(longDate('2026-11-13T11:40:59Z'), '13 November 2026');
  });

  it('lasts for hours and days', () => {
    assert.equal(lasting('2026-11-09T08:00:00Z', NOW), '6 days');
    assert.equal(lasting('2026-11-15T14:00:00Z', NOW), '2 hours');
    assert.equal(lasting('2026-11-15T15:50:00Z', NOW), 'less than an hour');
  });

  it('heads a day with its weekday, and names the two newest', () => {
    assert.deepEqual(dayHeading('2026-11-15', NOW), { date: '15 Nov', name: 'Today' });
    assert.deepEqual(dayHeading('2026-11-14', NOW), { date: '14 Nov', name: 'Yesterday' });
    assert.deepEqual(dayHeading('2026-11-13', NOW), { date: '13 Nov', name: 'Friday' });
    assert.deepEqual(dayHeading('2025-12-31', NOW), { date: '31 Dec 2025', name: 'Wednesday' });
  });
});

describe('a check to come', () => {
  it('is due once its time has passed', () => {
    const now = Date.parse('2026-11-12T10:00:00Z');
    assert.match(String(upcoming('2026-11-12T08:00:00Z', now)), />due</);
    assert.match(String(upcoming('2026-11-12T12:00:00Z', now)), />in 2 h</);
    assert.equal(String(upcoming(null, now)), '–');
  });
});
