// Doubling an untrusted text doubles the work on it and no more, for every kind of text and every parser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { steepTimes } from '../support/growth.ts';
import { HOSTILE_INPUTS } from './inputs.ts';
import { PARSERS, type Parser } from './parsers.ts';

// There are some twenty thousand pairs of a parser and a kind of text, so that the first look is at a very short one.
const FIRST_SIZE = 500;

describe(`${HOSTILE_INPUTS.length} kinds of hostile text`, () => {
  for (const parser of PARSERS) {
    it(parser.name, () => assert.deepEqual(steepOf(parser), []));
  }
});

function steepOf({ read, wrapper }: Parser): { input: string; times: number[] }[] {
  // Compiles the code of the parser before its first look.
  read(HOSTILE_INPUTS.map(({ make }) => make(20)).join('\n\n'));
  const inputs = wrapper ? HOSTILE_INPUTS.filter((_, index) => index % 4 === 0) : HOSTILE_INPUTS;
  return inputs.flatMap(({ name, make }) => {
    const times = steepTimes({ read, make, firstSize: FIRST_SIZE });
    return times === null ? [] : [{ input: name, times }];
  });
}
