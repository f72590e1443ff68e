import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { beginningOf, countBeginning, foldText, phraseCounter, stem, wordsOf } from './analysis.ts';

describe('stem', () => {
  const families: [string, string][] = [
    ['cach', 'cache caches cached caching'],
    ['webhook', 'webhook webhooks'],
    ['configur', 'configure configured configuring configuration configurable'],
    ['depend', 'depend depends dependent dependency dependencies'],
    ['secur', 'secure secured security'],
    ['hop', 'hopping hopped hops'],
    ['hope', 'hope hoping'],
    ['agre', 'agree agreed'],
    ['feed', 'feed feeds'],
    ['proxi', 'proxy proxies'],
    ['technolog', 'technology technologies technological'],
    ['possibl', 'possible possibly'],
    ['control', 'controll control controlling'],
    ['class', 'class classes'],
    ['us', 'us use used using'],
    ['ts', 'ts'],
    ['10', '10 10s'],
    ['4s', '4s'],
    ['\u4e2d', '\u4e2d'],
    ['ma\u00f8', 'ma\u00f8ing ma\u00f8s'],
  ];
  for (const [expected, words] of families) {
    it(`${words}: ${expected}`, () => {
      for (const word of words.split(' ')) assert.equal(stem(word), expected, word);
    });
  }

  it('leaves words of more than 64 bytes alone', () => {
    assert.equal(stem(`${'a'.repeat(61)}ing`), `${'a'.repeat(61)}`);
    assert.equal(stem(`${'a'.repeat(62)}ing`), `${'a'.repeat(62)}ing`);
  });
});

const SUFFIXES = (
  'ational tional enci anci izer logi bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti ' +
  'iviti biliti bility ical ness icate iciti ful ative alize al ance ence er ic able ible ant ement ment ent ion sion ' +
  'tion ou ism ate iti ity ous ive ize ed eed ing s es ss sses ies y e ll at bl iz'
).split(' ');
const ending = fc.array(fc.constantFrom(...SUFFIXES), { maxLength: 3 }).map((parts) => parts.join(''));
const beginning = fc.string({ unit: fc.constantFrom(...'abcdefgiloprstuvwxyz09\u00f8\u0436\u4e2d'), maxLength: 5 });
const word = fc.tuple(beginning, ending).map((parts) => parts.join(''));

describe('beginningOf', () => {
  it('begins every word of the stem', () => {
    fc.assert(
      fc.property(word, (text) => text.startsWith(beginningOf(stem(text)))),
      { numRuns: 20_000, seed: 1 },
    );
  });
});

describe('phraseCounter', () => {
  const cases: [string, string, number][] = [
    ['Caches are cached by caching; a cachet is not', 'cache', 3],
    ['A proxy, two proxies', 'proxy', 2],
    ['possibility and possible', 'possibly', 2],
    ['react-dom, React DOM; react and dom', 'react dom', 2],
    ['dark mode dark', 'mode dark mode', 0],
    ['dark mode dark', 'mode dark', 1],
    ['xcache', 'cache', 0],
    ['na\u00efve caf\u00e9s', 'cafe', 1],
    ['\u4e2d \u4e2d\u6587 \u4e2d', '\u4e2d', 2],
    ['\u{20000}a a', 'a', 1],
    ['', 'a', 0],
    ['a', '', 0],
  ];
  for (const [text, phrase, count] of cases) {
    it(`${phrase} in ${text}: ${count}`, () => {
      assert.equal(phraseCounter(wordsOf(foldText(phrase)).map(stem))(foldText(text)), count);
    });
  }

  it('agrees with a count over all words', () => {
    const piece = fc.oneof(
      word,
      fc.constantFrom(' ', '-', '. ', '\u2014', '\ud83d\ude80', '\ud800', '\u{20000}', '\n'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 3 }),
        (parts, from, length) => {
          const text = foldText(parts.join(' '));
          const stems = wordsOf(text).map(stem);
          const wanted = stems.slice(from % Math.max(1, stems.length)).slice(0, length);
          const expected = stems.filter((_, at) => wanted.every((one, next) => stems[at + next] === one)).length;
          assert.equal(phraseCounter(wanted)(text), wanted.length === 0 ? 0 : expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('countBeginning', () => {
  it('counts words by their first letters', () => {
    assert.equal(countBeginning('webhook webhooks, awebho webho', 'webho'), 3);
  });
});
