import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passwordFault } from './passwords.ts';

describe('passwords', () => {
  const email = 'somebody@mail.example';
  const cases: [password: unknown, fault: RegExp | null][] = [
    ['a fine sentence', null],
    ['correct horse battery', null],
    ['korrekt pferd batterie', null],
    ['vKq8#mZ2pLw!', null],
    ['eine Eule, zwei Bäche, drei Nüsse '.repeat(3), null],
    [`${'x'.repeat(60)}one owl two brooks`, null],
    ['short1234', /at least 10/],
    ['🦉'.repeat(9), /at least 10/],
    ['x'.repeat(129), /at most 128/],
    ['🦉'.repeat(129), /at most 128/],
    ['x'.repeat(60_000), /at most 128/],
    ['Somebody@MAIL.example', /e-mail/],
    ['somebody1234', /common/],
    ['qwertyuiop', /common/],
    ['QwertyUiop', /common/],
    ['Password123!', /common.*words/],
    ['P4$$w0rd1234', /common/],
    ['Summer2026!', /common/],
    ['iloveyou1234!', /common/],
    ['aaaaaaaaaa', /repeats.*words/],
    ['ëëëëëëëëëë', /repeats/],
    [' '.repeat(10), /repeats/],
    ['🦉'.repeat(10), /repeats/],
    ['x'.repeat(128), /repeats/],
    ['hunter2hunter2', /repeats/],
    ['abcabcabcabcabc', /repeats/],
    ['0123456789', /sequence|common/],
    ['abcdefghijkl', /sequence|common/],
    ['zxcvbnm,./', /keyboard/],
    ['29.02.1984..', /date/],
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
