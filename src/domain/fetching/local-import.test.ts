import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFetchedFromElsewhere } from './local-import.ts';

const AT = '2024-01-01T00:00:00.000Z';
const made = {
  lastPolledAt: null,
  lastFetchedAt: null,
  isPaused: true,
  isUnlisted: false,
  hasOnlyChangelogReleases: true,
};

describe('a source belongs to its address and not to a local import', () => {
  const cases: [string, Partial<typeof made> | Record<string, unknown>, boolean][] = [
    ['one that an import has left paused', {}, false],
    ['one that an operator has made and left paused', { hasOnlyChangelogReleases: false }, false],
    ['one that an import has made due, before its first fetch', { isPaused: false }, false],
    [
      'one that an operator has made, before its first fetch',
      { isPaused: false, hasOnlyChangelogReleases: false },
      true,
    ],
    ['one that was asked without success', { lastPolledAt: AT }, true],
    ['one that was fetched', { lastPolledAt: AT, lastFetchedAt: AT }, true],
    ['one that was fetched and paused since', { lastFetchedAt: AT, isPaused: true }, true],
    ['one that a lookup holds', { isUnlisted: true }, true],
  ];
  for (const [name, given, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.equal(isFetchedFromElsewhere({ ...made, ...given }), expected));
  }
});
