import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { frontMatter, tag } from './front-matter.ts';

function lineOf(value: string | number | boolean | readonly string[]): string {
  return frontMatter({ value }).slice('---\nvalue: '.length, -'\n---\n'.length);
}

describe('frontMatter', () => {
  it('writes fields in order between dashes and leaves out those without a value', () => {
    const text = frontMatter({
      name: 'Acme',
      domain: null,
      sources: 3,
      avatar: undefined,
      has_more: false,
      tags: ['cli', 'go'],
    });

    assert.equal(text, '---\nname: Acme\nsources: 3\nhas_more: false\ntags: [cli, go]\n---\n');
  });

  it('is a pair of dashes when nothing has a value', () => assert.equal(frontMatter({ a: null }), '---\n---\n'));

  const plain = [
    'Acme',
    'Acme, Inc.',
    'Acme CLI (beta)',
    'https://acme.dev/x?y=1#z',
    '2.4.0',
    'v2',
    '1.0.0-rc.1',
    'a:b',
    'C#',
    "it's",
    'say "hi"',
    'a - b',
    'a [b]',
    'nothing',
    'Über 👩‍💻',
    '.net',
    '7zip',
  ];
  for (const text of plain) {
    it(`needs no quotes: ${text}`, () => assert.equal(lineOf(text), text));
  }

  const quoted = [
    '',
    ' a',
    'a ',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '- a',
    '-a',
    '? a',
    ': a',
    '*a',
    '&a',
    '!a',
    '|',
    '>',
    '%a',
    '@acme/cli',
    '`a`',
    '"a"',
    "'a'",
    '[a]',
    '{a}',
    ', a',
    'a\nb',
    'a\tb',
    '---\ninjected: true',
    '~',
    'null',
    'True',
    'NO',
    'off',
    'y',
    '=',
    '<<',
    '1',
    '-1',
    '+1',
    '1.10',
    '1.',
    '.5',
    '1e3',
    '1_000',
    '0x1F',
    '0o17',
    '0b1',
    '12:30',
    '12:30:45.5',
    '.inf',
    '-.INF',
    '.NaN',
    '2024-01-15',
    '2024-01-15T10:00:00.000Z',
    '2024-1-5 10:00:00',
  ];
  for (const text of quoted) {
    it(`needs quotes: ${JSON.stringify(text)}`, () => assert.equal(lineOf(text), JSON.stringify(text)));
  }

  it('escapes what YAML does not print', () => {
    assert.equal(lineOf('a\u0085\u2028\u2029\ufeff\u007f'), '"a\\u0085\\u2028\\u2029\\ufeff\\u007f"');
    assert.equal(lineOf('a\ud800'), '"a\\ud800"');
  });

  it('quotes list members that would end or split', () => {
    assert.equal(lineOf(['a', 'b, c', 'd]', '{e', '1', 'f:g', 'h?']), '[a, "b, c", "d]", "{e", "1", "f:g", "h?"]');
    assert.equal(lineOf([]), '[]');
  });

  it('keeps every string on one line that reads back as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const line = lineOf(text);

        assert.doesNotMatch(line, /[\n\r\u0085\u2028\u2029]/);
        assert.equal(line.startsWith('"') ? JSON.parse(line) : line, text);
      }),
    );
  });
});

describe('tag', () => {
  it('writes attributes in order and leaves out those without a value', () => {
    assert.equal(
      tag('Release', { id: 'rel_1', version: null, date: undefined, count: 3, breaking: false }),
      '<Release id="rel_1" count="3" breaking="false">',
    );
  });

  it('closes itself on request', () => {
    assert.equal(tag('Pagination', { cursor: 'x' }, { selfClosing: true }), '<Pagination cursor="x" />');
    assert.equal(tag('Source', {}, { selfClosing: true }), '<Source />');
    assert.equal(tag('Source', {}), '<Source>');
  });

  it('escapes the four characters', () => {
    assert.equal(tag('Source', { name: `<a> & "b" 'c'` }), `<Source name="&lt;a&gt; &amp; &quot;b&quot; 'c'">`);
  });
});
