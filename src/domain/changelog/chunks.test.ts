import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { changelogChunks } from './chunks.ts';
import { headingOffsets } from './headings.ts';
import { markdownFile } from './markdown.fixture.ts';

const texts = (text: string): string[] =>
  changelogChunks(text).map(({ offset, length }) => text.slice(offset, offset + length));

describe('changelogChunks', () => {
  it('has none for an empty file', () => {
    assert.deepEqual(changelogChunks(''), []);
  });

  it('joins sections up to 240 estimated tokens', () => {
    const section = (title: string, size: number): string => `# ${title}\n`.padEnd(size, 'x ').replace(/.$/, '\n');
    const [a, b, c] = [section('a', 500), section('b', 460), section('c', 4)];
    assert.deepEqual(changelogChunks(a + b + c), [
      { offset: 0, length: 960, tokens: 240, heading: 'a' },
      { offset: 960, length: 4, tokens: 1, heading: 'c' },
    ]);
  });

  it('joins no section with the version before it', () => {
    const text = '# Changes\n\n# 2.0.0\n\n## Fixed\n\n- a\n\n# 1.0.0\n\n- b\n';
    const second = text.indexOf('# 1.0.0');
    const parts = changelogChunks(text, undefined, new Set([text.indexOf('# 2.0.0'), second]));
    assert.deepEqual(
      parts.map(({ offset, heading }) => [offset, heading]),
      [
        [0, 'Changes'],
        [second, '1.0.0'],
      ],
    );
  });

  it('leaves a section of 241 to 256 alone and whole', () => {
    const long = `# b\n${'x'.repeat(1019)}\n`;
    assert.deepEqual(changelogChunks(`# a\n${long}# c\n`), [
      { offset: 0, length: 4, tokens: 1, heading: 'a' },
      { offset: 4, length: 1024, tokens: 256, heading: 'b' },
      { offset: 1028, length: 4, tokens: 1, heading: 'c' },
    ]);
  });

  it('names the text before the first heading by none', () => {
    assert.deepEqual(changelogChunks('intro\n# a\n'), [{ offset: 0, length: 10, tokens: 3, heading: null }]);
  });

  it('splits a large section at block ends', () => {
    const block = `${'word '.repeat(79)}end.\n\n`;
    assert.deepEqual(texts(`# a\n\n${block.repeat(4)}`), [`# a\n\n${block.repeat(2)}`, block.repeat(2)]);
  });

  it('does not take a blank line in fenced code for a block end', () => {
    const code = `\`\`\`\n${'x\n\n'.repeat(160)}\`\`\`\n`;
    const block = `${'word '.repeat(100)}\n`;
    assert.deepEqual(texts(`# a\n${block}${code}${block}`), [`# a\n${block}`, code, block]);
  });

  it('fills up with lines of a block that is too large for one part', () => {
    const line = `* ${'word '.repeat(19)}\n`;
    assert.deepEqual(texts(`# a\n\n${line.repeat(12)}`), [`# a\n\n${line.repeat(9)}`, line.repeat(3)]);
  });

  it('cuts a line that is too long behind a word, and a word between characters', () => {
    assert.deepEqual(texts(`# a\n${'word '.repeat(250)}`), [`# a\n${'word '.repeat(191)}`, 'word '.repeat(59)]);
    assert.deepEqual(texts(`# a\nx${'😀'.repeat(600)}`), [`# a\nx${'😀'.repeat(477)}`, '😀'.repeat(123)]);
  });

  it('tiles any file in parts that the model can read, each named by its section', () => {
    fc.assert(
      fc.property(markdownFile, (text) => {
        const headings = headingOffsets(text);
        let end = 0;
        for (const { offset, length, tokens, heading } of changelogChunks(text)) {
          assert.equal(offset, end);
          assert.ok(length > 0);
          assert.equal(tokens, Math.ceil(length / 4));
          assert.ok(tokens <= 256);
          assert.equal(heading === null, offset < (headings[0] ?? Number.POSITIVE_INFINITY));
          end += length;
        }
        assert.equal(end, text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('tiles a megabyte of entries, and hostile lines', () => {
    const entry = '## 1.2.0 (2024-02-01)\n\n* fix: a crash in the parser\n\n```js\nrun();\n```\n\n';
    for (const line of [entry, 'a', '\n', '#\n', '```a\n', '- ```a\n', '😀']) {
      const text = line.repeat((line === entry ? 1_048_576 : 262_144) / line.length);
      const covered = changelogChunks(text).reduce((sum, chunk) => sum + chunk.length, 0);
      assert.equal(covered, text.length);
    }
  });
});
