// Doubling a stranger's text doubles the work on it and no more, whatever stands in it and whoever reads it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConvicting, judgeParser } from './growth.ts';
import { HOSTILE_INPUTS } from './inputs.ts';
import { PARSERS } from './parsers.ts';

describe(`${HOSTILE_INPUTS.length} kinds of hostile text`, () => {
  for (const parser of PARSERS) {
    it(parser.name, () => assert.deepEqual(judgeParser(parser, HOSTILE_INPUTS), []));
  }

  const table: [times: number[], convicting: boolean][] = [
    [[20, 40, 80], false],
    [[50, 110, 230], false],
    [[20, 80, 320], true],
    [[400, 1_600, 6_400], true],
    [[1, 4, 16], false],
    [[50, 110], false],
    [[5_000], true],
  ];
  for (const [times, convicting] of table) {
    it(`${times.join(', ')} ms: ${convicting ? 'too steep' : 'in order'}`, () => {
      assert.equal(isConvicting(times), convicting);
    });
  }
});
