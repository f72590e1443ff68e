import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { BoundedLines } from './stdio.ts';

async function passed(chunks: string[], most = 8): Promise<{ out: string; long: number }> {
  let long = 0;
  const lines = new BoundedLines({
    most,
    onLong: () => {
      long += 1;
    },
  });
  const out = await text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(lines));
  return { out, long };
}

describe('BoundedLines', () => {
  const cases: [name: string, chunks: string[], out: string, long: number][] = [
    ['short lines', ['a\nbc\n'], 'a\nbc\n', 0],
    ['a line in pieces', ['ab', 'cd', 'e\n'], 'abcde\n', 0],
    ['a line of the greatest length', ['1234567\n'], '1234567\n', 0],
    ['a long line', ['12345678\nab\n'], 'ab\n', 1],
    ['a long line in pieces', ['1234', '5678', '90', '12\nab\n', 'c\n'], 'ab\nc\n', 1],
    ['two long lines', ['123456789\n123456789\na\n'], 'a\n', 2],
    ['a long line without an end', ['a\n', '123456789'], 'a\n', 1],
    ['no line feed at the end', ['a\nb'], 'a\nb', 0],
  ];
  for (const [name, chunks, out, long] of cases) {
    it(name, async () => assert.deepEqual(await passed(chunks), { out, long }));
  }
});
