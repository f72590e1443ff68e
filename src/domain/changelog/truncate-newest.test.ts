import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { headingIndex, isOldestFirst } from './headings.ts';
import { markdownFile } from './markdown.fixture.ts';
import { truncateToNewest } from './truncate-newest.ts';

describe('keepNewest', () => {
  const newestFirst = '# Log\n\n## 2.0.0\n\nnew\n\n## 1.0.0\n\nold\n';
  const oldestFirst = '# Log\n\n## 1.0.0\n\nold\n\n## 2.0.0\n\nnew\n';

  it('leaves a file that fits', () => {
    assert.deepEqual(truncateToNewest(newestFirst), { content: newestFirst, truncatedAt: null });
    assert.deepEqual(truncateToNewest(newestFirst, newestFirst.length), { content: newestFirst, truncatedAt: null });
  });

  it('keeps the beginning up to a heading', () => {
    assert.deepEqual(truncateToNewest(newestFirst, 35), { content: newestFirst.slice(0, 22), truncatedAt: 22 });
    assert.deepEqual(truncateToNewest(newestFirst, 22), { content: newestFirst.slice(0, 22), truncatedAt: 22 });
    assert.deepEqual(truncateToNewest(newestFirst, 21), { content: newestFirst.slice(0, 7), truncatedAt: 7 });
  });

  it('keeps the end from a heading on when the file runs from old to new', () => {
    assert.deepEqual(truncateToNewest(oldestFirst, 35), { content: oldestFirst.slice(7), truncatedAt: 7 });
    assert.deepEqual(truncateToNewest(oldestFirst, 15), { content: oldestFirst.slice(22), truncatedAt: 22 });
  });

  it('cuts at a line where no heading leaves a part that fits', () => {
    assert.deepEqual(truncateToNewest('# 1\nfirst\nsecond\n', 12), { content: '# 1\nfirst\n', truncatedAt: 10 });
    assert.deepEqual(truncateToNewest(oldestFirst, 4), { content: 'new\n', truncatedAt: 32 });
    assert.deepEqual(truncateToNewest(oldestFirst, 3), { content: 'ew\n', truncatedAt: 33 });
  });

  it('cuts one endless line between characters', () => {
    assert.deepEqual(truncateToNewest('😀😀😀', 9), { content: '😀😀', truncatedAt: 4 });
  });

  it('measures bytes, not characters', () => {
    const text = `# 2\n${'é'.repeat(10)}\n# 1\n`;
    assert.deepEqual(truncateToNewest(text, 25), { content: text.slice(0, 15), truncatedAt: 15 });
    assert.deepEqual(truncateToNewest(text, 24), { content: '# 2\n', truncatedAt: 4 });
  });

  it('keeps an exact, whole-character part of any file within the size', () => {
    fc.assert(
      fc.property(markdownFile, fc.integer({ min: 4, max: 3000 }), (text, maxBytes) => {
        const { content, truncatedAt } = truncateToNewest(text, maxBytes);
        assert.ok(Buffer.byteLength(content) <= maxBytes);
        assert.equal(truncatedAt === null, content === text);
        if (truncatedAt !== null) {
          assert.ok(content === text.slice(0, truncatedAt) || content === text.slice(truncatedAt));
          assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(truncatedAt - 1, truncatedAt + 1)));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('isOldestFirst', () => {
  const table: [string[], boolean][] = [
    [[], false],
    [['1.0.0'], false],
    [['2.0.0', '1.0.0'], false],
    [['1.0.0', '2.0.0'], true],
    [['1.9.0', '1.10.0'], true],
    [['v1', 'Version 2'], true],
    [['Changelog', '1.0.0', 'Fixed', '1.1.0', 'Thanks'], true],
    [['2.0.0 - 2024-01-01', '1.9.9 - 2024-03-01'], true],
    [['1.9.9 (March 1st, 2024)', '2.0.0 (1 Jan 2024)'], false],
    [['15.01.2024', '14.02.2024'], true],
    [['January 2023', 'February 2024'], true],
    [['2024-01-01 1.0.0', '2024-01-01 1.1.0'], true],
    [['1.1.0', '1.0.0 - 2024-01-01'], false],
    [['[@acme/core@1.0.0]', '[@acme/core@1.0.1]'], true],
  ];
  for (const [titles, expected] of table) {
    it(`${expected ? 'rises' : 'does not rise'}: ${titles.join(', ') || 'none'}`, () => {
      assert.equal(isOldestFirst(headingIndex(titles.map((title) => `## ${title}\n`).join(''))), expected);
    });
  }
});
