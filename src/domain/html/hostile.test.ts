// Strangers' markup must not cost more than its length.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertLinear, repeated as fill } from '../../../test/support/growth.ts';
import { decodeText } from './decode.ts';
import { bodyMedia } from './media.ts';
import { lineText, linksIn } from './text.ts';
import { toMarkdown } from './to-markdown.ts';

const TEXTS: Record<string, (size: number) => string> = {
  'open elements': fill('<div>'),
  'open marks': fill('<b>'),
  'end tags of nothing': (size) => fill('<a>')(size / 2) + fill('</b>')(size / 2),
  'mixed nesting': fill('<b><i><a href=x><p>'),
  quotes: (size) => '<blockquote>'.repeat(300) + fill('<p>x')(size),
  lists: fill('<ul><li>'),
  'lists in depth': (size) => '<ul><li>'.repeat(300) + fill('<li>x<p>')(size),
  tables: fill('<table><tr><td>'),
  cells: (size) => `<table>${fill('<tr><td colspan=100 rowspan=100>x<td>')(size)}`,
  'less-than signs': (size) => `<p>${fill('<')(size)}`,
  'open comments': (size) => `<p>${fill('<!--')(size)}`,
  'open sections': (size) => `<p>${fill('<![CDATA[')(size)}`,
  attributes: (size) => `<p ${fill('a=1 ')(size)}`,
  stars: (size) => `<p>${fill('*')(size)}`,
  backticks: (size) => `<pre>${fill('`')(size)}`,
  'tags in code': fill('`<p>'),
  fences: fill('```\n<p>\n'),
  'blank lines': fill('\n '),
  brackets: fill('![['),
  'link ends': fill('](https://a'),
  'tags in a list that never end': (size) => `- ${fill('<b ')(size)}`,
  'quotes in a list that never end': (size) => `- ${fill('<b a="')(size)}>`,
  'quotes of both kinds': (size) => `- ${fill(`<b a="'b='" `)(size)}>`,
  'scripts in a list': (size) => `- ${fill('<script>')(size)}`,
  'links in a list': (size) => `- ${fill('<a href=x>y</a>')(size)}`,
  'comments in a list': (size) => `- ${fill('<!-- ')(size)}`,
  'attributes in a list': (size) => `- ${fill('<x a ')(size)}`,
  spans: (size) => `${fill('<span>')(size)}<p>`,
};

describe('hostile text', () => {
  for (const [name, make] of Object.entries(TEXTS)) {
    it(name, () => {
      assertLinear((text) => [toMarkdown(text), bodyMedia(text), linksIn(text), lineText(text)], make);
    });
  }

  it('nothing of the text is lost in the depth', () => {
    assert.equal(toMarkdown(`${'<div>'.repeat(5000)}here${'</div>'.repeat(5000)}`), 'here');
  });

  it('no word is lost, whatever the order of tags', () => {
    const names = 'p div ul ol li b i a h2 blockquote span dl dt dd details summary del section'.split(' ');
    const tag = fc.constantFrom(...names.flatMap((name) => [`<${name}>`, `</${name}>`]));
    const word = fc.nat(9999).map((number) => ` word${number}x `);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, tag), { maxLength: 60 }), (parts) => {
        const text = `<p>${parts.join('')}`;
        const markdown = toMarkdown(text);
        for (const one of text.match(/word\d+x/g) ?? []) assert.ok(markdown.includes(one), one);
      }),
      { numRuns: 1000 },
    );
  });

  it('bytes of no encoding', () => {
    assertLinear(decodeText, (size) => new Uint8Array(size).fill(0xe9));
  });
});
