import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announces, type InsertedRelease } from './announce.ts';

const fetched: InsertedRelease = {
  listed: true,
  silent: false,
  announce: false,
  writtenBy: 'fetch',
  firstFetch: false,
  ageDays: 1,
  undatedInRun: 0,
  identityLost: false,
};

describe('announces', () => {
  const table: [string, Partial<InsertedRelease>, boolean][] = [
    ['a fresh fetched release', {}, true],
    ['what is not listed, even when asked for', { listed: false, announce: true }, false],
    ['a silent operator row', { writtenBy: 'operator', silent: true }, false],
    ['an old operator row', { writtenBy: 'operator', ageDays: 900 }, true],
    ['a lookup', { writtenBy: 'lookup' }, false],
    ['an import that asks for it', { writtenBy: 'import', announce: true }, false],
    ['a first fetch', { firstFetch: true }, false],
    ['a first fetch that asks for it', { firstFetch: true, announce: true }, true],
    ['backfill', { writtenBy: 'backfill' }, false],
    ['31 days old', { ageDays: 31 }, false],
    ['30 days old', { ageDays: 30 }, true],
    ['the tenth undated row', { ageDays: null, undatedInRun: 10 }, true],
    ['eleven undated rows', { ageDays: null, undatedInRun: 11 }, false],
    ['a dated row among eleven undated ones', { undatedInRun: 11 }, true],
    ['a run that lost identities', { identityLost: true }, false],
  ];
  for (const [name, more, expected] of table) {
    it(`${name}: ${expected}`, () => assert.equal(announces({ ...fetched, ...more }), expected));
  }
});
