import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { highlightCode } from './highlight-code.ts';
import { renderMarkdown } from './render.ts';
import { linkBases } from './repository-links.ts';

const REL = 'rel="nofollow ugc noopener noreferrer"';
const LAZY = 'loading="lazy" decoding="async" referrerpolicy="no-referrer"';

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
    ['pictures', '![a](https://a.example/b.png)', `<p><img src="https://a.example/b.png" alt="a" ${LAZY}></p>`],
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
    it(name, () => assert.equal(renderMarkdown(markdown, { base: 'https://x.example/a/b' }).html.trim(), html));
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
        const { html } = renderMarkdown(pieces.join(''), { base: 'https://x.example/' });
        assert.doesNotMatch(html, /<(?:script|style|svg|math|iframe|object)\b/i);
        assert.doesNotMatch(html, /<[a-z][^>]*\s(?:on\w+|style|id|class)=/i);
        assert.doesNotMatch(html, /(?:href|src)="(?!https?:|mailto:)/i);
      }),
    );
  });

  it('say how much was left out of very long notes, at the end of a block', () => {
    const { html } = renderMarkdown(`${'word '.repeat(100_000)}\n\n${'```\ncode\n\n'.repeat(10_000)}`, {
      wholeAt: '/release/rel_1.md',
    });
    const [, omitted] = /<p>([\d,]+) more characters are left out\. <a href="\/release\/rel_1\.md">/.exec(html) ?? [];
    const left = Number(omitted?.replaceAll(',', ''));
    assert.ok(left > 600_002 - 512 * 1024 && left < 600_002 - 512 * 1024 + 20, String(omitted));
    const line = html.lastIndexOf('<p>');
    assert.ok(html.lastIndexOf('</pre>') < line && html.lastIndexOf('<pre') < html.lastIndexOf('</pre>'));
  });
});

const page = (markdown: string, base = 'https://github.com/acme/kit/releases/tag/v1.2.0') =>
  renderMarkdown(markdown, { base, inRepository: true, isPage: true });

describe('notes on a page', () => {
  const gh = (path: string, text: string) => `<a href="https://github.com/${path}" ${REL}>${text}</a>`;
  const table: [string, string, string][] = [
    [
      'alerts',
      '> [!Warning]\n> Mind **it**',
      '<div class="alert warning" role="note"><p class="t">Warning</p>\n<p>Mind <strong>it</strong></p>\n</div>',
    ],
    ['quotes that are none', '> [!other] x', '<blockquote>\n<p>[!other] x</p>\n</blockquote>'],
    [
      'code of a known language',
      '```ts title=x\nconst a = "b"; // c < 1\n```',
      '<pre tabindex="0"><code><span class="tk">const</span> a = <span class="ts">&quot;b&quot;</span>; <span class="tc">// c &lt; 1</span>\n</code></pre>',
    ],
    ['code of another one', '```klingon\nif\n```', '<pre tabindex="0"><code>if\n</code></pre>'],
    [
      'a diff',
      '```diff\n-a\n+b\n c\n```',
      '<pre tabindex="0"><code><span class="del">-a</span>\n<span class="add">+b</span>\n c\n</code></pre>',
    ],
    ['issues', 'Fix #12', `<p>Fix ${gh('acme/kit/issues/12', '#12')}</p>`],
    ['issues of others', '(other/repo#7)', `<p>(${gh('other/repo/issues/7', 'other/repo#7')})</p>`],
    ['people', 'by @jane-d.', `<p>by ${gh('jane-d', '@jane-d')}.</p>`],
    ['commits', 'in 1f2e3d4c', `<p>in ${gh('acme/kit/commit/1f2e3d4c', '1f2e3d4c')}</p>`],
    [
      'no links in words, mail, packages, colours, numbers and code',
      'a#1 me@x.example @scope/name &#35;fff 1234567 defaced `#12 @jane`',
      '<p>a#1 me@x.example @scope/name #fff 1234567 defaced <code>#12 @jane</code></p>',
    ],
    ['no links inside of links', '[#12](https://a.example/)', `<p><a href="https://a.example/" ${REL}>#12</a></p>`],
    [
      'files of the tagged version',
      '[a](docs/a.md) ![b](img/b.png)',
      `<p><a href="https://github.com/acme/kit/blob/v1.2.0/docs/a.md" ${REL}>a</a> <img src="https://github.com/acme/kit/raw/v1.2.0/img/b.png" alt="b" ${LAZY}></p>`,
    ],
    [
      'tables that scroll',
      '| a |\n|---|',
      '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table></div>',
    ],
    ['tasks', '- [x] a\n- [ ] b', '<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>'],
    [
      'footnotes',
      'A[^one] b[^none]\n\n[^one]: Note *one*\n\n    more\n\nAfter',
      '<p>A<sup id="r-ref-1"><a href="#r-note-1" aria-label="Note 1">1</a></sup> b[^none]</p>\n<p>After</p>\n<hr><ol>\n<li id="r-note-1"><p>Note <em>one</em></p>\n<p>more</p>\n <a class="back" href="#r-ref-1" aria-label="Back">↩</a></li>\n</ol>',
    ],
  ];
  for (const [name, markdown, html] of table) it(name, () => assert.equal(page(markdown).html.trim(), html));

  it('have headings below that of the page, with anchors', () => {
    const { html, headings } = page('# Added\n\n## Deep\n\n# Added\n\n###### Low');
    assert.deepEqual(
      [...html.matchAll(/<(h\d) id="([^"]+)">/g)].map(([, element, id]) => [element, id]),
      [
        ['h2', 'r-added'],
        ['h3', 'r-deep'],
        ['h2', 'r-added-2'],
        ['h6', 'r-low'],
      ],
    );
    assert.deepEqual(headings, [
      { id: 'r-added', name: 'Added', parts: [{ id: 'r-deep', name: 'Deep' }] },
      { id: 'r-added-2', name: 'Added', parts: [] },
    ]);
    assert.match(page('#### Small').html, /^<h2 id="r-small">Small<a class="anchor" href="#r-small"/);
  });

  it('leave marks of the page out of feeds', () => {
    const feed = renderMarkdown('# A\n\n> [!NOTE]\n> b[^1]\n\n```js\nif\n```\n\n[^1]: c', { base: null });
    assert.doesNotMatch(feed.html, /class=|id=|tabindex|data-/);
    assert.match(feed.html, /<blockquote>\n<p><strong>Note<\/strong><\/p>/);
    assert.match(feed.html, /<h2>A<\/h2>/);
  });

  it('take no class, anchor or number that a stranger wrote', () => {
    const { html } = page(
      '<blockquote data-alert="x" class="y">a</blockquote><sup data-note-ref="1&quot;>">b</sup><code data-language="js" id="z">if</code>',
    );
    assert.equal(html.trim(), '<blockquote>a</blockquote><sup>b</sup><code>if</code>');
  });
});

