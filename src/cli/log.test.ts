import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from './log.ts';

describe('log', () => {
  const token = `relk_${'a'.repeat(12)}_${'b'.repeat(32)}`;
  const cases: [name: string, facts: object][] = [
    [
      'a header of a request',
      { req: { headers: { authorization: 'Bearer opaque-root-key', cookie: 'session=opaque' } } },
    ],
    ['headers at the top', { headers: { 'set-cookie': 'session=opaque' } }],
    [
      'a credential inside any text',
      { err: new Error(`bad value ${token}`), url: `/feed/relf_${'c'.repeat(12)}_opaque` },
    ],
    ['a signed token', { said: `got eyJhbGciOiJFZERTQSJ9.${'b'.repeat(40)}.${'c'.repeat(40)}` }],
    ['a Bearer value', { said: `Authorization: Bearer ${'b'.repeat(32)}` }],
    ['a session cookie', { said: `registry.session_token=${'b'.repeat(32)}.sig; Path=/` }],
    ['an operator cookie', { said: `registry_operator=${'b'.repeat(43)}` }],
    ['a signing key', { said: `whsec_${'b'.repeat(44)}` }],
    ['a chat hook', { url: 'https://hooks.slack.com/services/T00/B00/bbbbbbbb' }],
    [
      'a workflow',
      { url: 'https://prod-1.x.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=bbbbbbbb' },
    ],
    ['a chat space', { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=bbbbbbbb' }],
    ['another chat hook', { url: 'https://discord.com/api/webhooks/123/bbbbbbbb' }],
  ];
  for (const [name, facts] of cases) {
    it(`holds no secret of ${name}`, () => {
      const lines: string[] = [];

      createLog('info', (line) => lines.push(line)).info(facts, 'request failed');

      assert.equal(lines.length, 1);
      assert.doesNotMatch(lines[0] ?? '', /opaque|bbbb|cccc/);
      assert.match(lines[0] ?? '', /redacted/i);
    });
  }

  it('keeps ids of releases and sources', () => {
    const lines: string[] = [];

    createLog('info', (line) => lines.push(line)).info({ id: `rel_${'a'.repeat(21)}` }, 'release written');

    assert.match(lines[0] ?? '', /rel_a{21}/);
  });
});
