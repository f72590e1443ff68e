import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFeedQuery } from './query-terms.ts';

// Terms in short: phrases in angle brackets, a star when the last one is also a prefix.
function short(q: string): string {
  const { terms, prefixLast } = parseFeedQuery(q);
  return terms.map(({ text, phrase }) => (phrase ? `<${text}>` : text)).join(' + ') + (prefixLast ? '*' : '');
}

describe('parseFeedQuery', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['   ', ''],
    ['dark', 'dark*'],
    ['dark mode', 'dark + mode*'],
    ['  dark\t\n mode  ', 'dark + mode*'],
    ['dark\u00a0mode', 'dark + mode*'],
    ['"dark mode"', '<dark mode>'],
    ['"dark   mode"', '<dark mode>'],
    ['new "dark mode"', 'new + <dark mode>'],
    ['"dark mode" new', '<dark mode> + new*'],
    ['"dark mode" "light mode"', '<dark mode> + <light mode>'],
    ['"dark"', '<dark>'],
    ['""', ''],
    ['"  " dark', 'dark*'],
    ['new"dark mode"er', 'new + <dark mode> + er*'],
    ['"dark mode', '"dark + mode*'],
    ['dark mode"', 'dark + mode"*'],
    ['12" "dark mode"', '12 + dark + mode"*'],
    ['"dark mode" 12"', '<dark mode> + 12"*'],
    ['"', '"*'],
    ['v2.0.0-rc.1', 'v2.0.0-rc.1*'],
    ['a\u0000b', 'a + b*'],
    ['100% _x \\', '100% + _x + \\*'],
  ];
  for (const [q, expected] of cases) {
    it(`${JSON.stringify(q)}: ${expected}`, () => assert.equal(short(q), expected));
  }

  it('takes 200 characters and splits no surrogate pair', () => {
    assert.equal(short('a'.repeat(300)), `${'a'.repeat(200)}*`);
    assert.equal(short(`${'a'.repeat(199)}😀`), `${'a'.repeat(199)}*`);
    assert.equal(short(`${'a'.repeat(198)}😀b`), `${'a'.repeat(198)}😀*`);
  });

  it('yields no empty term, and no blank inside a plain word', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '"', ' ', '\n', '😀') }), (q) => {
        for (const { text, phrase } of parseFeedQuery(q).terms) {
          assert.notEqual(text.trim(), '');
          assert.ok(phrase ? !text.includes('"') : !/\s/.test(text));
        }
      }),
    );
  });
});
