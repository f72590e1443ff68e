import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClusterInfo, decideClusters, type Link, type Pair } from './clusters.ts';
import type { CoverableRelease } from './release.ts';

function release(
  id: string,
  type: string,
  more: Partial<CoverableRelease> & { primary?: boolean; source?: never } = {},
): CoverableRelease {
  const { primary = false, ...rest } = more;
  return {
    id,
    title: id,
    product: null,
    version: null,
    versionText: null,
    packagePart: null,
    type: 'feature',
    publishedAt: '2024-01-15T00:00:00.000Z',
    url: null,
    contentChars: 500,
    ...rest,
    source: {
      id: `src-${id}`,
      type,
      name: id,
      repository: type === 'github' ? `acme/${id}` : null,
      isPrimary: primary,
    },
  };
}

function decide(
  releases: CoverableRelease[],
  pairs: [string, string, number?][],
  { links = [], denied = [] }: { links?: Link[]; denied?: [string, string][] } = {},
) {
  const byId = new Map(releases.map((one) => [one.id, one]));
  const get = (id: string) => byId.get(id) as CoverableRelease;
  const facts: ClusterInfo = {
    releases: byId,
    links,
    denied: (a, b) => denied.some(([x, y]) => (x === a && y === b) || (x === b && y === a)),
  };
  const all: Pair[] = pairs.map(([a, b, score = 1]) => ({ a: get(a), b: get(b), score, reason: `title:${score}` }));
  return decideClusters(all, facts)
    .map(({ coverageId, canonicalId, reason }) => `${coverageId} behind ${canonicalId}${reason ? ` (${reason})` : ''}`)
    .sort();
}

describe('the canonical release of a launch', () => {
  const cases: [name: string, a: CoverableRelease, b: CoverableRelease][] = [
    ['a primary source before a repository', release('a', 'feed', { primary: true }), release('b', 'github')],
    ['a repository before a feed', release('a', 'github'), release('b', 'feed', { contentChars: 9000 })],
    ['a feed before a page', release('a', 'feed'), release('b', 'scrape')],
    ['a page before a video', release('a', 'agent'), release('b', 'video')],
    ['a video before a store', release('a', 'video'), release('b', 'appstore')],
    ['the longer text', release('a', 'scrape', { contentChars: 501 }), release('b', 'agent')],
    ['the earlier one', release('a', 'feed', { publishedAt: '2024-01-14T00:00:00.000Z' }), release('b', 'feed')],
    ['the lower id', release('a', 'feed'), release('b', 'feed')],
  ];
  for (const [name, a, b] of cases) {
    it(name, () => {
      assert.deepEqual(decide([a, b], [['a', 'b']]), ['b behind a (title:1)']);
      assert.deepEqual(decide([b, a], [['b', 'a']]), ['b behind a (title:1)']);
    });
  }
});

describe('clusters', () => {
  it('a better canonical that comes later takes over the links', () => {
    const releases = [release('blog', 'feed'), release('page', 'scrape'), release('repo', 'github')];
    const links = [{ coverageId: 'page', canonicalId: 'blog', manual: false }];

    assert.deepEqual(decide(releases, [['repo', 'page']], { links }), [
      'blog behind repo (title:1)',
      'page behind repo',
    ]);
  });

  it('a lesser one joins behind the canonical of what it was paired with', () => {
    const releases = [release('blog', 'feed'), release('page', 'scrape'), release('film', 'video')];
    const links = [{ coverageId: 'page', canonicalId: 'blog', manual: false }];

    assert.deepEqual(decide(releases, [['film', 'page']], { links }), ['film behind blog (title:1)']);
  });

  it('has at most six members', () => {
    const releases = Array.from({ length: 8 }, (_, at) => release(`r${at}`, 'feed'));
    const pairs = releases
      .slice(1)
      .map(({ id }): [string, string, number] => ['r0', id, 0.9 - Number(id.slice(1)) / 100]);

    assert.deepEqual(
      decide(releases, pairs).map((line) => line.split(' ')[0]),
      ['r1', 'r2', 'r3', 'r4', 'r5'],
    );
  });

  it('has one release of a source, by the best score', () => {
    const near = { ...release('near', 'feed'), source: { ...release('x', 'feed').source, id: 'same' } };
    const far = { ...release('far', 'feed'), source: { ...release('x', 'feed').source, id: 'same' } };

    assert.deepEqual(
      decide(
        [release('repo', 'github'), near, far],
        [
          ['repo', 'far', 0.7],
          ['repo', 'near', 0.9],
        ],
      ),
      ['near behind repo (title:0.9)'],
    );
  });

  it('holds no two repositories, not even by way of a third release', () => {
    const releases = [release('js', 'github'), release('py', 'github'), release('blog', 'feed')];

    assert.deepEqual(
      decide(releases, [
        ['blog', 'js', 0.9],
        ['blog', 'py', 0.8],
      ]),
      ['blog behind js (title:0.9)'],
    );
  });

  it('never joins what a person has separated, directly or by way of a third', () => {
    const releases = [release('repo', 'github'), release('blog', 'feed'), release('page', 'scrape')];
    const denied: [string, string][] = [['blog', 'repo']];

    assert.deepEqual(decide(releases, [['blog', 'repo']], { denied }), []);
    assert.deepEqual(
      decide(
        releases,
        [
          ['page', 'repo', 0.9],
          ['page', 'blog', 0.8],
        ],
        { denied },
      ),
      ['page behind repo (title:0.9)'],
    );
  });

  it('leaves the canonical of a person in front, and the link alone', () => {
    const releases = [release('page', 'scrape'), release('blog', 'feed'), release('repo', 'github')];
    const links = [{ coverageId: 'blog', canonicalId: 'page', manual: true }];

    assert.deepEqual(decide(releases, [['repo', 'blog']], { links }), ['repo behind page (title:1)']);
  });

  it('does not join two clusters of people', () => {
    const releases = ['a', 'b', 'c', 'd'].map((id) => release(id, 'feed'));
    const links = [
      { coverageId: 'b', canonicalId: 'a', manual: true },
      { coverageId: 'd', canonicalId: 'c', manual: true },
    ];

    assert.deepEqual(decide(releases, [['a', 'c']], { links }), []);
  });
});
