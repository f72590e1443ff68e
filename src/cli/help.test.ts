import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './help.ts';

describe('nearest command', () => {
  const names = ['serve', 'web', 'worker', 'migrate', 'generate', 'help'];
  const cases: [typed: string, suggestion: string | null][] = [
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
  for (const [typed, suggestion] of cases) {
    it(`${typed} → ${suggestion}`, () => {
      assert.equal(nearest(typed, names), suggestion);
    });
  }
});
