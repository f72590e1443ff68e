import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nestsTooDeep } from './nesting.ts';
import { readModule } from './read-module.ts';

describe('brackets of Python files', () => {
  const cases: [string, string, boolean][] = [
    ['many beside each other', 'f(1)\n'.repeat(5000), false],
    ['calls that are not closed', 'field('.repeat(100_000), true],
    ['calls in calls', `${'super('.repeat(50_000)}${')'.repeat(50_000)}`, true],
    ['lists in lists', `x = ${'['.repeat(400)}${']'.repeat(400)}`, true],
    [
      'brackets in texts and comments',
      `x = """${'('.repeat(400)}"""\n# ${'('.repeat(400)}\ny = '${'('.repeat(400)}'\n`,
      false,
    ],
    ['a quote that never ends', `x = '${'('.repeat(400)}\ny = 1`, false],
    ['an escaped quote', `x = '\\'${'('.repeat(400)}'`, false],
  ];
  for (const [what, text, expected] of cases) it(what, () => assert.equal(nestsTooDeep(text), expected));

  it('a module that nests too deep is known by its name alone', () => {
    assert.equal(readModule('lamp', false, 'def on(): pass\n'.concat('('.repeat(50_000))).isOpaque, true);
  });
});
