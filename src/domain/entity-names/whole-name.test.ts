import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWholeName } from './tiers.ts';

describe('isWholeName', () => {
  const cases: [name: string, text: string, whole: boolean][] = [
    ['Node.js', 'node', true],
    ['Node.js', 'node.js', true],
    ['vue', 'Vue.js', true],
    ['node-fetch', 'node', false],
    ['eslint-plugin-react', 'eslint', false],
    ['', '', false],
  ];
  for (const [name, text, whole] of cases) {
    it(`${text} of ${name}: ${whole}`, () => assert.equal(isWholeName(name, text), whole));
  }
});
