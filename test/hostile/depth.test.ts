// Text that nests without end is read, or refused, by every parser: none of them overflows the stack.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOf } from '../../src/domain/upgrade/lockfiles/file-fault.ts';
import { PARSERS } from './parsers.ts';

// A level takes a parser that calls itself two or three calls, and a stack has room for some ten thousand.
const LEVELS = 6_000;
const nested = (open: string, close: string, inside = '') => open.repeat(LEVELS) + inside + close.repeat(LEVELS);
const brackets = nested('[', ']');
const braces = nested('{"a":', '}', '1');
const PAIRS = [
  ['(', ')'],
  ['**', '**'],
  ['> ', ''],
  ['- ', ''],
  ['![a ', '](b)'],
  ['<div>', '</div>'],
  ['<ul><li>', '</li></ul>'],
] as const;
// Alone, and as a value in a document that is what it should be.
const TEXTS = [
  brackets,
  braces,
  ...PAIRS.map(([open, close]) => nested(open, close, 'x')),
  `{"lockfileVersion":3,"packages":${brackets}}`,
  `{"lockfileVersion":1,"packages":${braces}}`,
  `{"name":"a","version":"1.0.0","dependencies":${braces}}`,
  `lockfileVersion: '9.0'\npackages: ${brackets}\n`,
  `1.0.0: ${braces}\n`,
  `version = 1\n[[package]]\nname = ${brackets}\n`,
  `[project]\ndependencies = ${braces.replaceAll('"a":', 'a=')}\n`,
];

describe('nested without end', () => {
  for (const { name, read } of PARSERS.filter(({ wrapper }) => !wrapper)) {
    it(name, () => {
      for (const text of TEXTS) assert.doesNotThrow(() => read(text));
    });
  }

  it('what is wrong with a lockfile', () => {
    for (const text of TEXTS) assert.doesNotThrow(() => faultOf({ text }));
  });
});
