import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRevokedApp } from './apps.ts';
import { REMEMBERED_SECONDS } from './grants.ts';

const REVOKED_AT = Date.parse('2026-03-01T12:00:00.000Z');
const until = new Date(REVOKED_AT + REMEMBERED_SECONDS * 1000).toISOString();

const CASES: [when: string, noted: string | null, issuedAt: number, revoked: boolean][] = [
  ['of an app that nobody revoked', null, REVOKED_AT / 1000, false],
  ['issued long before', until, REVOKED_AT / 1000 - 3500, true],
  ['issued in the same second', until, REVOKED_AT / 1000, true],
  ['of a later grant', until, REVOKED_AT / 1000 + 1, false],
];

for (const [when, noted, issuedAt, revoked] of CASES) {
  test(`a token ${when} ${revoked ? 'ends with' : 'outlives'} the access of its app`, () => {
    assert.equal(isRevokedApp(noted, issuedAt), revoked);
  });
}
