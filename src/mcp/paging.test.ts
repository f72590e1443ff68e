import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from '../domain/tokens/index.ts';
import { fitPage, smallerSizes } from './paging.ts';
import { partOf } from './text-window.ts';
import type { ToolCall } from './tool.ts';

describe('sizes that a page can shrink to', () => {
  const cases: [before: number, size: number, sizes: number[]][] = [
    [0, 5, [4, 3, 2, 1]],
    [25, 25, [5, 1]],
    [50, 25, [10, 5, 2, 1]],
    [0, 1, []],
    [0, 0, []],
  ];
  for (const [before, size, sizes] of cases) {
    it(`${size} after ${before}`, () => assert.deepEqual(smallerSizes(before, size), sizes));
  }
});

it('pages that are cut to the budget give every item once', async () => {
  const all = Array.from({ length: 137 }, (_, index) => `item ${index} ${'of some length '.repeat(index % 7)}`);
  const seen: string[] = [];
  let next: Record<string, unknown> | null = { page: 1, limit: 50 };
  while (next !== null) {
    const { page, limit } = next as { page: number; limit: number };
    const items = all.slice((page - 1) * limit, page * limit);
    const pagination = {
      page,
      pageSize: limit,
      returned: items.length,
      totalItems: all.length,
      totalPages: Math.ceil(all.length / limit),
      hasMore: page * limit < all.length,
    };
    const unused = () => Promise.reject(new Error('unused'));
    const call: ToolCall = { api: { get: unused, send: unused }, maxTokens: 500, given: next };
    const fitted = await fitPage(call, {
      key: 'items',
      items,
      pagination,
      shorten: (item) => item,
      text: (value) => value.items.join('\n'),
    });
    assert.ok(countTokens(JSON.stringify(fitted.structured)) <= 500);
    seen.push(...fitted.value.items);
    next = (fitted.structured as { truncation: { next: Record<string, unknown> | null } }).truncation.next;
  }
  assert.deepEqual(seen, all);
});

describe('a part of a text', () => {
  const cases: [text: string, length: number, part: string][] = [
    ['abc', 3, 'abc'],
    ['one\ntwo\nthree', 9, 'one\ntwo\n'],
    ['a\nlong line without an end', 12, 'a\nlong line '],
    ['😀😀', 1, '😀'],
    ['😀😀', 3, '😀'],
  ];
  for (const [text, length, part] of cases)
    it(`${length} of ${JSON.stringify(text)}`, () => assert.equal(partOf(text, length), part));
});
