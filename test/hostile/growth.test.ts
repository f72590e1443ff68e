// Doubling a stranger's text doubles the work on it and no more, whatever stands in it and whoever reads it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeParser } from './growth.ts';
import { HOSTILE_INPUTS } from './inputs.ts';
import { PARSERS } from './parsers.ts';

describe(`${HOSTILE_INPUTS.length} kinds of hostile text`, () => {
  for (const parser of PARSERS) {
    it(parser.name, () => assert.deepEqual(judgeParser(parser, HOSTILE_INPUTS), []));
  }

  it('would find work that is quadratic', () => {
    const quadratic = {
      name: 'quadratic',
      read: (text: string) => {
        let found = 0;
        for (let at = 0; at < text.length; at += 8) found += text.indexOf('nowhere', at);
        return found;
      },
    };
    assert.ok(judgeParser(quadratic, HOSTILE_INPUTS.slice(0, 3)).length > 0);
  });
});
