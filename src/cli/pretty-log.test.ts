import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prettyLine } from './log.ts';

const TIME = Date.parse('2026-03-01T12:34:56.789Z');

describe('pretty log line', () => {
  const cases: [name: string, line: object, pretty: string][] = [
    ['level, time and message', { level: 30, time: TIME, msg: 'worker started' }, '12:34:56 INFO  worker started\n'],
    [
      'facts of every kind',
      { level: 40, msg: 'slow', ms: 12, path: '/v1/orgs', text: 'two words', list: [1, 2], none: null },
      'WARN  slow ms=12 path=/v1/orgs text="two words" list=[1,2] none=null\n',
    ],
    [
      'an error without its stack',
      { level: 40, msg: 'failed', err: { message: 'no disk', stack: 'Error: no disk\n    at a' } },
      'WARN  failed err="no disk"\n',
    ],
    [
      'an error with its stack',
      { level: 50, msg: 'failed', err: { message: 'broken', stack: 'Error: broken\n    at a (b.ts:1:2)\n    at c' } },
      'ERROR failed err=broken\n    at a (b.ts:1:2)\n    at c\n',
    ],
    [
      'nothing that a terminal would obey',
      { level: 30, msg: 'a\u001b[2Jb', name: 'x\u009b31my', url: 'evil\u202etxt', more: 'line\nbreak' },
      'INFO  a [2Jb name="x 31my" url="evil txt" more="line break"\n',
    ],
  ];
  for (const [name, line, pretty] of cases) {
    it(name, () => assert.equal(prettyLine(JSON.stringify(line), { colour: false }), pretty));
  }

  it('passes on what is no log line', () => {
    assert.equal(prettyLine('plain text\n', { colour: false }), 'plain text\n');
    assert.equal(prettyLine('[1]\n', { colour: false }), '[1]\n');
  });

  it('paints the level when colours are wanted', () => {
    assert.equal(prettyLine('{"level":50,"msg":"x"}', { colour: true }), '\u001b[31mERROR\u001b[0m x\n');
  });
});
