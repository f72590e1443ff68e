import assert from 'node:assert/strict';
import { it } from 'node:test';
import { usualGap } from './source-frame.ts';

it('says how far apart releases usually are', () => {
  const cases: [number, string][] = [
    [0, 'under an hour'],
    [0.04, '1 hour'],
    [0.5, '12 hours'],
    [0.99, '1 day'],
    [1, '1 day'],
    [3.458_333, '3.5 days'],
    [12.6, '13 days'],
    [1234.5, '1,235 days'],
  ];
  for (const [days, words] of cases) assert.equal(usualGap(days), words);
});
