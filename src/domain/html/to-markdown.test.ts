import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from './parse.ts';
import { htmlToMarkdown, textToMarkdown, toMarkdown } from './to-markdown.ts';

const PAGE = 'https://acme.dev/blog/two/';

type Row = [name: string, input: string, expected: string];

function table(rows: readonly Row[]): void {
  for (const [name, input, expected] of rows) {
    it(name, () => assert.equal(toMarkdown(input, { address: PAGE }), expected));
  }
}

describe('text without a block-level tag is markdown', () => {
  table([
    ['line ends', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['non-breaking spaces', 'a\u00a0b', 'a b'],
    ['two blank lines stay', 'a\n\n\nb', 'a\n\n\nb'],
    ['three blank lines are one', 'a\n\n\n\nb', 'a\n\nb'],
    ['blank lines with spaces in them', 'a\n \n\t\n  \nb', 'a\n\nb'],
    [
      'marks are not touched',
      '* a **b** [c](/d) &amp; <https://acme.dev>',
      '* a **b** [c](/d) &amp; <https://acme.dev>',
    ],
    ['a tag shown as code is none', 'Use `<div>` now', 'Use `<div>` now'],
    ['a tag in a fence is none', '```html\n<p>x</p>\n```', '```html\n<p>x</p>\n```'],
    ['a generic type is none', 'Returns Vec<T> and Map<p2, q>', 'Returns Vec<T> and Map<p2, q>'],
    ['what XML forbids', 'a\u0000b\u0008c\ufffed\ud800e', 'abcde'],
  ]);
});

describe('a text of inline tags alone is HTML', () => {
  table([
    ['emphasis', 'New: <b>faster</b> <i>sync</i> &amp; more', 'New: **faster** *sync* & more'],
    ['an image with a handler', 'See <img src=x onerror=alert(1)> now', 'See ![](https://acme.dev/blog/two/x) now'],
    ['a script', 'a <script>alert(1)</script> b', 'a b'],
    ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>b', 'b'],
    ['a handler on an element that nobody knows', 'a <x onclick=alert(1)>b</x>', 'a b'],
    ['a link that runs a script', '<a href="javascript:alert(1)">here</a>', 'here'],
    ['a picture that holds a script', '<svg onload=alert(1)><script>x</script></svg>b', 'b'],
    ['a comment', 'a <!-- <b> -->b', 'a b'],
    ['a forced line break', 'a<br>b', 'a  \nb'],
    ['an image that never ends', '<b>a</b> <img src=x onerror=alert(1)', '**a**'],
  ]);
});

describe('tags inside of markdown', () => {
  table([
    ['become marks', '* a <b>b</b> <em>c</em> [d](/e) &amp;', '* a **b** *c* [d](/e) &amp;'],
    [
      'or links and images',
      '- <a href="/x">y</a> <img alt="z" src="/p.png">',
      '- [y](https://acme.dev/x) ![z](https://acme.dev/p.png)',
    ],
    ['or nothing', '- a <span style="x">b</span><wbr> <!-- c -->d', '- a b d'],
    ['with all that they hide', '# A\n\n<style>p { color: red }</style>b<script>if (a > b) c()</script>', '# A\n\nb'],
    ['also with an angle bracket in quotes', '- <span title="a>b" onclick=c>d</span>', '- d'],
    ['also when a quote is never closed', '- <span title="a onclick=c>d', '- d'],
    ['and are text when they never end', '- a <img src=x onerror=alert(1)', '- a \\<img src=x onerror=alert(1)'],
    ['but stay in code', '- `<b>` and\n\n```\n<i>x</i>\n```', '- `<b>` and\n\n```\n<i>x</i>\n```'],
  ]);

  it('are shown where the source calls its text plain', () => {
    assert.equal(textToMarkdown('a <b>b</b> `<i>`'), 'a \\<b>b\\</b> `<i>`');
  });
});

describe('blocks', () => {
  table([
    ['headings', '<h1>A</h1><h3>B <em>c</em></h3>', '# A\n\n### B *c*'],
    ['a heading that ends with a sign', '<h2>What is #</h2><h2>C#</h2>', '## What is \\#\n\n## C#'],
    ['paragraphs', '<p>One\n two</p>\n<p>Three</p>', 'One two\n\nThree'],
    ['loose text around blocks', 'a<p>b</p>c', 'a\n\nb\n\nc'],
    ['a forced line break', '<p>a<br>b</p>', 'a  \nb'],
    ['two of them end a paragraph', '<div>a<br><br/>b</div>', 'a\n\nb'],
    ['a list', '<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['a numbered list', '<ol start="9"><li>a<li>b</ol>', '9. a\n10. b'],
    ['lists in lists', '<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>', '- a\n  - b\n    1. c\n- d'],
    ['items of several paragraphs', '<ul><li><p>a</p><p>b</p><li><p>c</p></ul>', '- a\n\n  b\n\n- c'],
    ['tasks', '<ul><li><input type="checkbox" checked> a<li><input type=checkbox disabled>b</ul>', '- [x] a\n- [ ] b'],
    ['empty items vanish', '<ul><li> </li><li>a</li></ul>', '- a'],
    ['text out of place in a list', '<ul>a<li>b</li>c</ul>', 'a\n\n- b\n\nc'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['quotes in quotes', '<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
    ['a list in a quote', '<blockquote><ul><li>a<li>b</ul></blockquote>', '> - a\n> - b'],
    ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
    ['terms', '<dl><dt>A<dd>b</dl>', '**A**\n\nb'],
    ['details', '<details><summary>More</summary><p>x</p></details>', '**More**\n\nx'],
    ['emphasis around blocks', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
    [
      'a link around blocks',
      '<a href="/c"><h3>A</h3><p>b</p></a>',
      '### [A](https://acme.dev/c)\n\n[b](https://acme.dev/c)',
    ],
    ['tags that never end', '<p>a<p>b<ul><li>c', 'a\n\nb\n\n- c'],
    ['end tags that never began', '<p>a</b></div>b</p>', 'ab'],
  ]);
});

describe('code', () => {
  table([
    ['language- on the code', '<pre><code class="hljs language-ts">let a;</code></pre>', '```ts\nlet a;\n```'],
    ['lang- on the block', '<pre class="lang-C++ x">a</pre>', '```c++\na\n```'],
    ['on the wrapper', '<div class="language-sh highlight"><div><pre>a</pre></div></div>', '```sh\na\n```'],
    ['exact text', '<pre>\n  a &lt; b\n\n\n\tc  \n</pre>', '```\n  a < b\n\n\n\tc  \n```'],
    ['marks inside are text', '<pre># *a* _b_ [c](d) <b>e</b></pre>', '```\n# *a* _b_ [c](d) e\n```'],
    ['a fence inside', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
    ['line breaks as tags', '<pre>a<br>b</pre>', '```\na\nb\n```'],
    ['the copy button is no code', '<pre><button>Copy</button>a</pre>', '```\na\n```'],
    ['in a list', '<ul><li>a<pre>b\nc</pre></ul>', '- a\n\n  ```\n  b\n  c\n  ```'],
    ['in a line', '<p>a <code>b  &lt;c&gt;</code> <kbd>d</kbd></p>', 'a `b <c>` `d`'],
    ['in a line with marks', '<p><code>a`b</code> <code>`</code></p>', '``a`b`` `` ` ``'],
  ]);
});

describe('tables', () => {
  table([
    [
      'with a head',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['without a head', '<table><tr><td>1<td>2<tr><td>3<td>4</table>', '| 1 | 2 |\n| --- | --- |\n| 3 | 4 |'],
    ['bars in cells', '<table><tr><th>a|b<th>c</table>', '| a\\|b | c |\n| --- | --- |'],
    ['blocks in cells', '<table><tr><td>a<td><p>b</p><p>c</p></table>', '| a | b<br>c |\n| --- | --- |'],
    [
      'cells over columns and rows',
      '<table><tr><th>A<th>B<th>C<tr><td colspan=2>1<td rowspan=2>2<tr><td>3<td>4</table>',
      '| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n| 3 | 4 |  |',
    ],
    ['for layout: one column', '<table><tr><td><p>a</p><p>b</p></table>', 'a\n\nb'],
    ['for layout: by role', '<table role="presentation"><tr><td>a<td>b</table>', 'a\n\nb'],
    ['for layout: tables inside', '<table><tr><td>a<td><table><tr><td>b</table></table>', 'a\n\nb'],
  ]);
});

describe('inside a line', () => {
  table([
    ['emphasis', '<p><b>a</b> <em>b</em> <del>c</del> <u>d</u></p>', '**a** *b* ~~c~~ d'],
    ['space stays outside', '<p>a<b> b </b>c</p>', 'a **b** c'],
    ['marks in marks of the same kind', '<p><b>a <strong>b</strong></b></p>', '**a b**'],
    ['neighbours of one kind', '<p><b>a</b><b>b</b></p>', '**ab**'],
    ['punctuation before a word', '<p><b>Note:</b>text</p>', '**Note**:text'],
    ['empty marks', '<p>a<b> </b>b<i></i></p>', 'a b'],
    [
      'text that looks like marks',
      '<p>2*3 _x_ snake_case `a` a*b* &lt;T&gt; [a](b)</p>',
      '2\\*3 \\_x\\_ snake_case \\`a\\` a\\*b\\* \\<T> [a\\](b)',
    ],
    ['text that looks like an entity', '<p>&amp;lt; AT&amp;T</p>', '\\&lt; AT&T'],
    [
      'lines that look like blocks',
      '<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>---</p>',
      '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\---',
    ],
    ['non-breaking spaces and invisible ones', '<p>a&nbsp;&nbsp;b\u200bc</p>', 'a bc'],
  ]);
});

describe('addresses', () => {
  table([
    ['relative link', '<p><a href="../x?y#z">a</a></p>', '[a](https://acme.dev/blog/x?y#z)'],
    ['relative image', '<p><img src="/i.png" alt="A [b]"></p>', '![A \\[b\\]](https://acme.dev/i.png)'],
    ['mail', '<p><a href="mailto:a@b.dev">a</a></p>', '[a](mailto:a@b.dev)'],
    [
      'any other scheme',
      '<p><a href="javascript:x()">a</a> <a href="tel:1">b</a> <a href="ftp://x/">c</a></p>',
      'a b c',
    ],
    ['base element', '<base href="https://cdn.dev/d/"><p><a href="x">a</a></p>', '[a](https://cdn.dev/d/x)'],
    ['xml:base inside', '<div xml:base="https://x.dev/"><p><a href="y">a</a></p></div>', '[a](https://x.dev/y)'],
    [
      'brackets in an address',
      '<p><a href="/a_(b)">x</a> <a href="/a)b">y</a></p>',
      '[x](https://acme.dev/a_(b)) [y](https://acme.dev/a%29b)',
    ],
    ['a secret in an address', '<p><a href="https://u:p@x.dev/">a</a></p>', '[a](https://x.dev/)'],
    ['a link without words', '<p>a<a href="/x"> </a>b</p>', 'a b'],
    [
      'a picture as link',
      '<p><a href="/x"><img src="/i.png" alt="i"></a></p>',
      '[![i](https://acme.dev/i.png)](https://acme.dev/x)',
    ],
    ['the anchor of a heading', '<h2>A <a href="#a">#</a></h2>', '## A'],
    ['data image', '<p>a<img src="data:image/png;base64,AA=="></p>', 'a'],
    ['a picture that loads late', '<p><img src="data:,x" data-src="/i.png"></p>', '![](https://acme.dev/i.png)'],
    ['a counting pixel', '<p>a<img src="https://t.dev/o.gif" width="1" height="1"></p>', 'a'],
    ['a drawn emoji', '<p>a <img class="emoji" alt="🎉" src="/e.png"></p>', 'a 🎉'],
  ]);

  it('xml:base wins over base', () => {
    const text = '<base href="https://cdn.dev/"><p><a href="x">a</a></p>';
    assert.equal(toMarkdown(text, { xmlBase: 'https://feed.dev/', address: PAGE }), '[a](https://feed.dev/x)');
  });

  it('a relative address without a base is text', () => {
    assert.equal(toMarkdown('<p><a href="/x">a</a><img src="/i.png"></p>'), 'a');
  });
});

describe('frames', () => {
  const video = (url: string) => `<p>a</p><iframe src="${url}"></iframe>`;
  const watch: [frame: string, address: string][] = [
    ['https://www.youtube.com/embed/abc_-1?rel=0', 'https://www.youtube.com/watch?v=abc_-1'],
    ['//www.youtube-nocookie.com/embed/abc', 'https://www.youtube.com/watch?v=abc'],
    ['https://www.youtube.com/embed/videoseries?list=PL1', 'https://www.youtube.com/playlist?list=PL1'],
    ['https://player.vimeo.com/video/123?h=4', 'https://vimeo.com/123'],
    ['https://fast.wistia.net/embed/iframe/ab12', 'https://fast.wistia.net/embed/iframe/ab12'],
    ['https://www.loom.com/embed/ab12', 'https://www.loom.com/share/ab12'],
    ['https://play.vidyard.com/ab12.html', 'https://share.vidyard.com/watch/ab12'],
  ];
  table(watch.map(([frame, address]): Row => [frame, video(frame), `a\n\n[Video](${address})`]));
  table([
    ['another frame', video('https://ads.dev/x'), 'a'],
    ['a film', '<p>a</p><video><source src="/v.mp4"></video>', 'a\n\n[Video](https://acme.dev/v.mp4)'],
  ]);
});

describe('what is removed', () => {
  const gone = [
    '<script>x</script>',
    '<style>x</style>',
    '<template><p>x</p></template>',
    '<nav><a href="/">x</a></nav>',
    '<footer>x</footer>',
    '<form><p>x</p><input></form>',
    '<div hidden>x</div>',
    '<p aria-hidden="true">x</p>',
    '<div style="color:red; display : none">x</div>',
    '<svg><title>x</title><path/></svg>',
    '<button>x</button>',
    '<!-- x -->',
    '<head><title>x</title></head>',
  ];
  table(gone.map((html): Row => [html, `<p>a</p>${html}<p>b</p>`, 'a\n\nb']));
});

describe('nodes that are known to be HTML', () => {
  it('need no block-level tag', () => {
    assert.equal(htmlToMarkdown(parseHtml('a <b>b</b>').children), 'a **b**');
  });

  it('may have a prefix', () => {
    assert.equal(htmlToMarkdown(parseHtml('<xhtml:p>a <xhtml:b>b</xhtml:b></xhtml:p>').children), 'a **b**');
  });
});
