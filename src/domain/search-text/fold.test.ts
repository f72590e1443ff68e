import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { cutText } from '../clean-text.ts';
import { foldText, stripPrivateUse, wordsOf, wordText } from './analysis.ts';

describe('foldText', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['Foo.Bar()', 'foo.bar()'],
    ['Über naïve Café', 'uber naive cafe'],
    ['cafe\u0301', 'cafe'],
    ['ＦＵＬＬ ﬁle', 'full file'],
    ['\u{1d400}bc', 'abc'],
    ['\u0130stanbul', 'istanbul'],
    ['\u03a3\u03a5\u03a3 \u03c3\u03c5\u03c2', '\u03c3\u03c5\u03c3 \u03c3\u03c5\u03c3'],
    ['\u30ac\u304c', '\u30ac\u304c'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['\u0928\u093f', '\u0928'],
    ['a\ue0fe\u{f0000}b', 'ab'],
    ['x\u00b2', 'x2'],
  ];
  for (const [text, folded] of cases) {
    it(`${JSON.stringify(text)}: ${folded}`, () => assert.equal(foldText(text), folded));
  }

  it('leaves the marks and pictures of notes alone, beside which letters are folded', () => {
    for (const mark of ['\u00ab', '\u00b7', '\u2014', '\u2018', '\u2022', '\u2192', '\u{1f389}']) {
      assert.equal(foldText(`A ${mark}B`), `a ${mark}b`);
      assert.equal(foldText(`\u00c9 ${mark}B`), `e ${mark}b`);
    }
    // What is told apart without folding is what folding by the rules of Unicode does not change.
    for (let code = 0x80; code <= 0x1ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (/\p{Cs}/u.test(character)) continue;
      // A letter that must be folded leads to the rules.
      assert.equal(foldText(`\u00e9${character}`), `e${foldText(character)}`.normalize('NFC'), code.toString(16));
    }
  });

  it('leaves folded text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => assert.equal(foldText(foldText(text)), foldText(text))),
    );
  });
});

describe('wordText', () => {
  it('leaves ASCII alone and blanks everything else that is neither letter nor digit', () => {
    assert.equal(wordText('a.b-c'), 'a.b-c');
    assert.equal(wordText('\u00e6.b\u2014\ud83d\ude80c'), '\u00e6 b c');
  });

  it('keeps the words', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        assert.deepEqual(wordsOf(wordText(foldText(text))), wordsOf(foldText(text)));
      }),
    );
  });
});

describe('stripPrivateUse', () => {
  it('removes all three private areas', () => {
    assert.equal(stripPrivateUse('a\ue000b\uf8ffc\u{f0000}d\u{10fffd}e'), 'abcde');
  });
});

describe('cutText', () => {
  it('splits no surrogate pair', () => {
    assert.equal(cutText('ab', 2), 'ab');
    assert.equal(cutText('a\ud83d\ude80', 2), 'a');
    assert.equal(cutText('a\ud83d\ude80b', 3), 'a\ud83d\ude80');
  });
});
