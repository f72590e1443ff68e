import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanItem, readBody } from './index.ts';
import { lines } from './notes.fixture.ts';

function texts(content: string): string[] {
  return readBody(content).items.map((item) => item.text);
}

describe('cleaned entries', () => {
  const rows: readonly [raw: string, expected: string][] = [
    ['See the [guide](https://acme.example/guide "Guide")', 'See the guide'],
    ['See the [guide][1] and [`Client`]', 'See the guide and Client'],
    ['Wiki [link](https://en.example/a_(b)) here', 'Wiki link here'],
    ['[![badge](https://b.example/x.svg)](https://b.example) Ready', 'Ready'],
    ['ab12cd3: Trim names', 'Trim names'],
    ['Trim names (ab12cd3)', 'Trim names'],
    ['Trim names ([ab12cd3](https://git.example/a/b/commit/ab12cd3e))', 'Trim names'],
    ['Trim names ([`1234567`](https://git.example/a/b/commit/1234567))', 'Trim names'],
    ['Trim names (#12, #13)', 'Trim names'],
    ['Trim names, closes #12', 'Trim names'],
    ['Trim names ([#12], thanks [@kim] and [@lee])', 'Trim names'],
    ['Trim names (fixes acme/core#12)', 'Trim names'],
    ['Trim names GH-12', 'Trim names'],
    ['Trim names by @kim in https://git.example/a/b/pull/12', 'Trim names'],
    ['Trim names (@kim)', 'Trim names'],
    ['Trim names — @kim', 'Trim names'],
    ['[#9](https://git.example/a/b/pull/9) Thanks [@kim](https://git.example/kim)! - Trim names', 'Trim names'],
    ['issue #48: Trim names', 'Trim names'],
    ['✨ Trim names :sparkles: 🎉', 'Trim names'],
    ['Trim names.', 'Trim names'],
    ['Trim names, spaces etc.', 'Trim names, spaces etc.'],
    ['fix(core): trim names', 'trim names'],
    ['feat!: trim names', 'trim names'],
    ['**core:** trim _all_ names', 'core: trim all names'],
    ['Rename `a_b` to `@c/d#12`', 'Rename a_b to @c/d#12'],
    ['Use foo() with @acme/core and C#12 in snake_case', 'Use foo() with @acme/core and C#12 in snake_case'],
    ['A &amp; B &lt;C&gt; of Promise&lt;string&gt;', 'A & B <C> of Promise<string>'],
    ['Keep 550e8400-e29b-41d4-a716-446655440000', 'Keep 550e8400-e29b-41d4-a716-446655440000'],
    ['Facade of 1234567 decades', 'Facade of 1234567 decades'],
    ['Two\nlines', 'Two lines'],
    ['Escaped \\*stars\\* and 2 * 3', 'Escaped *stars* and 2 * 3'],
    ['A <!-- hidden --> B', 'A B'],
    ['--force skips checks', '--force skips checks'],
    ['Fix {@link Names#trim} of lists', 'Fix Names#trim of lists'],
    ['Fix {@linkcode trim|trimming} of lists', 'Fix trimming of lists'],
    ['Fix {@link https://names.example all names}', 'Fix all names'],
    ['Keep {@see Names} and {@link }', 'Keep {@see Names} and {@link }'],
  ];
  for (const [raw, expected] of rows) it(raw, () => assert.equal(cleanItem(raw), expected));
});

describe('entries of a body', () => {
  it('takes the outermost entries', () => {
    assert.deepEqual(texts(lines('- One', '  - a', '    - b', '- Two', '  more of two', '* Three')), [
      'One',
      'Two more of two',
      'Three',
    ]);
  });

  it('takes the children of a label instead of it', () => {
    const body = lines('- Editor:', '  - Fix caret', '  - Add ruler', '- **Viewer**', '  - Fix zoom', '- Alone:');
    assert.deepEqual(texts(body), ['Fix caret', 'Add ruler', 'Fix zoom', 'Alone']);
  });

  it('gives the class of a label to its children', () => {
    const { items } = readBody(lines('- Bug fixes:', '  - Caret', '- New features', '  - Ruler'));
    assert.deepEqual(
      items.map((item) => [item.text, item.class]),
      [
        ['Caret', 'bugs'],
        ['Ruler', 'features'],
      ],
    );
  });

  it('takes the sentences of a body without list', () => {
    const body = lines('Removed `a.b`. Dropped e.g. C (see D. E). Fixed', 'wrapped lines!', '', 'Added more? Yes.');
    assert.deepEqual(texts(body), [
      'Removed a.b',
      'Dropped e.g. C (see D. E)',
      'Fixed wrapped lines!',
      'Added more?',
      'Yes',
    ]);
  });

  it('skips code, comments, images, checksums and other people', () => {
    const body = lines(
      '- Kept',
      '```md',
      '- fenced',
      '```',
      '~~~',
      '- fenced too',
      '~~~',
      '<!--',
      '- hidden',
      '-->',
      '- ![only an image](x.png)',
      '- e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 acme.zip',
      '## Downloads',
      '- acme.zip',
      '### Linux',
      '- acme.tar.gz',
      '## Contributors',
      '- @kim',
      '## Notes',
      '- Also kept',
      '- **Full Changelog**: https://git.example/a/b/compare/v1...v2',
    );
    assert.deepEqual(texts(body), ['Kept', 'Also kept']);
  });

  it('skips definitions of links and footnotes, and no other text in brackets', () => {
    const content = lines('[Editor]: Crash in search', '', '[docs]: https://acme.example "Docs"', '[^1]: Only here');
    assert.deepEqual(texts(content), ['[Editor]: Crash in search']);
  });

  it('takes dashes with spaces between them for a break and not for an underline', () => {
    assert.deepEqual(readBody(lines('Fixed a crash', '- - -', 'Fixed a leak')).sections, []);
  });

  it('reads code spans and sections', () => {
    const [item] = readBody(
      lines('## Fixed in the editor', '', 'Text.', '', '### Fixed', '', '- Fix `a` and `b c`'),
    ).items;
    assert.deepEqual(item?.codeSpans, ['a', 'b c']);
    assert.equal(item?.section?.title, 'Fixed');
    assert.equal(item?.section?.level, 3);
  });

  it('reads task boxes, quotes, tabs and windows line ends', () => {
    assert.deepEqual(texts('- [x] Done\r\n- [ ] Open\r\n\t- child\r\n> - Quoted\r\n'), ['Done', 'Open', 'Quoted']);
  });

  it('holds the offset of every entry', () => {
    const content = lines('# 1.0', '', '* **a:** fix `x` (#1)', '  and y by @kim', '', '1. Add z.');
    for (const item of readBody(content).items) {
      assert.equal(cleanItem(content.slice(item.start, item.end)), item.text);
    }
    assert.deepEqual(texts(content), ['a: fix x and y', 'Add z']);
  });

  it('closes a section at a heading of its level', () => {
    const content = lines('## Migration', 'Do this.', '### Then', 'that.', '## Fixed', '- x');
    const section = readBody(content).sections.find((candidate) => candidate.class === 'migration');
    assert.equal(content.slice(section?.start, section?.end).trim(), lines('Do this.', '### Then', 'that.'));
  });
});
