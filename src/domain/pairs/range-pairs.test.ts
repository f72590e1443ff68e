import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ComparedPair, intervalOf, MAX_COMPARISONS, majorOf, nextToLocate, pairsOfRange } from './range-pairs.ts';

describe('pairs of a range', () => {
  const cases: [what: string, versions: string, expected: string][] = [
    ['nothing between', '1.0.0', ''],
    ['one step', '1.0.0 1.1.0', 'range 0-1'],
    ['one major step', '1.9.0 2.0.0', 'range 0-1'],
    ['within a major version', '1.0.0 1.1.0 1.2.0', 'range 0-2'],
    ['major steps', '1.0.0 1.1.0 2.0.0 2.1.0 3.0.0', 'range 0-4, major 1-2, major 3-4'],
    ['a version with a letter', 'v1.0.0 v1.1.0 v2.0.0', 'range 0-2, major 1-2'],
    [
      'more major steps than are compared',
      Array.from({ length: 12 }, (_, at) => `${at + 1}.0.0`).join(' '),
      'range 0-11, major 4-5, major 5-6, major 6-7, major 7-8, major 8-9, major 9-10, major 10-11',
    ],
  ];
  for (const [what, versions, expected] of cases) {
    it(what, () => {
      const pairs = pairsOfRange(versions.split(' ').map((version) => ({ major: majorOf(version) })));
      assert.equal(pairs.map(({ rank, from, to }) => `${rank} ${from}-${to}`).join(', '), expected);
      assert.ok(pairs.length <= MAX_COMPARISONS);
    });
  }
});

describe('where a finding appeared', () => {
  const pair = (text: string): ComparedPair => {
    const [from = '', to = '', found = '', cut = ''] = text.split(/[- ]/);
    const findings = found === '?' ? null : new Set(found.split('').filter((one) => one !== '.'));
    return { from: Number(from), to: Number(to), findings, isCut: cut === 'cut' };
  };
  const cases: [what: string, count: number, compared: string, next: string | null][] = [
    ['nothing compared yet', 9, '', null],
    ['no finding', 9, '0-8 .', null],
    ['one step is located already', 2, '0-1 a', null],
    ['the lower half first', 9, '0-8 a', '0-4'],
    ['found in the lower half', 9, '0-8 a,0-4 a', '0-2'],
    ['not in the lower half', 9, '0-8 a,0-4 .', '4-6'],
    ['a half that lacks it and left findings out says nothing', 9, '0-8 a,0-4 b cut', '4-8'],
    ['a major step explains it', 9, '0-8 a,5-6 a', null],
    ['a major step at the end that lacks it', 9, '0-8 a,7-8 .', '0-3'],
    ['two findings in two places, the fuller one first', 9, '0-8 abc,0-4 a', '4-6'],
    ['a half that could not be compared', 9, '0-8 a,0-4 ?', '4-8'],
    ['both halves could not be compared', 9, '0-8 a,0-4 ?,4-8 ?', null],
    ['eight comparisons are enough', 99, '0-98 a,0-1 .,1-2 .,2-3 .,3-4 .,4-5 .,5-6 .,6-7 .', null],
  ];
  for (const [what, count, compared, next] of cases) {
    it(what, () => {
      const pairs = compared === '' ? [] : compared.split(',').map(pair);
      const found = nextToLocate(count, pairs);
      assert.equal(found && `${found.from}-${found.to}`, next);
    });
  }

  it('halving ends at the version that brought it', () => {
    for (let broken = 1; broken <= 40; broken += 1) {
      const compared: ComparedPair[] = [];
      let next: { from: number; to: number } | null = { from: 0, to: 40 };
      while (next !== null) {
        const isIn = next.from < broken && broken <= next.to;
        compared.push({ ...next, findings: new Set(isIn ? ['a'] : []), isCut: false });
        next = nextToLocate(41, compared);
      }
      assert.deepEqual(intervalOf('a', 41, compared), { from: broken - 1, to: broken });
      assert.ok(compared.length <= MAX_COMPARISONS);
    }
  });
});
