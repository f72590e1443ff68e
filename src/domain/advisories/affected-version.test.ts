// Ranges of advisories against a walk over all versions in their order.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { createRandom } from '../seeded-random.ts';
import { coverageOfVersion } from './affected-version.ts';
import { findClearingVersion } from './clearing-version.ts';
import { distinctProblems } from './named-problems.ts';
import { type Advisory, readOsvRecord } from './osv-record.ts';

const ECOSYSTEMS = { npm: ['npm', 'SEMVER'], pypi: ['PyPI', 'ECOSYSTEM'] } as const;

const RISING = {
  npm: ['0.9.0', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.2.0', '1.10.0', '2.0.0-rc.1', '2.0.0', '2.0.1', '3.0.0'],
  pypi: ['0.9', '1.0.dev1', '1.0a2', '1.0a11', '1.0rc1', '1.0', '1.0.post1', '1.2', '1.10', '2.0', '1!0.1'],
} as const;

interface Made {
  id?: string;
  ecosystem?: 'npm' | 'pypi';
  events?: readonly object[];
  [key: string]: unknown;
}

function advisory({ id = 'INV-1', ecosystem = 'npm', events = [], versions, ...rest }: Made): Advisory {
  const [name, type] = ECOSYSTEMS[ecosystem];
  const ranges = events.length === 0 ? [] : [{ type, events }];
  const read = readOsvRecord({
    id,
    affected: [{ package: { ecosystem: name, name: 'lamp' }, ranges, ...(versions ? { versions } : {}) }],
    ...rest,
  });
  assert.ok(read !== null && read !== 'elsewhere');
  return read;
}

const covers = (one: Advisory, version: string, ecosystem: 'npm' | 'pypi' = 'npm') =>
  coverageOfVersion(one, { ecosystem, name: 'lamp', version });

describe('versions that an advisory covers', () => {
  it('are those of a walk over all versions, for 3,000 random ranges', () => {
    const random = createRandom('ranges');
    for (let round = 0; round < 3_000; round++) {
      const ecosystem = random.pick(['npm', 'pypi'] as const);
      const rising = RISING[ecosystem];
      // Pairs of bounds that follow each other in the order of versions, told in any order.
      const places = random.sample([...rising.keys()], random.int(1, 6)).sort((a, b) => a - b);
      const ends = places.map((place, index) => ({ place, isStart: index % 2 === 0, isLast: random.chance(0.4) }));
      const isFromStart = random.chance(0.2);
      const events = ends.map(({ place, isStart, isLast }, index) => {
        const version = rising[place];
        if (isStart) return { introduced: index === 0 && isFromStart ? '0' : version };
        return isLast ? { last_affected: version } : { fixed: version };
      });
      const told = advisory({ ecosystem, events: random.shuffle(events) });
      let isInside = isFromStart;
      for (const [place, version] of rising.entries()) {
        const here = ends.find((end) => end.place === place);
        if (here?.isStart) isInside = true;
        if (here && !here.isStart && !here.isLast) isInside = false;
        assert.equal(
          covers(told, version, ecosystem),
          isInside ? 'affected' : 'clear',
          `${version} in ${JSON.stringify(events)}`,
        );
        if (here && !here.isStart && here.isLast) isInside = false;
      }
    }
  });

  const CASES: readonly [says: string, Made, version: string, string][] = [
    ['a listed version', { versions: ['1.0.0'] }, '1.0.0', 'affected'],
    ['a listed version in another spelling', { versions: ['1.0'], ecosystem: 'pypi' }, '1.0.0', 'affected'],
    ['one that is not listed', { versions: ['1.0.0'] }, '1.0.1', 'clear'],
    ['beside a range that ends', { versions: ['1.0.0'], events: [{ introduced: '2.0.0' }] }, '1.0.0', 'affected'],
    ['everything, without an end', { events: [{ introduced: '0' }] }, '0.0.0-0', 'affected'],
    ['a withdrawn one', { events: [{ introduced: '0' }], withdrawn: '2026-01-01T00:00:00Z' }, '1.0.0', 'clear'],
    [
      'fixed and back at once',
      { events: [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '1.0.0' }] },
      '1.0.0',
      'affected',
    ],
    ['two bounds in one event', { events: [{ introduced: '1.0.0', fixed: '1.0.5' }] }, '1.0.5', 'clear'],
    ['a limit, which is left aside', { events: [{ introduced: '0' }, { limit: '1.0.0' }] }, '2.0.0', 'affected'],
    ['a bound that is no version', { events: [{ introduced: '0' }, { fixed: 'soon' }] }, '1.0.0', 'unknown'],
    ['an installed one that is no version', { events: [{ introduced: '0' }, { fixed: '2.0.0' }] }, 'git', 'unknown'],
  ];
  for (const [says, made, version, expected] of CASES) {
    it(`${says}: ${version} is ${expected}`, () => {
      assert.equal(covers(advisory(made), version, made.ecosystem), expected);
    });
  }
});

const AFFECTED = { package: { ecosystem: 'npm', name: 'lamp' } };

