import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wantsColor } from './color.ts';

describe('color', () => {
  const cases: [title: string, choice: Parameters<typeof wantsColor>[0], wanted: boolean][] = [
    ['a terminal', { env: {}, isTTY: true, refused: false }, true],
    ['a pipe', { env: {}, isTTY: false, refused: false }, false],
    ['NO_COLOR', { env: { NO_COLOR: '1' }, isTTY: true, refused: false }, false],
    ['an empty NO_COLOR', { env: { NO_COLOR: '' }, isTTY: true, refused: false }, true],
    ['TERM=dumb', { env: { TERM: 'dumb' }, isTTY: true, refused: false }, false],
    ['FORCE_COLOR in a pipe', { env: { FORCE_COLOR: '1' }, isTTY: false, refused: false }, true],
    ['FORCE_COLOR=0', { env: { FORCE_COLOR: '0' }, isTTY: true, refused: false }, false],
    ['--no-color beats FORCE_COLOR', { env: { FORCE_COLOR: '1' }, isTTY: true, refused: true }, false],
  ];
  for (const [title, choice, wanted] of cases) {
    it(`${wanted ? 'on' : 'off'}: ${title}`, () => {
      assert.equal(wantsColor(choice), wanted);
    });
  }
});
