import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakCost, countBesideBreaks, firstStep } from './budget.ts';

describe('firstStep', () => {
  const cases: [notes: string | null, step: string | null][] = [
    [null, null],
    ['', null],
    ['- Use `fresh()` instead.\n- Set `mode`.', '- Use `fresh()` instead.'],
    ['\n\n  Run the codemod.  \n', 'Run the codemod.'],
    ['### Migration\n\n1. Rename `a` to `b`', '1. Rename `a` to `b`'],
    ['```sh\nnpx codemod\n```', 'npx codemod'],
    ['### Only a heading', null],
    ['#42 is gone', '#42 is gone'],
  ];
  for (const [notes, step] of cases) it(JSON.stringify(notes), () => assert.equal(firstStep(notes), step));

  it('is never longer than 300 characters', () => assert.equal(firstStep('x'.repeat(5000))?.length, 300));
});

describe('breakCost', () => {
  it('is a quarter of the characters, and at least 16', () => {
    assert.equal(breakCost({ title: 'Two', step: null }), 16);
    assert.equal(breakCost({ title: 'x'.repeat(100), step: 'y'.repeat(100) }), 50);
  });
});

describe('countBesideBreaks', () => {
  const entry = (id: string, cost = 100) => ({ id, key: id, cost });
  const newestFirst = ['e', 'd', 'c', 'b', 'a'].map((id) => entry(id));

  const cases: [string, Map<string, number>, budget: number, count: number][] = [
    ['no breaks', new Map(), 300, 3],
    ['a break that is left out is paid for first', new Map([['a', 20]]), 300, 2],
    ['a break that is included costs nothing more', new Map([['e', 20]]), 300, 3],
    ['all fit', new Map([['a', 20]]), 500, 5],
    [
      'the newest always stays',
      new Map([
        ['a', 20],
        ['b', 20],
      ]),
      10,
      1,
    ],
  ];
  for (const [name, breaks, budget, count] of cases) {
    it(name, () => assert.equal(countBesideBreaks(newestFirst, breaks, budget), count));
  }
});
