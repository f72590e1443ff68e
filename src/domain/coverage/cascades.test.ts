import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CascadeRelease, decideCascades, readCascadeBody } from './cascades.ts';

interface Sketch {
  body: string;
  minutes?: number;
  covered?: string;
  by?: 'person';
  isCanonical?: boolean;
  isFixed?: boolean;
}

function decide(bodies: Record<string, string | Sketch>, denied: [string, string][] = []): string[] {
  const releases = Object.entries(bodies).map(([id, given]): CascadeRelease => {
    const sketch = typeof given === 'string' ? { body: given } : given;
    const { body, minutes = 0, covered, by, isCanonical = false, isFixed = false } = sketch;
    return {
      id,
      name: `${id}@2.1.0`,
      publishedAt: new Date(Date.UTC(2024, 0, 15) + minutes * 60_000).toISOString(),
      body: readCascadeBody(body),
      coveredBy: covered ? { canonicalId: covered, reason: 'cascade:abc1234', isCascade: by === undefined } : null,
      isCanonical,
      isFixed,
    };
  });
  const isDenied = (a: string, b: string) => denied.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  return decideCascades(releases, isDenied)
    .map(({ coverageId, canonicalId, reason }) => `${coverageId} behind ${canonicalId} (${reason})`)
    .sort();
}

const CORE = '### Minor Changes\n\n- abc1234: Add retries';
const FOLLOWS = '### Patch Changes\n\n- Updated dependencies [abc1234]';

describe('cascades of one push', () => {
  const cases: [name: string, bodies: Record<string, string | Sketch>, links: string[]][] = [
    [
      'dependents stand behind the package that tells',
      { core: CORE, react: FOLLOWS, vue: FOLLOWS },
      ['react behind core (cascade:abc1234)', 'vue behind core (cascade:abc1234)'],
    ],
    ['what has news of its own stays', { core: CORE, cli: `${FOLLOWS}\n- def5678: New flag` }, []],
    [
      'where none tells, the longer text stands in front',
      { a: FOLLOWS, b: `${FOLLOWS}\n\nThe build is smaller than it was.` },
      ['a behind b (cascade:abc1234)'],
    ],
    [
      'bare dependencies lead into the cluster of what they name',
      { core: CORE, react: FOLLOWS, 'pkg-x': '- core@2.1.0' },
      ['pkg-x behind core (cascade:abc1234)', 'react behind core (cascade:abc1234)'],
    ],
    [
      'over two hops, and no further',
      { core: CORE, react: FOLLOWS, x: '- react@2.1.0', y: '- x@2.1.0', 'far-z': '- none@1.0.0' },
      ['react behind core (cascade:abc1234)', 'x behind core (cascade:abc1234)', 'y behind core (cascade:abc1234)'],
    ],
    ['bare dependencies without a cluster stay', { core: CORE, 'pkg-x': '- core@2.1.0' }, []],
    [
      'a bump joins the one with most to say within ten minutes',
      {
        big: { body: '- A long story about many things', minutes: 10 },
        small: 'Short.',
        late: { body: '- An even longer story about a lot of other things', minutes: 11 },
        bump: '**Note:** Version bump only for package bump',
        other: 'This was a version bump only, there were no code changes.',
      },
      ['bump behind big (cascade:bump)', 'other behind big (cascade:bump)'],
    ],
    ['a bump alone stays', { bump: 'Version bump only for package bump' }, []],
    ['more than a day apart', { core: CORE, react: { body: FOLLOWS, minutes: 1441 } }, []],
    [
      'a better one that comes later takes over',
      { a: { body: FOLLOWS, covered: 'b' }, b: { body: FOLLOWS, isCanonical: true }, core: CORE },
      ['a behind core (cascade:abc1234)', 'b behind core (cascade:abc1234)'],
    ],
    [
      'what a person has linked stays',
      {
        core: CORE,
        react: { body: FOLLOWS, covered: 'vue', by: 'person' },
        vue: { body: FOLLOWS, isCanonical: true, isFixed: true },
      },
      [],
    ],
    [
      'the largest group first',
      {
        core: '- abc1234: One\n- def5678: Two',
        react: '- Updated dependencies [def5678]\n- Updated dependencies [abc1234]',
        vue: '- Updated dependencies [def5678]',
      },
      ['react behind core (cascade:def5678)', 'vue behind core (cascade:def5678)'],
    ],
  ];
  for (const [name, bodies, links] of cases) it(name, () => assert.deepEqual(decide(bodies), links));

  it('what a person has separated stays apart', () => {
    assert.deepEqual(decide({ core: CORE, react: FOLLOWS }, [['core', 'react']]), []);
  });
});

describe('a body of a monorepo', () => {
  const cases: [
    line: string,
    read: Partial<Record<'followed' | 'described', string[]>> & { dependencies?: string[] },
  ][] = [
    ['- Updated dependencies [abc1234, def5678]', { followed: ['abc1234', 'def5678'] }],
    [
      '- Updated dependencies [[`abc1234`](https://x.test/commit/0123456)]:\n  - @acme/core@2.1.0',
      {
        followed: ['abc1234'],
        dependencies: ['@acme/core@2.1.0'],
      },
    ],
    ['- [`abc1234`](https://x.test/c/abc1234): Add retries', { described: ['abc1234'] }],
    [
      '- [#12](https://x.test/12) [`abc1234`](https://x.test/c) Thanks [@someone](https://x.test/s)! - Add retries',
      {
        described: ['abc1234'],
      },
    ],
    ['- Fixed a crash in deadbeef parsing', {}],
    ['- core@2.1.0', { dependencies: ['core@2.1.0'] }],
  ];
  for (const [text, { followed = [], described = [], dependencies = [] }] of cases) {
    it(text, () => {
      const body = readCascadeBody(text);

      assert.deepEqual(
        [[...body.followed], [...body.described], body.dependencies],
        [followed, described, dependencies],
      );
    });
  }
});
