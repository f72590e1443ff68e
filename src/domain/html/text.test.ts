import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineText, linksIn } from './text.ts';

describe('a line of text', () => {
  const rows: [input: string, expected: string][] = [
    [' a\n  b ', 'a b'],
    ['<b>a</b> &amp; b', 'a & b'],
    ['Vec<T> and <Suspense>', 'Vec<T> and <Suspense>'],
    ['R&D', 'R&D'],
    ['a<br>b', 'a b'],
    ['a <script>x</script><i>b</i>', 'a b'],
  ];
  for (const [input, expected] of rows) it(input, () => assert.equal(lineText(input), expected));
});

describe('links of a body', () => {
  it('links, addresses in brackets and bare ones, each once, no pictures', () => {
    const text =
      '[a](https://x.dev/a) <https://x.dev/b> see https://x.dev/c. [a](https://x.dev/a) ![p](https://x.dev/p.png) [![q](https://x.dev/q.png)](https://x.dev/d) [m](mailto:a@b.c)';
    assert.deepEqual(linksIn(text), ['https://x.dev/a', 'https://x.dev/d', 'https://x.dev/b', 'https://x.dev/c']);
  });
});
