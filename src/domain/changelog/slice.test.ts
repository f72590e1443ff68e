import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countTokens } from '../tokens/index.ts';
import { headingOffsets } from './headings.ts';
import { markdownFile } from './markdown.fixture.ts';
import { type SliceRange, sectionTokens, sliceByChars, sliceByTokens } from './slice.ts';

// 113 characters, headings at 6, 31 and 97.
const FILE = [
  'Intro\n',
  '## 2.0.0\n\n* new things\n\n\n',
  `## 1.0.0\n\n${'* older thing\n'.repeat(4)}`,
  '## 0.9.0\n\nfirst\n',
].join('');

const plainEnds = (text: string): number[] => headingOffsets(text);
const short = ({ offset, length, nextOffset }: SliceRange) => [offset, length, nextOffset];

describe('sliceByChars', () => {
  it('has the file of the table', () => {
    assert.equal(FILE.length, 113);
    assert.deepEqual(plainEnds(FILE), [6, 31, 97]);
  });

  const table: [{ offset?: number; limit?: number }, [number, number, number | null]][] = [
    [{}, [0, 113, null]],
    [{ limit: 40 }, [0, 31, 31]],
    [{ offset: 31, limit: 40 }, [31, 66, 97]],
    [{ offset: 7, limit: 40 }, [31, 66, 97]],
    [{ offset: 97, limit: 10 }, [97, 10, 107]],
    [{ offset: 107, limit: 10 }, [107, 6, null]],
    [{ offset: 200 }, [113, 0, null]],
    [{ limit: 31 }, [0, 31, 31]],
    [{ limit: 30 }, [0, 6, 6]],
    [{ limit: 5 }, [0, 6, 6]],
    [{ limit: 113 }, [0, 113, null]],
    [{ limit: 112 }, [0, 97, 97]],
    [{ offset: 6, limit: 1 }, [6, 25, 31]],
    [{ offset: 98, limit: 15 }, [98, 15, null]],
    [{ offset: 113 }, [113, 0, null]],
    [{ offset: -5, limit: 40 }, [0, 31, 31]],
    [{ limit: 0 }, [0, 113, null]],
    [{ limit: Number.NaN }, [0, 113, null]],
  ];
  for (const [input, expected] of table) {
    it(`answers ${JSON.stringify(input)} with ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(short(sliceByChars(FILE, plainEnds(FILE), input)), expected);
    });
  }

  it('cuts a text without headings at the limit', () => {
    const slices = chain('x'.repeat(1000), (text, offset) => sliceByChars(text, [], { offset, limit: 300 }));
    assert.deepEqual(
      slices.map(({ offset, length }) => [offset, length]),
      [
        [0, 300],
        [300, 300],
        [600, 300],
        [900, 100],
      ],
    );
  });

  it('takes one more where a surrogate pair would be split', () => {
    const text = 'ab😀😀';
    assert.deepEqual(short(sliceByChars(text, [], { limit: 3 })), [0, 4, 4]);
    assert.deepEqual(short(sliceByChars(text, [], { limit: 5 })), [0, 6, null]);
    assert.deepEqual(short(sliceByChars(text, [], { offset: 3 })), [4, 2, null]);
  });

  it('holds at most 500,000 characters where no heading follows', () => {
    const text = 'x'.repeat(600_000);
    assert.deepEqual(short(sliceByChars(text, [], { limit: 600_000 })), [0, 500_000, 500_000]);
    assert.deepEqual(short(sliceByChars(text, [], {})), [0, 40_000, 40_000]);
  });

  it('rebuilds any file from chained slices, for any limit', () => {
    fc.assert(
      fc.property(markdownFile, fc.integer({ min: 1, max: 4000 }), (text, limit) => {
        const headings = headingOffsets(text);
        const slices = chain(text, (_, offset) => sliceByChars(text, headings, { offset, limit }));
        assert.equal(joined(text, slices), text);
      }),
      { numRuns: 500 },
    );
  });

  it('starts at 0, at a heading, or behind the last one, for any offset', () => {
    fc.assert(
      fc.property(markdownFile, fc.nat({ max: 5000 }), (text, wanted) => {
        const headings = headingOffsets(text);
        const { offset } = sliceByChars(text, headings, { offset: wanted });
        assert.ok(offset === 0 || headings.includes(offset) || offset > (headings.at(-1) ?? -1));
        assert.ok(offset >= Math.min(wanted, text.length));
      }),
    );
  });
});

describe('sliceByTokens', () => {
  const counts = [0, 6, 31, 97].map((start, at) => countTokens(FILE.slice(start, [6, 31, 97, 113][at])));
  const [intro = 0, newest = 0, older = 0, first = 0] = counts;

  const table: [string, { offset?: number; tokens?: number }, [number, number, number | null], number][] = [
    ['all', {}, [0, 113, null], intro + newest + older + first],
    ['exactly two sections', { tokens: intro + newest }, [0, 31, 31], intro + newest],
    ['one token less', { tokens: intro + newest - 1 }, [0, 6, 6], intro],
    ['the first section alone is too large', { offset: 31, tokens: 3 }, [31, 66, 97], older],
    ['snap forward', { offset: 7, tokens: 3 }, [31, 66, 97], older],
    ['a tail without headings', { offset: 97, tokens: first - 1 }, [97, 15, 112], first - 1],
    ['the end', { offset: 200 }, [113, 0, null], 0],
  ];
  for (const [name, input, expected, tokens] of table) {
    it(name, () => {
      const slice = sliceByTokens(FILE, plainEnds(FILE), input);
      assert.deepEqual(short(slice), expected);
      assert.equal(slice.sliceTokens, tokens);
    });
  }

  it('gives a character whole when it has more tokens than the budget', () => {
    const slices = chain('𐐀😀𐐁', (text, offset) => sliceByTokens(text, [], { offset, tokens: 1 }));
    assert.deepEqual(
      slices.map(({ offset, length }) => [offset, length]),
      [
        [0, 2],
        [2, 2],
        [4, 2],
      ],
    );
  });

  it('rebuilds any file from chained slices, for any budget, each counted exactly', () => {
    fc.assert(
      fc.property(markdownFile, fc.integer({ min: 1, max: 1000 }), (text, tokens) => {
        const headings = headingOffsets(text);
        const known = sectionTokens(text, headings);
        const slices = chain(text, (_, offset) => {
          const slice = sliceByTokens(text, headings, { offset, tokens });
          assert.equal(slice.sliceTokens, countTokens(text.slice(slice.offset, slice.offset + slice.length)));
          assert.deepEqual(sliceByTokens(text, headings, { offset, tokens, sectionTokens: known }), slice);
          return slice;
        });
        assert.equal(joined(text, slices), text);
      }),
      { numRuns: 100 },
    );
  });

  it('holds the most whole sections that the budget allows', () => {
    fc.assert(
      fc.property(markdownFile, fc.integer({ min: 1, max: 400 }), (text, tokens) => {
        const headings = headingOffsets(text);
        const ends = [...headings.filter((offset) => offset > 0), text.length];
        fc.pre(ends.length > 1);
        const fitting = ends.filter((end) => countTokens(text.slice(0, end)) <= tokens);
        const { length } = sliceByTokens(text, headings, { tokens });
        assert.equal(length, fitting.at(-1) ?? ends[0]);
      }),
      { numRuns: 300 },
    );
  });

  it('adds up sections to the count of the file', () => {
    fc.assert(
      fc.property(markdownFile, (text) => {
        const total = sectionTokens(text, headingOffsets(text)).reduce((sum, tokens) => sum + tokens, 0);
        assert.equal(total, countTokens(text));
      }),
      { numRuns: 300 },
    );
  });
});

// Follows `nextOffset` to the end; each must be honoured exactly and lead on.
function chain(text: string, next: (text: string, offset: number) => SliceRange): SliceRange[] {
  const slices: SliceRange[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const slice: SliceRange = next(text, offset);
    assert.equal(slice.offset, offset);
    assert.ok(slice.length > 0 || text === '');
    assert.ok(slice.nextOffset === null || slice.nextOffset === slice.offset + slice.length);
    const end = slice.offset + slice.length;
    assert.ok(!/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1)) || end === 0);
    slices.push(slice);
    offset = slice.nextOffset;
  }
  return slices;
}

function joined(text: string, slices: SliceRange[]): string {
  return slices.map(({ offset, length }) => text.slice(offset, offset + length)).join('');
}
