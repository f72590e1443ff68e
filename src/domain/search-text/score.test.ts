import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupMatcher, rarity, recency, type ScoredText, scorer, type WeighedGroup } from './score.ts';
import { describeQuery } from './search-query.ts';

const NOTHING: ScoredText = {
  title: '',
  version: '',
  ownVersion: null,
  summary: '',
  content: null,
  contentLength: 1500,
};

function groups(q: string, docs = 10): WeighedGroup[] {
  return describeQuery(q).groups.map((group) => ({ group, terms: group.terms, completions: [], docs }));
}

const score = (q: string, text: Partial<ScoredText>) => scorer(groups(q), 1_000)({ ...NOTHING, ...text });

describe('scorer', () => {
  const rising: [string, string, Partial<ScoredText>[]][] = [
    [
      'title over summary over content',
      'cache',
      [{}, { summary: 'The cache, and fourteen words that make it as long as others' }, { title: 'Cache' }],
    ],
    [
      'every occurrence counts, each less than the one before',
      'cache',
      [{ summary: 'cache and it is' }, { summary: 'cache a cached' }],
    ],
    [
      'a short title over a long one',
      'cache',
      [{ title: `Cache ${'and other words '.repeat(8)}` }, { title: 'Cache' }],
    ],
    ['the text, when it was read', 'cache', [{ content: 'a cache' }, { content: 'a cache, cached by a cache' }]],
    ['a short text over a long one', 'cache', [{ contentLength: 20_000 }, { contentLength: 200 }]],
    [
      'own version over series over mention',
      '7.4',
      [{}, { version: '7.4.9', ownVersion: '7.4.9' }, { version: 'v7.4', ownVersion: 'v7.4' }],
    ],
    ['a name in the title over one in the text', 'foo.bar', [{}, { title: 'About foo.bar()' }]],
  ];
  for (const [name, q, texts] of rising) {
    it(name, () => {
      const scores = texts.map((text) => score(q, text));
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(scores).size, scores.length);
    });
  }

  it('counts rare words for more', () => {
    assert.ok(rarity(1, 1000) > rarity(500, 1000));
    assert.ok(rarity(1000, 1000) > 0);
    assert.ok(rarity(5000, 1000) > 0);
  });

  it('counts what only begins with a word half', () => {
    const [group] = groups('webho') as [WeighedGroup];
    const completed = { ...group, completions: [{ kind: 'phrase' as const, words: ['webhooks'] }] };
    const whole = scorer([completed], 1_000)({ ...NOTHING, title: 'Webho' });
    const begun = scorer([completed], 1_000)({ ...NOTHING, title: 'Webhook' });

    assert.ok(whole > begun);
    assert.ok(begun > scorer([completed], 1_000)(NOTHING));
  });
});

describe('groupMatcher', () => {
  const cases: [string, Partial<ScoredText>, boolean][] = [
    ['cache', { content: 'caching' }, true],
    ['cache', { content: 'ash' }, false],
    ['foo.bar', { content: 'Call foo.bar()' }, true],
    ['foo.bar', { content: 'foo bar' }, false],
    ['15.0', { ownVersion: '15.0.3' }, true],
    ['15.0', { ownVersion: '5.15.0' }, false],
  ];
  for (const [q, text, expected] of cases) {
    it(`${q} in ${JSON.stringify(text)}: ${expected}`, () => {
      const [group] = groups(q) as [WeighedGroup];
      assert.equal(groupMatcher(group)({ ...NOTHING, ...text }), expected);
    });
  }
});

describe('recency', () => {
  it('halves every 120 days and ends at one', () => {
    const now = Date.parse('2026-06-01T00:00:00.000Z');
    const round = (value: number) => Math.round(value * 1000) / 1000;

    assert.equal(recency(now, now), 1.35);
    assert.equal(recency(now + 1e10, now), 1.35);
    assert.equal(round(recency(Date.parse('2026-02-01T00:00:00.000Z'), now)), 1.175);
    assert.equal(round(recency(Date.parse('2016-02-01T00:00:00.000Z'), now)), 1);
    assert.equal(recency(null, now), 1);
  });
});
