import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fuseRanks,
  leastCosine,
  type MatchedBy,
  type MatchSource,
  type RankedHit,
  RETRIEVER_WEIGHTS,
} from './fusion.ts';

const list = (weight: number, ...items: string[]): RankedHit<string>[] => items.map((item) => ({ item, weight }));
const later = (a: string, b: string) => (a < b ? 1 : -1);
const byWords = (hits: RankedHit<string>[]) => ({ source: 'words' as const, hits });
const fuse = (...lists: RankedHit<string>[][]) =>
  fuseRanks(lists.map(byWords), (item) => item, later).map(({ item }) => item);

describe('fuseRanks', () => {
  const cases: [string, RankedHit<string>[][], string[]][] = [
    ['one list keeps its order', [list(1, 'c', 'a', 'b')], ['c', 'a', 'b']],
    ['a hit of both lists comes first', [list(1, 'a', 'b'), list(1, 'c', 'b')], ['b', 'c', 'a']],
    ['equal scores: the later one', [list(1, 'a'), list(1, 'b')], ['b', 'a']],
    ['a light list does not move the first of a heavy one', [list(1, 'a', 'b'), list(0.2, 'z', 'b')], ['b', 'a', 'z']],
    ['loose hits stand behind', [[...list(1, 'a'), ...list(0.3, 'b')], list(1, 'c', 'd')], ['c', 'a', 'd', 'b']],
    ['nothing', [[], []], []],
  ];
  for (const [name, lists, order] of cases) it(name, () => assert.deepEqual(fuse(...lists), order));

  it('scores by rank', () => {
    const lists = [list(1, 'a', 'b'), list(0.5, 'b')].map(byWords);
    const [first, second] = fuseRanks(lists, (item) => item, later);
    assert.deepEqual(first, { item: 'b', score: 1 / 62 + 0.5 / 61, matchedBy: 'words' });
    assert.deepEqual(second, { item: 'a', score: 1 / 61, matchedBy: 'words' });
  });

  const matches: [MatchSource[], MatchedBy][] = [
    [['words'], 'words'],
    [['meaning'], 'meaning'],
    [['name'], 'name'],
    [['words', 'meaning'], 'both'],
    [['meaning', 'words'], 'both'],
    [['words', 'name'], 'words'],
    [['name', 'meaning'], 'meaning'],
    [['name', 'words', 'meaning'], 'both'],
    [['words', 'words'], 'words'],
  ];
  for (const [sources, expected] of matches) {
    it(`found by ${sources.join(' and ')}: ${expected}`, () => {
      const lists = sources.map((source) => ({ source, hits: list(1, 'a') }));
      assert.equal(fuseRanks(lists, (item) => item, later)[0]?.matchedBy, expected);
    });
  }

  it('puts five releases of a named entity before whatever else the words and the meaning find', () => {
    const { lexical, vector, entity } = RETRIEVER_WEIGHTS.name;
    const others = ['x1', 'x2', 'x3'];
    const order = fuse(list(lexical, ...others), list(vector, ...others), list(entity, 'e1', 'e2', 'e3', 'e4', 'e5'));
    assert.deepEqual(order.slice(0, 5).toSorted(), ['e1', 'e2', 'e3', 'e4', 'e5']);
  });
});

describe('leastCosine', () => {
  const cases: [all: number, unknown: number, identifierMissing: boolean, least: number][] = [
    [3, 0, false, 0.15],
    [3, 2, false, 0.15],
    [3, 3, false, 0.55],
    [1, 1, false, 0.55],
    [3, 1, true, 0.55],
    [1, 1, true, 0.55],
    [0, 0, false, 0.15],
  ];
  for (const [all, unknown, identifierMissing, least] of cases) {
    it(`${unknown} of ${all} words unknown, name missing ${identifierMissing}: ${least}`, () => {
      assert.equal(leastCosine({ words: { all, unknown }, identifierMissing }), least);
    });
  }
});