describe('linkBases', () => {
  const table: [string | null, string | null, string | null][] = [
    ['https://acme.example/notes/2', 'https://acme.example/notes/2', 'https://acme.example/notes/2'],
    [
      'https://github.com/a/b/blob/main/docs/CHANGELOG.md#x',
      'https://github.com/a/b/blob/main/docs/CHANGELOG.md#x',
      'https://github.com/a/b/raw/main/docs/CHANGELOG.md',
    ],
    [
      'https://github.com/a/b/releases/tag/%40a%2Fx%401.0.0',
      'https://github.com/a/b/blob/%40a%2Fx%401.0.0/',
      'https://github.com/a/b/raw/%40a%2Fx%401.0.0/',
    ],
    [
      'https://gitlab.com/g/s/p/-/releases/v1.0',
      'https://gitlab.com/g/s/p/-/blob/v1.0/',
      'https://gitlab.com/g/s/p/-/raw/v1.0/',
    ],
    [null, null, null],
  ];
  for (const [url, links, media] of table) {
    it(String(url), () => assert.deepEqual(linkBases(url), { links, media }));
  }
});

describe('highlightCode', () => {
  const table: [string, string, string][] = [
    ['json', '{"a": 1, "b": "c"}', '{[k:"a"]: [n:1], [k:"b"]: [s:"c"]}'],
    ['yaml', '- key: on # why\n  other: "x"', '- [k:key]: [k:on] [c:# why]\n  [k:other]: [s:"x"]'],
    ['toml', '[[a.b]]\nc = 1', '[k:[[a.b]]]\n[k:c] = [n:1]'],
    ['python', 'def f(x): return """a\nb""" # c', '[k:def] f(x): [k:return] [s:"""a\nb"""] [c:# c]'],
    ['bash', "export A='b' && npm i $C # d", "[k:export] A=[s:'b'] && npm i [n:$C] [c:# d]"],
    ['SQL', 'SELECT a FROM b -- c', '[k:SELECT] a [k:FROM] b [c:-- c]'],
    ['html', `<a href="b">it's</a><!-- c -->`, `[k:<a] href=[s:"b"][k:>]it's[k:</a][k:>][c:<!-- c -->]`],
    ['css', 'a { color: red; /* b', 'a { [k:color]: red; [c:/* b]'],
    ['js', '`a \\` b` + /* c', '[s:`a \\` b`] + [c:/* c]'],
  ];
  for (const [language, code, expected] of table) {
    it(language, () => {
      const marked = (highlightCode(code, language) ?? '')
        .replaceAll(/<span class="t(\w)">(.*?)<\/span>/gs, '[$1:$2]')
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
      assert.equal(marked, expected);
    });
  }
});
