import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Ecosystem, normalizePackageName } from './published-package.ts';

const cases: [Ecosystem, string, string][] = [
  ['npm', '@Scope/Pkg_Name.js', '@scope/pkg_name.js'],
  ['npm', ' React ', 'react'],
  ['pypi', 'Zope.Interface', 'zope-interface'],
  ['pypi', 'typing__-.extensions', 'typing-extensions'],
];

describe('normalizePackageName', () => {
  for (const [ecosystem, name, expected] of cases) {
    it(`${ecosystem} ${name} → ${expected}`, () => assert.equal(normalizePackageName(ecosystem, name), expected));
  }
});
