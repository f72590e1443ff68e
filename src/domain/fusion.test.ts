import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuseRanks, LEG_WEIGHTS, legDepth, type RankedHit } from './fusion.ts';

const leg = (weight: number, ...items: string[]): RankedHit<string>[] => items.map((item) => ({ item, weight }));
const later = (a: string, b: string) => (a < b ? 1 : -1);
const fuse = (...legs: RankedHit<string>[][]) => fuseRanks(legs, (item) => item, later).map(({ item }) => item);

describe('fuseRanks', () => {
  const cases: [string, RankedHit<string>[][], string[]][] = [
    ['one leg keeps its order', [leg(1, 'c', 'a', 'b')], ['c', 'a', 'b']],
    ['a hit of both legs comes first', [leg(1, 'a', 'b'), leg(1, 'c', 'b')], ['b', 'c', 'a']],
    ['equal scores: the later one', [leg(1, 'a'), leg(1, 'b')], ['b', 'a']],
    ['a light leg does not move the first of a heavy one', [leg(1, 'a', 'b'), leg(0.2, 'z', 'b')], ['b', 'a', 'z']],
    ['loose hits stand behind', [[...leg(1, 'a'), ...leg(0.3, 'b')], leg(1, 'c', 'd')], ['c', 'a', 'd', 'b']],
    ['nothing', [[], []], []],
  ];
  for (const [name, legs, order] of cases) it(name, () => assert.deepEqual(fuse(...legs), order));

  it('scores by rank', () => {
    const [first, second] = fuseRanks([leg(1, 'a', 'b'), leg(0.5, 'b')], (item) => item, later);
    assert.deepEqual(first, { item: 'b', score: 1 / 62 + 0.5 / 61 });
    assert.deepEqual(second, { item: 'a', score: 1 / 61 });
  });

  it('puts five releases of a named entity before whatever else the words and the meaning find', () => {
    const { lexical, vector, entity } = LEG_WEIGHTS.name;
    const others = ['x1', 'x2', 'x3'];
    const order = fuse(leg(lexical, ...others), leg(vector, ...others), leg(entity, 'e1', 'e2', 'e3', 'e4', 'e5'));
    assert.deepEqual(order.slice(0, 5).toSorted(), ['e1', 'e2', 'e3', 'e4', 'e5']);
  });
});

describe('legDepth', () => {
  const cases: [number, number, number][] = [
    [0, 1, 60],
    [0, 20, 60],
    [20, 20, 120],
    [0, 100, 300],
    [300, 100, 1200],
    [1000, 100, 1200],
  ];
  for (const [offset, limit, depth] of cases) {
    it(`${offset} + ${limit} → ${depth}`, () => assert.equal(legDepth({ offset, limit }), depth));
  }
});
