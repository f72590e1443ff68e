import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowedGain, busyDay } from './flood.ts';

describe('busyDay', () => {
  const rows: [string, number[], number][] = [
    ['no release', [], 0],
    ['two days are no habit', [200, 200], 0],
    ['single releases', [1, 1, 1, 2, 1], 2],
    ['a monorepo that publishes all packages at once', [40, 38, 1, 41, 2, 40], 41],
    ['one odd day of many', [...Array.from({ length: 19 }, () => 2), 400], 2],
  ];
  for (const [name, days, expected] of rows) it(name, () => assert.equal(busyDay(days), expected));
});

describe('allowedGain', () => {
  const rows: [string, Parameters<typeof allowedGain>[0], number][] = [
    ['a first time', { isFirstTime: true, busyDay: 0, days: 0 }, 500],
    ['a source of single releases', { isFirstTime: false, busyDay: 1, days: 0.2 }, 51],
    ['a source of many packages', { isFirstTime: false, busyDay: 80, days: 1 }, 130],
    ['after a week without a check', { isFirstTime: false, busyDay: 1, days: 7.5 }, 357],
    ['after a year without a check', { isFirstTime: false, busyDay: 1, days: 365 }, 500],
    ['a habit above all others', { isFirstTime: false, busyDay: 700, days: 3 }, 750],
  ];
  for (const [name, habit, expected] of rows) it(name, () => assert.equal(allowedGain(habit), expected));
});
