import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ecosystemOfListing, listingFault, listingOf } from './listing-records.ts';

const LATEST = '2026-01-01T00:00:00.000Z';
const record = { id: 'npm:lamp', ecosystem: 'npm', name: 'lamp', spelling: 'lamp' };

describe('records of listings', () => {
  it('are of the ecosystem that they name', () => {
    assert.equal(listingFault(record, LATEST), null);
    assert.equal(listingOf(record).ecosystem, 'npm');
  });

  it('of an unknown ecosystem are refused, and never of npm', () => {
    for (const ecosystem of ['cargo', 'NPM', '', null, undefined]) {
      const strange = { ...record, ecosystem };
      assert.equal(listingFault(strange, LATEST), 'ecosystem is not known');
      assert.throws(() => listingOf(strange), /no ecosystem is called/);
      assert.throws(() => ecosystemOfListing(strange), /no ecosystem is called/);
    }
  });
});
