import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutEmoji } from '../clean-text.ts';
import { decodeEntities } from './entities.ts';
import { headingsOf } from './headings.ts';

describe('the headings of a document', () => {
  const rows: readonly [name: string, text: string, expected: readonly (readonly [number, string])[]][] = [
    [
      'all levels',
      '# a\n###### b\n####### c\n',
      [
        [1, 'a'],
        [6, 'b'],
      ],
    ],
    [
      'closing marks',
      '## 1.2.3 ##\n# C#\n',
      [
        [2, '1.2.3'],
        [1, 'C#'],
      ],
    ],
    ['the old spelling, no reference', '##Title\n#12 is a number\n', [[2, 'Title']]],
    ['not in code', '```\n# a\n```\n# b\n', [[1, 'b']]],
    ['not in a comment', '<!--\n# a\n-->\n# b\n', [[1, 'b']]],
    ['not in front matter', '---\ntitle: x\n# a\n---\n# b\n', [[1, 'b']]],
    ['below a fence that is never closed', '```\n# a\n', [[1, 'a']]],
    ['not as indented code', '    # a\n', []],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () =>
      assert.deepEqual(
        Array.from(headingsOf(text), ({ level, text: title }) => [level, title]),
        expected,
      ),
    );
  }
});

it('reads character references', () => {
  assert.equal(decodeEntities('A &amp; B &#39;c&#x27; &mdash; &nosuch; &lt;T&gt; & D'), "A & B 'c' — &nosuch; <T> & D");
});

it('leaves out emoji, as characters and as codes', () => {
  assert.equal(withoutEmoji('🚀1.0 :tada: ✨é a::b::c 10:20:30 👩‍💻👍🏽'), '1.0  é a::b::c 10:20:30 ');
});
