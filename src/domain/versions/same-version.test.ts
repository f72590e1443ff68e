import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameVersion } from './same-version.ts';

describe('isSameVersion', () => {
  const cases: [stored: string, typed: string, same: boolean][] = [
    ['1.2.0', '1.2.0', true],
    ['v1.2.0', '1.2.0', true],
    ['1.2.0', 'V1.2.0', true],
    ['@acme/core@1.2.0', '1.2.0', true],
    ['@acme/core@v1.2.0', '1.2.0', true],
    ['@acme/core@1.2.0', '@acme/core@1.2.0', true],
    ['@acme/core@1.2.0', '@acme/cli@1.2.0', false],
    ['1.2.0', '@acme/core@1.2.0', false],
    ['1.2.0', '1.2', false],
    ['11.2.0', '1.2.0', false],
    ['Falcon', 'falcon', true],
  ];
  for (const [stored, typed, same] of cases) {
    it(`${stored}, ${typed}: ${same}`, () => assert.equal(isSameVersion(stored, typed), same));
  }
});
