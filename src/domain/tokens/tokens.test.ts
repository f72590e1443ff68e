import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import libraryVocabulary from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { countTokens as libraryCount } from 'gpt-tokenizer/encoding/cl100k_base';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { countTokens, estimateTokens, longestPrefix, textTokens } from './index.ts';
import { tokenEnds } from './merge.ts';
import { byteString, MAX_TOKEN_BYTES, NO_RANK, rankOf, readVocabulary } from './rank-table.ts';

const reference = (text: string): number => libraryCount(text, { disallowedSpecial: new Set<string>() });

const word = fc.constantFrom(
  ...[
    'fix',
    ' release',
    'Internationalization',
    "don't",
    "WE'LL",
    "'re",
    '2024',
    '1.10.3-beta',
    '  ',
    '\n',
    '\n\n   ',
    '\t',
  ],
  ...[
    ' ',
    '#',
    '### ',
    '```\n',
    '...',
    '?!\n\n',
    '(#1234)',
    'https://example.com/a?b=c',
    '漢字仮名',
    'ünïcödé',
    '\u00a0',
  ],
  ...[
    '😀',
    '👩‍👩‍👧',
    '\ud83d',
    '\ude00',
    '<|endoftext|>',
    '==========',
    '_private_name',
    '\u2028',
    '٣٤٥٦',
    '𐐀𐐁',
    '\r\n',
  ],
);
const prose = fc
  .array(fc.oneof(word, fc.string({ unit: anyCharacter, maxLength: 4 })), { maxLength: 40, size: 'max' })
  .map((words) =>
    // The library takes U+FEFF for white space and cuts it off the bytes that it merges; U+0085 is no space to it.
    words.join('').replace(/[\ufeff\u0085\u017f]/g, ''),
  );

describe('countTokens', () => {
  const table: [string, number][] = [
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['<|im_start|>', 6],
    ['## 1.2.0 (2024-02-01)\n\n* fix: crash', 19],
    ['\ud800', 1],
    ['a\udc00b', 3],
    ['\ufeff# Changelog', 3],
  ];
  for (const [text, tokens] of table) {
    it(`counts ${JSON.stringify(text)}`, () => {
      assert.equal(countTokens(text), tokens);
    });
  }

  it('agrees with the library on mixed text', () => {
    fc.assert(
      fc.property(prose, (text) => {
        assert.equal(countTokens(text), reference(text));
      }),
      { numRuns: 400 },
    );
  });

  // The library takes the square of the length, so that longer runs are few: those of the table below.
  it('agrees with the library on unbroken runs of any length up to 1,200 characters', () => {
    const alphabet = fc.constantFrom(
      'a',
      'ab',
      'aAbB',
      'etaoinshr',
      'abcdefghijklmnopqrstuvwxyz',
      '漢字仮名',
      'éàü',
      '=-',
      '#',
      '😀🎉',
    );
    const run = fc.tuple(alphabet, fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 0 })).map(randomRun);
    fc.assert(
      fc.property(run, (text) => {
        assert.equal(countTokens(text), reference(text));
      }),
      { numRuns: 60 },
    );
  });

  it('agrees with the library on runs of 1,000 to 3,000 characters', () => {
    const texts = [1000, 1001, 1777, 3000].flatMap((length) => [
      'a'.repeat(length),
      randomRun(['abcdefghijklmnopqrstuvwxyz', length, length]),
      randomRun(['漢字仮名交じり文', length, length]),
      'internationalization'.repeat(150).slice(0, length),
      ' '.repeat(length),
      `${' '.repeat(length)}x`,
      '\n \n'.repeat(length / 3),
      '-='.repeat(length / 2),
    ]);
    for (const text of texts) assert.equal(countTokens(text), reference(text), `${text.slice(0, 12)} × ${text.length}`);
  });

  it('keeps near-linear time on one endless run', () => {
    assert.equal(countTokens('a'.repeat(512_000)), 16 * countTokens('a'.repeat(32_000)));
  });

  it('reads a run of half a million wide letters without overflowing', () => {
    assert.equal(countTokens('漢'.repeat(500_000)), 2 * 500_000);
  });
});

