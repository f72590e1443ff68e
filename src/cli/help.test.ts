import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './help.ts';

describe('nearest command', () => {
  const names = ['serve', 'web', 'worker', 'migrate', 'generate', 'help'];
  const cases: [typed: string, meant: string | null][] = [
    ['serv', 'serve'],
    ['sevre', 'serve'],
    ['wrker', 'worker'],
    ['mig', 'migrate'],
    ['migration', 'migrate'],
    ['wb', 'web'],
    ['wbe', 'web'],
    ['deploy', null],
    ['x', null],
  ];
  for (const [typed, meant] of cases) {
    it(`${typed} → ${meant}`, () => {
      assert.equal(nearest(typed, names), meant);
    });
  }
});
