import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDigest } from './is-digest.ts';

describe('the summary of a period says more than its list', () => {
  const summary = (releases: number, changes: number) => ({
    releaseCount: releases,
    summary: `${releases} releases: 1.0.0 to 2.0.0. ${Array.from({ length: changes }, (_, n) => `Added ${n} (1.${n}.0)`).join('; ')}.`,
  });
  for (const [name, given, expected] of [
    ['one change a release', summary(4, 4), false],
    ['hardly more', summary(4, 5), false],
    ['two changes a release', summary(4, 8), true],
    ['many releases', summary(6, 5), true],
    ['no release', { releaseCount: 0, summary: 'Never checked for new releases.' }, false],
    ['a count alone', { releaseCount: 1, summary: '1 release: 1.0.0.' }, false],
    ['words of its own', { releaseCount: 1, summary: 'A quiet month with one fix.' }, true],
  ] as const) {
    it(`${name}: ${expected}`, () => assert.equal(isDigest(given), expected));
  }
});
