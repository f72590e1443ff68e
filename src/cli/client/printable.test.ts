import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printableJson, printableLine, printableText } from './printable.ts';

describe('what is printed of server text', () => {
  const lines: [text: string, shown: string][] = [
    ['plain', 'plain'],
    ['two\nlines\tand tabs', 'two lines and tabs'],
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['bell\u0007 and \u009b1mC1', 'bell and 1mC1'],
    ['abc\u202etxt.exe', 'abctxt.exe'],
    ['  é 漢字 🎉  ', 'é 漢字 🎉'],
  ];
  for (const [text, shown] of lines) {
    it(`line ${JSON.stringify(text)}`, () => {
      assert.equal(printableLine(text), shown);
    });
  }

  it('text keeps its lines and tabs, and nothing else that steers', () => {
    assert.equal(printableText('a\r\nb\tc\u001b]0;title\u0007\u0000'), 'a\nb\tc]0;title');
  });

  it('JSON says the same in characters that steer nothing', () => {
    const value = { text: '\u001b[2J\u009b1m\u202e\u2028x' };
    const json = printableJson(value);
    assert.doesNotMatch(json, /[\p{Cc}\u202e\u2028]/u);
    assert.deepEqual(JSON.parse(json), value);
  });
});
