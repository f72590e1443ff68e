import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wrapped } from './output.ts';
import { displayWidth } from './table.ts';

describe('wrapped', () => {
  const cases: [name: string, text: string, wrapped: string][] = [
    ['a short line', 'one two', 'one two'],
    ['a long line', 'one two three four five', 'one two three\nfour five'],
    ['several lines', 'one two three four\n\nfive', 'one two three\nfour\n\nfive'],
    ['indentation', '  one two three four', '  one two\n  three four'],
    ['a list', '- one two three four', '- one two\n  three four'],
    ['a numbered list', '12. one two three', '12. one two\n    three'],
    ['a long word', 'see https://a.example/long here', 'see\nhttps://a.example/long\nhere'],
    ['wide characters', '漢字漢字 漢字漢字', '漢字漢字\n漢字漢字'],
    ['colours take no room', '\u001b[31mone\u001b[0m two three', '\u001b[31mone\u001b[0m two three'],
  ];
  for (const [name, text, expected] of cases) it(name, () => assert.equal(wrapped(text, 14), expected));

  it('no line is wider unless a single word is', () => {
    const text = Array.from({ length: 200 }, (_, at) => 'x'.repeat((at * 7) % 19)).join(' ');
    for (const line of wrapped(text, 40).split('\n')) assert.ok(displayWidth(line) <= 40);
  });
});
