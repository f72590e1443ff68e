import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markdownFile } from '../changelog/markdown.fixture.ts';
import { hiddenBlocks } from './hidden-blocks.ts';

// The text with hidden blocks shown as their kind.
function shown(text: string): string {
  let result = '';
  let from = 0;
  for (const { kind, start, end } of hiddenBlocks(text)) {
    result += `${text.slice(from, start)}{${kind}}`;
    from = end;
  }
  return result + text.slice(from);
}

describe('hidden blocks', () => {
  const table: [string, string, string][] = [
    ['nothing', 'a\n\n- b\n', 'a\n\n- b\n'],
    ['a fence', 'a\n```js\n# b\n```\nc', 'a\n{fence}c'],
    ['a fence that is never closed is text', '```js\n# a\n', '```js\n# a\n'],
    ['a fence in a list item', '- a\n\n    ```\n    # b\n    ```\n- c', '- a\n\n{fence}- c'],
    [
      'indented code is left to the reader of the line',
      'a\n\n    ```\n    b\n    ```\n',
      'a\n\n    ```\n    b\n    ```\n',
    ],
    ['a document that is indented throughout', '    a\n    ```\n    b\n    ```\n', '    a\n{fence}'],
    ['a list item ends its fence', '- ```\n  a\n\n## b\n\n```\nc\n```\n', '- ```\n  a\n\n## b\n\n{fence}'],
    ['a fence in a quote', '> ```\n> # a\n> ```\nb', '{fence}b'],
    ['a quote ends its fence', '> ```\n> a\n\n```\nb\n```\n', '> ```\n> a\n\n{fence}'],
    ['a title that is underlined', 'Title\n~~~~~\n\na\n\nOther\n~~~~~\n', 'Title\n~~~~~\n\na\n\nOther\n~~~~~\n'],
    ['a comment', 'a\n<!-- b\n\n## c -->\nd', 'a\n{comment}\nd'],
    ['a comment that is never closed is text', '<!-- a\n## b\n', '<!-- a\n## b\n'],
    ['a comment inside a line is left to the reader of the line', 'a <!-- b --> c\n', 'a <!-- b --> c\n'],
    ['a comment that goes on below its line', '## a <!-- b\nc --> d', '## a {comment} d'],
    ['a comment in a code span', 'a `<!--` b\n## c\n-->\n', 'a `<!--` b\n## c\n-->\n'],
    ['a comment in a fence', '```\n<!--\n```\n## a\n-->\n', '{fence}## a\n-->\n'],
    ['a fence in a comment', '<!--\n```\n-->\n## a\n```\nb\n```\n', '{comment}\n## a\n{fence}'],
    ['verbatim HTML', '<pre>\n# a\n</pre>\n<script>b</script>c', '{literal}\n{literal}c'],
    ['verbatim HTML that is never closed is text', '<pre>\n# a\n<!-- b -->', '<pre>\n# a\n{comment}'],
    ['front matter', '---\ntitle: a\n---\n# b', '{front matter}# b'],
    ['a rule is no front matter', '---\n\n# a\n\n---\n', '---\n\n# a\n\n---\n'],
  ];
  for (const [name, text, expected] of table) {
    it(name, () => {
      assert.equal(shown(text), expected);
    });
  }
});

describe('a fence that has lost its end', () => {
  const lost = '```js\na()\n\n## Breaking changes\n\n- b\n\n';

  it('does not take the end of the next one that says what it holds', () => {
    assert.equal(shown(`${lost}\`\`\`js\nc()\n\`\`\`\n`), `${lost}{fence}`);
  });

  it('does not take the beginning of the next one', () => {
    assert.equal(shown(`${lost}\`\`\`\nc()\n\`\`\`\n\nd\n`), `${lost}{fence}\nd\n`);
  });

  it('is not seen where every fence has its end', () => {
    assert.equal(shown('```md\n\n## a\n\n```\n\n```\nb\n```\n'), '{fence}\n{fence}');
    assert.equal(shown('```md\n\n## a\n\n```js\nb\n```\n'), '{fence}');
    assert.equal(shown('```sh\n\n## a\n\nb\n```\n\n## c\n\n```\nd\n'), '{fence}\n## c\n\n```\nd\n');
  });
});

describe('any document', () => {
  it('has blocks in order, each inside the text', () => {
    fc.assert(
      fc.property(markdownFile, (text) => {
        let from = 0;
        for (const { start, end } of hiddenBlocks(text)) {
          assert.ok(from <= start && start < end && end <= text.length);
          from = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('comes to an end where nothing is ever closed', () => {
    const units = ['```a\n', '- ```a\n', '> ```\n\n', '<!-- a\n', '<!-- a', '<pre>\n', '```a\n\n## b\n\n', '`<!--`'];
    for (const unit of units) assert.equal(hiddenBlocks(unit.repeat(50_000)).length, 0);
  });

  it('comes to an end where everything is closed', () => {
    const units = [
      '```a\nb\n```\n',
      '<!-- a -->\n',
      '<pre></pre>\n',
      '<!---->',
      '> ```\n> ```\n\n',
      '```\n\n## b\n\n```\n',
    ];
    for (const unit of units) assert.ok(hiddenBlocks(`${unit.repeat(30_000)}\`\`\`\n`).length <= 30_000);
  });
});
