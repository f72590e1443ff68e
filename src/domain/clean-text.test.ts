import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { cleanLongText, foldName, hasControlCharacter } from './clean-text.ts';

describe('cleanLongText', () => {
  const cases: [string, string][] = [
    ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['a\r\r\nb', 'a\n\nb'],
    ['\ta\t', '\ta\t'],
    ['  kept  ', '  kept  '],
    ['a\u0000b\u0007c\u000b\u000cd\u001be', 'abcde'],
    ['a\u007fb\u0085c\u009fd', 'abcd'],
    ['é\u00a0\u200b\u2028 👩‍💻', 'é\u00a0\u200b\u2028 👩‍💻'],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => assert.equal(cleanLongText(text), expected));
  }

  it('leaves nothing to clean', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const clean = cleanLongText(text);

        assert.equal(cleanLongText(clean), clean);
        assert.equal(hasControlCharacter(clean.replace(/[\t\n]/g, '')), false);
      }),
    );
  });
});

describe('hasControlCharacter', () => {
  const cases: [string, boolean][] = [
    ['Acme – CLI 👩‍💻', false],
    ['', false],
    ['a\tb', true],
    ['a\nb', true],
    ['a\rb', true],
    ['\u0000', true],
    ['a\u007f', true],
    ['a\u0080', true],
    ['a\u00a0', false],
  ];
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)}: ${expected}`, () => assert.equal(hasControlCharacter(text), expected));
  }
});

describe('foldName', () => {
  const cases: [string, string][] = [
    ['Acme CLI', 'acme cli'],
    ['ÄPFEL', 'äpfel'],
    ['A\u0308pfel', 'äpfel'],
    ['Ｗｉｄｅ ﬁle', 'wide file'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ];
  for (const [name, expected] of cases) {
    it(name, () => assert.equal(foldName(name), expected));
  }
});
