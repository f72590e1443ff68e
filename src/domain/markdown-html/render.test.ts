import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { renderMarkdown } from './render.ts';

const REL = 'rel="nofollow ugc noopener noreferrer"';

describe('notes as HTML', () => {
  const table: [string, string, string][] = [
    ['paragraphs and emphasis', 'Hello **you**', '<p>Hello <strong>you</strong></p>'],
    ['lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['code', '`a < b`', '<p><code>a &lt; b</code></p>'],
    [
      'tables',
      '| a |\n|---|\n| b |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['strike-through', '~~a~~', '<p><del>a</del></p>'],
    ['links', '[a](https://a.example/b)', `<p><a href="https://a.example/b" ${REL}>a</a></p>`],
    ['relative links', '[a](../c)', `<p><a href="https://x.example/c" ${REL}>a</a></p>`],
    ['bare addresses', 'https://a.example', `<p><a href="https://a.example/" ${REL}>https://a.example</a></p>`],
    ['pictures', '![a](https://a.example/b.png)', '<p><img src="https://a.example/b.png" alt="a"></p>'],
    ['no picture over plain http', '![a](http://a.example/b.png)', '<p></p>'],
    ['no script', 'a<script>alert(1)</script>b', '<p>ab</p>'],
    [
      'no handler',
      '<a href="https://a.example/" onclick="x()">a</a>',
      `<p><a href="https://a.example/" ${REL}>a</a></p>`,
    ],
    ['no script address', '[a](javascript:alert(1))', `<p><a ${REL}>a</a></p>`],
    ['no data address', '<img src="data:text/html,x">', ''],
    ['no style, id or class', '<p style="x" id="y" class="z">a</p>', '<p>a</p>'],
    ['no frame, but what stands beside it', '<iframe src="https://a.example">x</iframe>y', 'y'],
    [
      'plain HTML that is allowed',
      '<details><summary>a</summary>b</details>',
      '<details><summary>a</summary>b</details>',
    ],
    ['elements that mean the same', '<b>a</b>', '<p><strong>a</strong></p>'],
    ['text of elements that are not', '<marquee>a</marquee>', '<p>a</p>'],
    ['half an element', 'a <b', '<p>a &lt;b</p>'],
  ];
  for (const [name, markdown, html] of table) {
    it(name, () => assert.equal(renderMarkdown(markdown, { base: 'https://x.example/a/b' }).trim(), html));
  }

  it('hold nothing that could act, whatever the notes hold', () => {
    const piece = fc.constantFrom(
      ...[
        '<script>',
        '</script>',
        '<img src=x onerror=alert(1)>',
        '<svg/onload=x>',
        '"',
        "'",
        '<a href="javascript:x">',
      ],
      ...[
        '[x](java\nscript:x)',
        '<style>',
        '<!--',
        '-->',
        '`',
        '\n\n',
        '<![CDATA[',
        '&#x3c;',
        '<p',
        '>',
        '\u0000',
        '<math><a',
        'a',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = renderMarkdown(pieces.join(''), { base: 'https://x.example/' });
        assert.doesNotMatch(html, /<(?:script|style|svg|math|iframe|object)\b/i);
        assert.doesNotMatch(html, /<[a-z][^>]*\s(?:on\w+|style|id|class)=/i);
        assert.doesNotMatch(html, /(?:href|src)="(?!https?:|mailto:)/i);
      }),
    );
  });

  it('say how much was left out of very long notes', () => {
    const html = renderMarkdown('word '.repeat(120_000));
    assert.match(html, /<p>536,000 more characters are left out\.<\/p>/);
  });
});
