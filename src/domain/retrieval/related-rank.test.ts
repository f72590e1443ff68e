import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRelated, type RelatedNeighbour, relatedRank } from './related-rank.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');

function release(more: Partial<RelatedNeighbour>): RelatedNeighbour {
  return { cosine: 0.8, publishedAt: NOW.toISOString(), tier: 'full', sourceType: 'feed', importance: null, ...more };
}

function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * 86_400_000).toISOString();
}

describe('rank of a related release', () => {
  const cases: [cosine: number, age: number | null, tier: RelatedNeighbour['tier'], rank: number, kept: boolean][] = [
    [0.8, 0, 'full', 0.8, true],
    [0.8, 45, 'full', 0.4, true],
    [0.8, 45, 'thin', 0.2, true],
    [0.8, 100, 'full', 0.17, true],
    [0.3, 0, 'full', 0.3, false],
    [0.9, null, 'full', 0.225, true],
    [0.8, -30, 'full', 0.8, true],
    [0.8, 0, 'empty', 0, false],
  ];
  for (const [cosine, age, tier, rank, kept] of cases) {
    it(`${cosine}, ${age === null ? 'undated' : `${age} d`}, ${tier}`, () => {
      const one = release({ cosine, tier, publishedAt: age === null ? null : daysAgo(age) });

      assert.ok(Math.abs(relatedRank(one, NOW) - rank) < 0.005);
      assert.equal(isRelated(one, 'global'), kept);
    });
  }
});

describe('who is kept', () => {
  const cases: [more: Partial<RelatedNeighbour>, scope: 'org' | 'global', kept: boolean][] = [
    [{ cosine: 0.3 }, 'org', true],
    [{ tier: 'empty' }, 'org', false],
    [{ sourceType: 'appstore' }, 'global', false],
    [{ sourceType: 'appstore', importance: 3 }, 'global', false],
    [{ sourceType: 'appstore', importance: 4 }, 'global', true],
    [{ sourceType: 'appstore' }, 'org', true],
    [{ cosine: 0.35 }, 'global', true],
  ];
  for (const [more, scope, kept] of cases) {
    it(`${JSON.stringify(more)} in ${scope}: ${kept}`, () => assert.equal(isRelated(release(more), scope), kept));
  }
});
