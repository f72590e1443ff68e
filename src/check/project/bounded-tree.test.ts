import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitsStars } from './bounded-tree.ts';

describe('stars in the name of a workspace', () => {
  const CASES: readonly [name: string, pattern: string, fits: boolean][] = [
    ['app', '*', true],
    ['app', 'app', true],
    ['app', 'a*p', true],
    ['ap', 'a*p', true],
    ['a', 'a*a', false],
    ['app-web', 'app-*', true],
    ['web-app', 'app-*', false],
    ['one-two-three', '*-two-*', true],
    ['one-three', '*-two-*', false],
    ['abab', 'ab*ab', true],
    ['abab', 'ab*bab', false],
    ['a.b', 'a?b', false],
    ['a+b', 'a+*', true],
  ];
  for (const [name, pattern, fits] of CASES) {
    it(`${pattern} ${fits ? 'fits' : 'does not fit'} ${name}`, () => assert.equal(fitsStars(name, pattern), fits));
  }

  it('ends at once for a pattern of many stars', () => {
    assert.equal(fitsStars('a'.repeat(250), `${'a*'.repeat(60)}b`), false);
  });
});
