import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countFitting, entryCost, evenShares } from './budget.ts';

describe('entryCost', () => {
  const cases: [number, number][] = [
    [0, 64],
    [256, 64],
    [257, 65],
    [4000, 1000],
  ];
  for (const [length, cost] of cases) {
    it(`${length} characters`, () => {
      const quarter = 'x'.repeat(Math.floor(length / 4));
      const rest = 'x'.repeat(length - 3 * quarter.length);
      assert.equal(entryCost({ title: rest, summary: quarter, excerpt: quarter, migrationNotes: quarter }), cost);
    });
  }
});

describe('countKept', () => {
  const entries = (text: string) => text.split(' ').map((key) => ({ key: key.charAt(0), cost: Number(key.slice(1)) }));
  const cases: [string, string, number, number, number][] = [
    ['all', 'c100 b100 a100', 300, 300, 3],
    ['the newest', 'c100 b100 a100', 299, 300, 2],
    ['always one', 'c900 b100', 500, 300, 1],
    ['not past one that does not fit', 'c100 b900 a100', 500, 300, 1],
    ['equal places together', 'c100 b100 b100 a100', 250, 300, 1],
    ['the newest place in parts', 'c100 c100 c100 b100', 250, 300, 2],
    ['and at least its first', 'c900 c900', 500, 300, 1],
    ['no more than the most', 'd1 c1 b1 a1', 500, 3, 3],
    ['in the newest place too', 'c1 c1 c1 b1', 500, 2, 2],
  ];
  for (const [name, text, budget, most, kept] of cases) {
    it(name, () => assert.equal(countFitting(entries(text), budget, most), kept));
  }
  it('nothing of nothing', () => assert.equal(countFitting([], 500), 0));
});

describe('evenShares', () => {
  const cases: [number[], number, number[]][] = [
    [[100, 100], 40, [20, 20]],
    [[5, 100], 40, [20, 35]],
    [[100, 5, 100], 41, [18, 13, 18]],
    [[1, 2, 3], 100, [33, 49, 97]],
    [[], 10, []],
    [[0, 0], 10, [5, 10]],
  ];
  for (const [needs, budget, shares] of cases) {
    it(JSON.stringify(needs), () => assert.deepEqual(evenShares(needs, budget), shares));
  }

  it('gives nobody less than an even share, and all together no more than there is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }), fc.nat(5000), (needs, budget) => {
        const shares = evenShares(needs, budget);
        const used = shares.reduce((sum, share, index) => sum + Math.min(share, needs[index] ?? 0), 0);
        assert.ok(used <= budget);
        assert.ok(shares.every((share) => share >= Math.floor(budget / needs.length)));
        const isStarved = shares.some((share, index) => share < (needs[index] ?? 0));
        if (isStarved) assert.ok(budget - used < needs.length);
      }),
    );
  });
});
