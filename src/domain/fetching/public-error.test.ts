import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publicError } from './public-error.ts';

const TABLE: [given: string, shown: string][] = [
  ['gone: HTTP 410', 'gone: HTTP 410'],
  ['unreachable: https://a.example/feed?key=1#x reset', 'unreachable: https://a.example/feed reset'],
  ['blocked: GET https://joe:pw@a.example/feed', 'blocked: GET https://a.example/feed'],
  ['error: /path?x=1 and (https://b.example/?y=2)', 'error: /path and (https://b.example/)'],
  ['blocked: Authorization: Bearer abcdef123456', 'blocked: Authorization: …'],
  ['error: sent bearer abcdef123456 to host', 'error: sent bearer … to host'],
  ['error: api_key=abc, retry', 'error: api_key=…, retry'],
  ['error: {"access_token": "abc"}', 'error: {"access_token=…"}'],
  ['error: ghp_0123456789abcdef refused', 'error: … refused'],
  ['malformed: is this a feed? no', 'malformed: is this a feed? no'],
];

for (const [given, shown] of TABLE) {
  it(given, () => {
    assert.equal(publicError(given), shown);
  });
}

it('cuts at 200 characters and passes null through', () => {
  assert.equal(publicError(`error: ${'x'.repeat(1000)}`)?.length, 200);
  assert.equal(publicError(null), null);
});

it('comes to an end on hostile text', () => {
  for (const unit of ['?', 'a://', 'token', 'api_key', '-', 'a@']) {
    assert.ok((publicError(unit.repeat(100_000))?.length ?? 0) <= 200);
  }
});
