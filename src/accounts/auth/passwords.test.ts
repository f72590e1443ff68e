import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passwordFault } from './passwords.ts';

describe('passwords', () => {
  const email = 'somebody@mail.example';
  const cases: [password: unknown, fault: RegExp | null][] = [
    ['a fine sentence', null],
    ['ëëëëëëëëëë', null],
    [' '.repeat(10), null],
    ['🦉'.repeat(10), null],
    ['x'.repeat(128), null],
    ['🦉'.repeat(128), null],
    ['short1234', /at least 10/],
    ['🦉'.repeat(9), /at least 10/],
    ['x'.repeat(129), /at most 128/],
    ['🦉'.repeat(129), /at most 128/],
    ['x'.repeat(60_000), /at most 128/],
    ['Somebody@MAIL.example', /e-mail/],
    ['qwertyuiop', /common/],
    ['QwertyUiop', /common/],
    ['1234567890', /common/],
    [undefined, /needed/],
    [{ length: 12 }, /needed/],
  ];
  for (const [password, fault] of cases) {
    it(`${JSON.stringify(password)?.slice(0, 40)} ${fault ? 'is refused' : 'is accepted'}`, async () => {
      const said = await passwordFault(password, email);
      if (fault) assert.match(said ?? '', fault);
      else assert.equal(said, null);
    });
  }
});
