import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealInTurns } from './turns.ts';

const dealt = (list: string, most: number) => dealInTurns([...list], most, (letter) => letter.toLowerCase()).join('');

test('nobody has more than a turn before the others had theirs', () => {
  const cases: [list: string, most: number, order: string][] = [
    ['aaaaab', 3, 'aaabaa'],
    ['aAaAbBaab', 2, 'aAbBaAbaa'],
    ['abcabc', 3, 'abcabc'],
    ['aaaa', 3, 'aaaa'],
    ['', 3, ''],
  ];
  for (const [list, most, order] of cases) assert.equal(dealt(list, most), order);
});
