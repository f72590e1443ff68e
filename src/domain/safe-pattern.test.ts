import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePattern } from './safe-pattern.ts';

describe('compilePattern', () => {
  const accepted = ['^v\\d+', 'beta|alpha', '[a-z]+-\\d*', '(?:foo)+', 'a{2,3}', 'security \\(fix\\)', '(a|b)'];
  for (const source of accepted) it(`takes ${source}`, () => assert.equal(compilePattern(source).ok, true));

  const refused = ['', '(a+)+', '(a|b)*', '((a)*)+', '(?=x)', '(?<n>x)', '\\1', '(x', 'a'.repeat(201), '((a+)b)*'];
  for (const source of refused)
    it(`refuses ${source.slice(0, 20)}`, () => assert.equal(compilePattern(source).ok, false));
});
