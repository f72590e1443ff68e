import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { headingIndex, headingOffsets } from './headings.ts';

describe('headingOffsets', () => {
  const table: [string, string, number[]][] = [
    ['nothing', '', []],
    ['levels 1 to 3, not 4', '# a\n## b\n### c\n#### d\n', [0, 4, 9]],
    ['up to three spaces', ' # a\n  # b\n   # c\n    # d\n\t# e\n', [0, 5, 11]],
    ['space, tab or line end behind the marks', '# a\n#\tb\n#\n##\n#c\n###', [0, 4, 8, 10, 16]],
    ['a fence hides', '# 1\n```\n# not\n```\n# 2\n', [0, 18]],
    ['tildes hide, and backticks do not close them', '# 1\n~~~\n# not\n```\n# not\n~~~\n# 2\n', [0, 28]],
    ['a shorter fence does not close', '````\n# not\n```\n# not\n````\n# 2', [26]],
    ['a longer fence closes', '```\n# not\n`````\n# 2', [16]],
    ['a closing fence has no info', '```\n# not\n``` js\n# not\n```\n# 2', [27]],
    ['a closing fence may end in blanks', '```\n# not\n``` \t\n# 2', [16]],
    ['a closing fence is not indented by four', '```\n# not\n    ```\n# not\n```\n# 2', [28]],
    ['an opening fence is not indented by four', '    ```\n# 1\n    ```\n', [8]],
    ['info with a backtick opens nothing', '``` a`b\n# 1\n```\n# not\n```\n', [8]],
    ['two marks open nothing', '``\n# 1\n``\n', [3]],
    ['an unclosed fence is plain text', '# 1\n```\n# 2\n~~~\n# 3\n', [0, 8, 16]],
    ['an unclosed fence does not swallow a closed one', '````\n# 1\n```\n# not\n```\n# 2\n', [5, 23]],
    ['a fence behind a list marker', '- ```sh\n  # not\n  ```\n# 2\n', [22]],
    ['a fence behind nested markers', '1. - ~~~\n     x\n  # not\n     ~~~\n# 2', [33]],
    ['a list item ends its fence', '- ```\n  x\n\n# 1\n```\n# not\n```\n', [11]],
    ['a comment hides', '# 1\n<!--\n# not\n-->\n# 2\n', [0, 19]],
    ['behind a comment in its line there is none', '<!-- a --> # not\n# 1\n', [17]],
    ['a fence that lost its end hides no section', '```js\na\n\n## 1\n\n```js\n# not\n```\n', [9]],
    ['carriage returns', '# 1\r\n```\r\n# not\r\n```\r\n#\r\n', [0, 22]],
  ];
  for (const [name, text, offsets] of table) {
    it(name, () => {
      assert.deepEqual(headingOffsets(text), offsets);
    });
  }

  it('comes to an end on fences that are never closed', () => {
    const rising = Array.from({ length: 1500 }, (_, at) => `${'`'.repeat(at + 3)}\n`).reverse();
    const hostile = ['```a\n'.repeat(200_000), '- ```a\n'.repeat(150_000), '- '.repeat(500_000), rising.join('')];
    for (const text of hostile) assert.deepEqual(headingOffsets(text), []);
  });
});

describe('headingIndex', () => {
  const table: [string, number, string][] = [
    ['# Changelog', 1, 'Changelog'],
    ['  ##   [1.4.0] - 2024-02-01  ', 2, '[1.4.0] - 2024-02-01'],
    ['### Fixed ###', 3, 'Fixed'],
    ['# C#', 1, 'C#'],
    ['## ##', 2, ''],
    ['#', 1, ''],
    [`# ${'x'.repeat(199)}😀`, 1, 'x'.repeat(199)],
  ];
  for (const [line, level, text] of table) {
    it(`reads ${line.slice(0, 30)}`, () => {
      assert.deepEqual(headingIndex(line), [{ offset: 0, level, text }]);
    });
  }
});
