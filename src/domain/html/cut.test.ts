import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutContent, toMarkdown } from './to-markdown.ts';

const MIB = 1024 * 1024;

describe('content of more than its bytes', () => {
  const rows: [name: string, text: string, max: number, expected: string][] = [
    ['fits', 'a\n\nb', 100, 'a\n\nb'],
    ['fits exactly', 'a'.repeat(100), 100, 'a'.repeat(100)],
    [
      'ends with a block',
      `${'a'.repeat(20)}\n\n${'b'.repeat(20)}\n\n${'c'.repeat(200)}`,
      100,
      `${'a'.repeat(20)}\n\n${'b'.repeat(20)}\n\n[truncated]`,
    ],
    ['not inside a fence', `aaa\n\n\`\`\`\nx\n\n${'y'.repeat(200)}\n\`\`\``, 100, 'aaa\n\n[truncated]'],
    [
      'with a line, for want of blocks',
      `${'a'.repeat(30)}\n${'b'.repeat(200)}`,
      100,
      `${'a'.repeat(30)}\n\n[truncated]`,
    ],
    ['one long line', 'a'.repeat(200), 100, `${'a'.repeat(87)}\n\n[truncated]`],
    ['bytes count, not letters', 'é'.repeat(60), 100, `${'é'.repeat(43)}\n\n[truncated]`],
    ['pairs are not split', '😀'.repeat(40), 100, `${'😀'.repeat(21)}\n\n[truncated]`],
    [
      'one long fence is closed',
      `\`\`\`\n${'x\n'.repeat(100)}\`\`\``,
      60,
      `\`\`\`\n${'x\n'.repeat(20)}\`\`\`\n\n[truncated]`,
    ],
  ];
  for (const [name, text, max, expected] of rows) {
    it(name, () => {
      const cut = cutContent(text, max);
      assert.equal(cut, expected);
      assert.ok(Buffer.byteLength(cut) <= max);
    });
  }

  it('is cut in both ways of reading', () => {
    for (const text of [`${'word '.repeat(10)}\n\n`, '<p>word word</p>']) {
      const cut = toMarkdown(text.repeat(150_000));
      assert.ok(Buffer.byteLength(cut) <= MIB && Buffer.byteLength(cut) > MIB * 0.99);
      assert.ok(cut.endsWith('word\n\n[truncated]'));
    }
  });
});
