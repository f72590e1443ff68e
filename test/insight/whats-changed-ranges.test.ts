// The releases between two versions, requested over HTTP.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const PRERELEASES = ['0.5.0', '1.0.0-rc.1', '1.0.0-rc.2', '1.0.0', '2.0.0-beta.1'];
const TWO = ['2.0.0', '2.1.0'];
const CODENAMES = ['Alder', 'Birch', 'Cedar'];
const CALENDAR = ['2023.12.1', '2024.1', '2024-02-01', 'v2024.06.1-hotfix'];
const STRAY_DATE = ['1.0.0', '1.1.0', { version: '2024-01-15' }, '2.0.0'];
const BACKPORT = ['16.0.0', '15.5.18', '16.0.1'];
const PACKAGES = ['core@1.0.0', 'core@1.1.0', 'cli@1.5.0', 'core@2.0.0', 'cli@2.5.0'];
// From the pre-release at the bottom to the epoch at the top.
const CHAIN = [
  ...['0.9.0', '1.0.0.dev1', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0b2', '1.0.0-beta11'],
  ...['v1.0.0rc1', '1.0.0', '1.0.0.post1', '1.2.0', '1.10.0', '2.0.0-beta.1', '2.0.0'],
];
const SHUFFLED = [9, 2, 13, 0, 6, 11, 4, 8, 1, 12, 5, 3, 10, 7].map((index) => CHAIN[index] as string);

interface Case {
  name?: string;
  stored: readonly Stored[];
  from: string;
  to: string;
  include?: boolean;
  metadata?: Record<string, unknown>;
  entries: string[];
  omitted?: number;
  reason?: string;
  toVersion?: string;
}

const CASES: Case[] = [
  { stored: ['v15.0.0', 'v15.1.0', 'v16.0.0'], from: '15.0.0', to: '16.0.0', entries: ['v15.1.0', 'v16.0.0'] },
  { stored: PRERELEASES, from: '1.0.0-rc.1', to: '1.0.0', entries: ['1.0.0'], omitted: 1 },
  {
    stored: PRERELEASES,
    from: '1.0.0-rc.1',
    to: '2.0.0-beta.1',
    entries: ['1.0.0-rc.2', '1.0.0', '2.0.0-beta.1'],
  },
  { stored: PRERELEASES, from: '1.0.0-rc.1', to: '1.0.0', include: true, entries: ['1.0.0-rc.2', '1.0.0'] },
  { stored: PRERELEASES, from: '1.0.0', to: '2.0.0', entries: [], omitted: 1, reason: 'history_ends' },
  { stored: ['1.9.0', '1.10.0', '1.11.0'], from: 'v1.9.0', to: '1.10.0', entries: ['1.10.0'] },
  { stored: TWO, from: '2.1.0', to: '2.1.0', entries: [], reason: 'same_version' },
  { stored: TWO, from: 'v2.1', to: '2.1.0', entries: [], reason: 'same_version' },
  { stored: TWO, from: '2.2.0', to: 'latest', entries: [], reason: 'up_to_date', toVersion: '2.1.0' },
  { stored: TWO, from: '2.1.0', to: 'latest', entries: [], reason: 'up_to_date', toVersion: '2.1.0' },
  { stored: TWO, from: '2.0.0', to: 'latest', entries: ['2.1.0'], toVersion: '2.1.0' },
  { stored: TWO, from: '3.0.0', to: '4.0.0', entries: [], reason: 'history_ends' },
  { stored: TWO, from: '2.0.0', to: '2.0.5', entries: [], reason: 'history_gap' },
  {
    name: 'bounds need not exist',
    stored: TWO,
    from: '0.1',
    to: '2.0.5',
    entries: ['2.0.0'],
    reason: 'history_begins',
  },
  { stored: CODENAMES, from: 'Alder', to: 'Cedar', entries: ['Birch', 'Cedar'] },
  { stored: CODENAMES, from: 'Alder', to: 'latest', entries: ['Birch', 'Cedar'], toVersion: 'Cedar' },
  { stored: CODENAMES, from: 'Birch', to: 'Birch', entries: [], reason: 'same_version' },
  { stored: CODENAMES, from: 'Cedar', to: 'latest', entries: [], reason: 'up_to_date' },
  {
    name: 'a name and a version are points in time',
    stored: [...CODENAMES, '1.0.0', 'Dogwood'],
    from: 'Birch',
    to: 'v1.0',
    entries: ['Cedar', '1.0.0'],
    toVersion: '1.0',
  },
  { stored: CALENDAR, from: '2023.12.1', to: '2024.02.01', entries: ['2024.1', '2024-02-01'] },
  {
    stored: CALENDAR,
    from: '20240101',
    to: 'latest',
    entries: ['2024-02-01', 'v2024.06.1-hotfix'],
    reason: 'history_gap',
  },
  {
    name: 'a stray date is no version',
    stored: STRAY_DATE,
    from: '1.0.0',
    to: '3000.0',
    entries: ['1.1.0', '2.0.0'],
    reason: 'history_ends',
  },
  {
    name: 'unless an operator says so',
    stored: STRAY_DATE,
    from: '1.0.0',
    to: '3000.0',
    metadata: { versionScheme: 'numeric' },
    entries: ['1.1.0', '2.0.0', '2024-01-15'],
    reason: 'history_ends',
  },
  {
    name: 'from one scheme into the other',
    stored: ['21.2', '21.3', '22.0', '2024.1', '2024.2'],
    from: '21.3',
    to: '2024.1',
    entries: ['22.0', '2024.1'],
  },
  {
    name: 'a backport',
    stored: BACKPORT,
    from: '15.5.17',
    to: 'latest',
    entries: ['15.5.18', '16.0.0', '16.0.1'],
    reason: 'history_begins',
  },
  { stored: BACKPORT, from: '15.5.17', to: '15.99', entries: ['15.5.18'], reason: 'history_begins' },
  { stored: PACKAGES, from: 'core@1.0.0', to: 'core-v2.0.0', entries: ['core@1.1.0', 'core@2.0.0'] },
  { stored: PACKAGES, from: 'cli@1.0.0', to: 'latest', entries: ['cli@1.5.0', 'cli@2.5.0'], reason: 'history_begins' },
  {
    name: 'another package of the source has a latest of its own',
    stored: PACKAGES,
    from: 'core@1.0.0',
    to: 'latest',
    entries: ['core@1.1.0', 'core@2.0.0'],
    toVersion: '2.0.0',
  },
  { stored: ['1.0', '2.0', '1!0.5', '1!0.6'], from: '1.0', to: '1!0.5', entries: ['2.0', '1!0.5'] },
  {
    name: 'the whole chain',
    stored: SHUFFLED,
    from: '0.1.0',
    to: '2.0.0',
    include: true,
    entries: CHAIN,
    reason: 'history_begins',
  },
  {
    name: 'a stored flag knows better than the text',
    stored: ['1.0.0', { version: '1.1.0-1', prerelease: false }, { version: '1.2.0', prerelease: true }],
    from: '1.0.0',
    to: '1.2.0',
    entries: ['1.1.0-1', '1.2.0'],
  },
];

const REFUSED: [string, readonly Stored[], string, string, string, string][] = [
  ['from above to', TWO, '2.1.0', '2.0.0', 'from', 'from_after_to'],
  ['an unknown name', TWO, 'Alder', '2.1.0', 'from', 'unknown_version'],
  ['a name above a version that is not stored', TWO, '1.9.9', 'next', 'to', 'unknown_version'],
  ['a placeholder', TWO, '2.0.0', 'n/a', 'to', 'unknown_version'],
  ['only the upper bound may be the latest', TWO, 'latest', '2.1.0', 'from', 'unknown_version'],
  ['a name beside a version that is not stored', CODENAMES, 'Alder', '9.9.9', 'to', 'unknown_version'],
  ['names in the wrong order', CODENAMES, 'Cedar', 'Alder', 'from', 'from_after_to'],
  [
    'an undated name',
    [{ version: 'Alder', publishedAt: undefined }, 'Birch'],
    'Alder',
    'Birch',
    'from',
    'unknown_version',
  ],
];

forEachEngine('the range of an upgrade', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine);
  });

  it('holds what lies between the bounds, in the order of versions', async () => {
    const { fill, ask } = world;
    for (const { stored, from, to, include, metadata, entries, omitted = 0, reason, ...more } of CASES) {
      const name = more.name ?? `${from} → ${to}`;
      const { slug } = await fill(stored, { metadata });
      const answer = await ask({ package: slug, from, to, ...(include ? { include_prereleases: 'true' } : {}) });

      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      assert.deepEqual(versionsOf(answer), entries, name);
      const { status, total, count, omittedPrereleases } = answer.body;
      assert.deepEqual([status, total, count], ['resolved', entries.length, entries.length], name);
      assert.deepEqual([omittedPrereleases, answer.body.reason], [omitted, reason], name);
      assert.equal(typeof answer.body.hint, reason === undefined ? 'undefined' : 'string', name);
      if (more.toVersion !== undefined) assert.equal(answer.body.toVersion, more.toVersion, name);
    }
  });

  it('refused: bounds that make no range', async () => {
    const { fill, ask } = world;
    for (const [name, stored, from, to, parameter, reason] of REFUSED) {
      const { slug } = await fill(stored);
      const { status, body } = await ask({ package: slug, from, to });

      assert.deepEqual([status, body.error?.code], [400, 'bad_request'], name);
      assert.deepEqual(body.error.details, { parameter, reason }, name);
    }
  });

  it('holds neither suppressed nor future releases', async () => {
    const { ctx, fill, ask } = world;
    const { id, slug } = await fill([
      '1.0.0',
      '1.1.0',
      '1.2.0',
      { version: '1.3.0', publishedAt: '2999-01-01T00:00:00Z' },
    ]);
    await ctx.store.transaction(
      (tx) =>
        tx
          .updateTable('releases')
          .set({ suppressed: 1, listing: 0 })
          .where('source_id', '=', id)
          .where('version', '=', '1.1.0')
          .execute(),
      'catalog',
    );

    const answer = await ask({ package: slug, from: '1.0.0', to: '2.0.0' });

    assert.deepEqual([versionsOf(answer), answer.body.total], [['1.2.0'], 1]);
  });
});