describe('estimateTokens and textTokens', () => {
  it('estimates one token for each four characters begun', () => {
    assert.deepEqual(['', 'a', 'abcd', 'abcde', '😀😀'].map(estimateTokens), [0, 1, 1, 2, 1]);
  });

  it('is exact below 256 KiB of UTF-8 and estimates from there on', () => {
    const below = 'word '.repeat(52_428).padEnd(262_143, '.');
    const wide = 'é '.repeat(87_382);
    assert.equal(textTokens(below), countTokens(below));
    assert.equal(textTokens(`${below}.`), 65_536);
    assert.equal(Buffer.byteLength(wide), 262_146);
    assert.equal(textTokens(wide), Math.ceil(wide.length / 4));
  });
});

describe('longestPrefix', () => {
  it('is the longest one, as trying every prefix shows', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 0, max: 60 }), (text, budget) => {
        assert.deepEqual(longestPrefix(text, { budget }), tryEveryPrefix(text, budget));
      }),
      { numRuns: 300 },
    );
  });

  it('is the longest one inside unbroken runs', () => {
    const alphabet = fc.constantFrom('a', 'etaoinshr', 'abcdefghijklmnopqrstuvwxyz', '漢字仮名', '#', ' ', '😀🎉');
    const run = fc.tuple(alphabet, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0 })).map(randomRun);
    fc.assert(
      fc.property(run, fc.integer({ min: 0, max: 100 }), (text, budget) => {
        assert.deepEqual(longestPrefix(text, { budget }), tryEveryPrefix(text, budget));
      }),
      { numRuns: 60 },
    );
  });

  it('counts exactly what it returns in long runs', () => {
    for (const text of ['a'.repeat(50_000), randomRun(['abcdefgh', 50_000, 7]), `${' '.repeat(50_000)}x`]) {
      for (const budget of [1, 100, 3000]) {
        const { end, tokens } = longestPrefix(text, { budget });
        assert.equal(tokens, countTokens(text.slice(0, end)));
        assert.ok(tokens <= budget);
        assert.ok(tokens > budget - 2 || end === text.length);
      }
    }
  });
});

describe('merging', () => {
  it('knows every token of the library, its rank and the longest one, and no other', () => {
    const tokens = libraryVocabulary.map((token) =>
      typeof token === 'string' ? byteString(token) : String.fromCharCode(...token),
    );
    const wrong = tokens.filter((token, rank) => rankOf(token) !== rank);
    const known = new Set(tokens);
    const unknown = tokens.flatMap((token) => (known.has(`${token}~`) ? [] : [`${token}~`]));
    assert.deepEqual(wrong, []);
    assert.ok(unknown.every((bytes) => rankOf(bytes) === NO_RANK));
    assert.equal(Math.max(...tokens.map((token) => token.length)), MAX_TOKEN_BYTES);
  });

  it('refuses a file that was cut short inside a token', () => {
    assert.equal(readVocabulary(Buffer.from('IQ== 0\nIg== 1')).starts.length, 3);
    assert.throws(() => readVocabulary(Buffer.from('IQ== 0\nIg=')), /in the middle of token 1/);
  });

  it('gives tokens that tile the bytes and are in the table', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const bytes = byteString(text);
        const ends = tokenEnds(bytes);
        const tokens = ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end));
        assert.equal(tokens.join(''), bytes);
        assert.ok(tokens.every((token) => rankOf(token) !== NO_RANK));
      }),
    );
  });
});

function tryEveryPrefix(text: string, budget: number): { end: number; tokens: number } {
  for (let end = text.length; end > 0; end -= 1) {
    if (/[\ud800-\udbff]$/.test(text.slice(0, end)) && /^[\udc00-\udfff]/.test(text.slice(end))) continue;
    const tokens = countTokens(text.slice(0, end));
    if (tokens <= budget) return { end, tokens };
  }
  return { end: 0, tokens: 0 };
}

function randomRun([alphabet, length, seed]: [string, number, number]): string {
  const letters = [...alphabet];
  let state = seed;
  let run = '';
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    run += letters[(state >> 16) % letters.length];
  }
  return run;
}
