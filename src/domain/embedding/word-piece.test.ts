import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWordPiece } from './word-piece.ts';

const PIECES = '[UNK] [CLS] [SEP] fix ##ed ##es cafe un ##believ ##able c + 20 . a 好 leak'.split(' ');
const VOCABULARY = Object.fromEntries(PIECES.map((piece, id) => [piece, id]));
const tokenizer = createWordPiece(VOCABULARY);

function pieces(text: string, max = 256): string {
  return tokenizer
    .encode(text, max)
    .map((id) => PIECES[id])
    .join(' ');
}

describe('word pieces', () => {
  const cases: [text: string, expected: string][] = [
    ['fixed', 'fix ##ed'],
    ['FIXES a Leak.', 'fix ##es a leak .'],
    ['unbelievable', 'un ##believ ##able'],
    ['café', 'cafe'],
    ['c++20', 'c + + 20'],
    ['好好', '好 好'],
    // One piece that is missing makes the whole word unknown.
    ['fixing', '[UNK]'],
    ['a\u0000\u200bfix', '[UNK]'],
    ['a\tfix\u00a0leak', 'a fix leak'],
    ['🎉', '[UNK]'],
    ['x'.repeat(101), '[UNK]'],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text.slice(0, 20)), () => {
      assert.equal(pieces(text), ['[CLS]', expected, '[SEP]'].filter(Boolean).join(' '));
    });
  }

  it('ends with its mark however long the text is', () => {
    assert.equal(pieces('fixed leak leak', 4), '[CLS] fix ##ed [SEP]');
    assert.equal(tokenizer.encode('a '.repeat(10_000), 256).length, 256);
  });

  it('a vocabulary without the marks is refused', () => {
    assert.throws(() => createWordPiece({ fix: 0 }), /lacks/);
  });
});
