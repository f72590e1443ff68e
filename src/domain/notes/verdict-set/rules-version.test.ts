import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { RULES_VERSION } from '../rules-version.ts';
import { deriveLabelled, readLabelledReleases } from './labelled-releases.fixture.ts';

// What the rules of this version make of the labelled releases: everything that is derived and stored.
const DERIVED = { version: 15, digest: '1d50f861303330c9' };

it('the version of the rules is raised when they derive something else', () => {
  const derived = readLabelledReleases().map(deriveLabelled);
  const digest = createHash('sha256').update(JSON.stringify(derived)).digest('hex').slice(0, 16);
  assert.deepEqual(
    { version: RULES_VERSION, digest },
    DERIVED,
    'Raise RULES_VERSION, so that stored releases are derived anew, then note the version and the digest here.',
  );
});
