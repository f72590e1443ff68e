import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ordererOf, priorityOf, volumeLeft } from './orders.ts';

describe('who may order comparisons', () => {
  const cases: [kind: string, ip: string, passive: boolean, payer: string | null | undefined][] = [
    ['anonymous', '192.0.2.1', false, 'evidence:ip:192.0.2.1'],
    ['anonymous', '2001:db8:1:2:3:4:5:6', false, 'evidence:ip:2001:db8:1:2::/64'],
    ['anonymous', '192.0.2.1', true, undefined],
    ['session', '192.0.2.1', false, null],
    ['user_key', '192.0.2.1', true, null],
    ['token', '192.0.2.1', false, null],
  ];
  for (const [kind, ip, passive, payer] of cases) {
    it(`${kind} ${ip}${passive ? ', for whom nobody waits' : ''}`, () => {
      assert.equal(ordererOf({ kind, ip, ...(passive ? { passive } : {}) })?.payer, payer);
    });
  }

  it('ranges come before what explains them, and both before what nobody asked for', () => {
    const ranks = (['range', 'major', 'located', 'ahead'] as const).map(priorityOf);
    assert.deepEqual(ranks, ranks.toSorted());
    assert.equal(new Set(ranks).size, 4);
  });
});

describe('the volume of a day', () => {
  const MB = 1_000_000;
  const cases: [daily: number, bytes: number, anonymous: number, left: [number, number]][] = [
    [2000, 0, 0, [2000, 1000]],
    [2000, 400, 400, [1600, 600]],
    [2000, 1000, 1000, [1000, 0]],
    [2000, 1900, 0, [100, 100]],
    [2000, 2500, 1100, [0, 0]],
    [0, 0, 0, [0, 0]],
  ];
  for (const [daily, bytes, anonymous, [all, without]] of cases) {
    it(`${bytes} of ${daily} MB used, ${anonymous} without a credential`, () => {
      const left = volumeLeft(daily, { bytes: bytes * MB, anonymousBytes: anonymous * MB });
      assert.deepEqual(left, { all: all * MB, anonymous: without * MB });
    });
  }
});