describe('a record', () => {
  const REFUSED: readonly [string, unknown][] = [
    ['no object', []],
    ['no id', { affected: [{ ...AFFECTED, versions: ['1.0.0'] }] }],
    ['an id with markup', { id: '<b>', affected: [{ ...AFFECTED, versions: ['1.0.0'] }] }],
    [
      'an event of numbers',
      { id: 'A-1', affected: [{ ...AFFECTED, ranges: [{ type: 'SEMVER', events: [{ introduced: 0 }] }] }] },
    ],
    ['a range without events', { id: 'A-1', affected: [{ ...AFFECTED, ranges: [{ type: 'SEMVER' }] }] }],
    [
      'more versions than are read',
      { id: 'A-1', affected: [{ ...AFFECTED, versions: Array.from({ length: 20_001 }, (_, n) => `1.0.${n}`) }] },
    ],
  ];
  for (const [says, record] of REFUSED) {
    it(`with ${says} is refused, and not read by half`, () => assert.equal(readOsvRecord(record), null));
  }

  it('of other ecosystems, or of commits alone, is elsewhere', () => {
    const ofMaven = { package: { ecosystem: 'Maven', name: 'lamp' }, versions: ['1.0.0'] };
    const ofCommits = { ...AFFECTED, ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] };
    assert.equal(readOsvRecord({ id: 'A-1', affected: [ofMaven, ofCommits] }), 'elsewhere');
  });

  it('names a Python package as its index does', () => {
    const affected = [{ package: { ecosystem: 'PyPI', name: 'Lamp_Post' }, versions: ['1.0'] }];
    const read = readOsvRecord({ id: 'A-1', affected });
    assert.ok(read !== null && read !== 'elsewhere');
    assert.equal(read.affected[0]?.name, 'lamp-post');
  });
});

describe('one problem', () => {
  const CASES: readonly [string, readonly (readonly [string, ...string[]])[], string[][]][] = [
    ['is each one alone', [['A'], ['B']], [['A'], ['B']]],
    ['is named by the alias of the first', [['A', 'B'], ['B']], [['A', 'B']]],
    ['is named by the alias of the second', [['A'], ['B', 'A']], [['A', 'B']]],
    [
      'is one through a name that neither has as its own',
      [
        ['A', 'CVE'],
        ['B', 'CVE'],
      ],
      [['A', 'B']],
    ],
    ['joins two that a third one names', [['A'], ['B'], ['C', 'A', 'B']], [['A', 'B', 'C']]],
  ];
  for (const [says, records, expected] of CASES) {
    it(says, () => {
      const all = records.map(([id, ...aliases]) => advisory({ id, aliases, versions: ['1.0.0'] }));
      assert.deepEqual(
        distinctProblems(all).map((group) => group.map(({ id }) => id).sort()),
        expected,
      );
    });
  }
});

describe('the smallest version that clears', () => {
  const published = ['1.0.0', '1.0.1', '1.1.0-rc.1', '1.1.0', '1.2.0', '2.0.0'].map((version, day) => ({
    version,
    publishedAt: `2026-11-0${day + 1}T00:00:00.000Z`,
    isWithdrawn: version === '1.1.0',
  }));
  const question = { ecosystem: 'npm', name: 'lamp', installed: '1.0.0', published, cooldown: () => 0 } as const;
  const now = new Date('2026-11-06T12:00:00Z');
  const find = (events: readonly object[], rest: { cooldown?: (version: string) => number | null } = {}) =>
    findClearingVersion({ ...question, advisories: [advisory({ events })], now, ...rest });

  it('is published, stable, still there, above the installed one and clear of all advisories', () => {
    const { smallest, smallestInLine } = find([{ introduced: '0' }, { fixed: '1.0.2' }]);
    assert.deepEqual([smallest, smallestInLine], ['1.2.0', '1.2.0']);
  });

  it('is on another line, or nowhere, where this one has none', () => {
    const other = find([{ introduced: '0' }, { last_affected: '1.2.0' }]);
    assert.deepEqual([other.smallest, other.smallestInLine], ['2.0.0', null]);
    assert.equal(find([{ introduced: '0' }]).smallest, null);
  });

  it('is none that another advisory covers, or may cover', () => {
    const first = advisory({ events: [{ introduced: '0' }, { fixed: '1.0.1' }] });
    for (const fixed of ['2.0.0', 'soon']) {
      const second = advisory({ id: 'INV-2', events: [{ introduced: '1.0.1' }, { fixed }] });
      const { smallest } = findClearingVersion({ ...question, advisories: [first, second], now });
      assert.equal(smallest, fixed === 'soon' ? null : '2.0.0');
    }
  });

  const COOLDOWNS: readonly [minutes: number | null, out: string | null, ready: string | null][] = [
    [0, '1.0.1', null],
    [24 * 60 * 3, '1.0.1', null],
    [24 * 60 * 5, null, '2026-11-07T00:00:00.000Z'],
    [null, null, null],
  ];
  for (const [minutes, out, ready] of COOLDOWNS) {
    it(`with a cooldown of ${minutes} minutes ${out ?? 'no version'} is out of it`, () => {
      const answer = find([{ introduced: '0' }, { fixed: '1.0.1' }], { cooldown: () => minutes });
      assert.deepEqual([answer.smallestOutOfCooldown, answer.readyAt], [out, ready]);
    });
  }

  it('that the cooldown is not for is out of it at once', () => {
    const cooldown = (version: string) => (version === '2.0.0' ? 0 : 100 * 24 * 60);
    const answer = find([{ introduced: '0' }, { fixed: '1.0.1' }], { cooldown });
    assert.deepEqual([answer.smallest, answer.smallestOutOfCooldown], ['1.0.1', '2.0.0']);
  });
});
