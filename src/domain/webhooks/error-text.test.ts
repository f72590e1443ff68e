import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorText } from './error-text.ts';

const bytes = (text: string) => Buffer.from(text);
const blanks = (count: number) => ' '.repeat(count);

describe('error text', () => {
  const machine = `relk_${'a1'.repeat(6)}_${'B2'.repeat(16)}`;
  for (const [name, body, shown] of [
    ['plain', 'try later', 'try later'],
    ['nothing', '', ''],
    ['control characters', 'a\u0000b\r\nc\u001b[31md\u0085e\u2028f', 'a b  c [31md e f'],
    ['two hundred characters', 'x'.repeat(300), 'x'.repeat(200)],
    ['no half character at the end', `${'x'.repeat(199)}\u{1f600}`, 'x'.repeat(199)],
    ['a machine token', `<${machine}>`, `<${blanks(machine.length)}>`],
    ['a user key', `got relu_${'k'.repeat(64)}.`, `got ${blanks(69)}.`],
    ['a feed token, a refresh token, a client secret', 'relf_abc relo_abc reloc_abc.', `${blanks(28 - 1)}.`.trim()],
    ['an access token', `no eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln ok`, `no ${blanks(41)} ok`],
    ['a credential across the end of what is shown', `${'x'.repeat(190)} ${machine}`, 'x'.repeat(190)],
    ['a word that only begins alike', 'release_notes', 'release_notes'],
  ] as const) {
    it(name, () => assert.equal(errorText(bytes(body)), shown));
  }

  it('broken UTF-8 is shown as such', () => assert.equal(errorText(Uint8Array.of(0x61, 0xff, 0x62)), 'a\ufffdb'));

  it('a path that is a secret is hidden', () => {
    const shown = errorText(bytes('unknown /api/webhooks/1/tok'), ['/', '/api/webhooks/1/tok']);
    assert.equal(shown, 'unknown');
  });
});
