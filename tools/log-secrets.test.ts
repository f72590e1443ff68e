import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSecrets } from './log-secrets.ts';

describe('secrets in logs', () => {
  const secret: [kind: string, line: string][] = [
    ['machine token', `{"msg":"x","url":"/a?t=relk_${'a'.repeat(12)}_${'b'.repeat(32)}"}`],
    ['user key', `relu_${'a'.repeat(64)}`],
    ['feed token', `GET /v1/feed/relf_${'a'.repeat(12)}_${'b'.repeat(32)}.atom`],
    ['refresh token', `relo_${'a'.repeat(32)}`],
    ['client secret', `reloc_${'a'.repeat(32)}`],
    ['signing key', 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
    ['signed token', 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ'],
    ['Bearer value', '"said":"authorization: bearer 0123456789abcdef"'],
    ['Authorization header', '{"headers":{"authorization":"Basic dXNlcjpwYXNz"}}'],
    ['Cookie header', '{"req":{"headers":{"cookie":"a=b"}}}'],
    ['Cookie header', '{"headers":{"set-cookie":["a=b; Path=/"]}}'],
    ['session cookie', 'registry.session_token=abcdefgh.ijk; Path=/'],
    ['operator cookie', `registry_operator=${'a'.repeat(43)}`],
    ['chat hook', 'https://hooks.slack.com/services/T000/B000/abc'],
    ['chat hook (Teams)', 'https://x.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=a'],
    ['chat hook (Google Chat)', 'https://chat.googleapis.com/v1/spaces/A/messages?key=k'],
    ['chat hook (Discord)', 'https://discord.com/api/webhooks/123/abc'],
    ['root key', 'test-root-key-0123456789-0123456789-abcdef'],
  ];
  for (const [kind, line] of secret) {
    it(`finds a ${kind}: ${line.slice(0, 40)}`, () => {
      const found = findSecrets(`{"msg":"fine"}\n${line}\n`);
      assert.ok(
        found.some((finding) => finding.kind === kind && finding.line === 2),
        JSON.stringify(found),
      );
    });
  }

  it('finds nothing where nothing is', () => {
    const lines = [
      '{"level":30,"msg":"release written","id":"rel_aaaaaaaaaaaaaaaaaaaaa"}',
      '{"headers":{"authorization":"[Redacted]","cookie":"[Redacted]"}}',
      '{"msg":"the cookie and the Bearer value belong to different accounts"}',
      '{"challenge":"Bearer realm=\\"registry\\", error=\\"invalid_token\\""}',
      '{"host":"hooks.slack.com","url":"https://hooks.slack.com/[redacted]"}',
      '{"said":"relk_[redacted]"}',
    ];
    assert.deepEqual(findSecrets(lines.join('\n')), []);
  });
});
