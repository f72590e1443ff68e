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
