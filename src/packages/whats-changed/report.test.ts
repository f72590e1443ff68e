import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import type { PackageChange } from '../../domain/upgrade/lockfiles/changed-packages.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { groupOf } from '../../domain/upgrade/report/groups.ts';
import { withJudgement } from './answer.fixture.ts';
import { shownRows, upgradeReport } from './report.ts';

const UNLISTED = { published: null, withoutNotes: [], withoutNotesCount: 0 };
const complete = { lowest: '1.0.0', highest: '2.0.0', checkedAt: null, tracked: true, complete: true, ...UNLISTED };
const answer = (over: Partial<WhatsChanged> = {}): WhatsChanged =>
  withJudgement({
    status: 'resolved',
    package: 'a',
    ecosystem: 'npm',
    from: '1.0.0',
    to: '2.0.0',
    fromVersion: '1.0.0',
    toVersion: '2.0.0',
    source: null,
    matchedBy: 'package_map',
    entries: [],
    count: 0,
    total: 1,
    summary: { breaking: { major: 0, minor: 0, none: 1, unknown: 0 }, firstBreaking: null, unnoted: 0, security: 0 },
    worst: 'none',
    omittedPrereleases: 0,
    history: complete,
    truncated: false,
    ...over,
  });

const locked = {
  ecosystem: 'npm',
  direct: true,
  dev: null,
  optional: null,
  source: 'registry',
  fromRef: null,
  toRef: null,
  as: [] as string[],
} as const satisfies Partial<PackageChange>;

const read: ProjectUpgrades = {
  kind: 'diff',
  upgrades: ['safe', 'lost', 'broken', 'refused', 'dim'].map((name) => ({
    ...locked,
    name,
    from: '1.0.0',
    to: '2.0.0',
  })),
  omitted: 4,
  others: [{ ...locked, name: 'fresh', from: null, to: '1.0.0', reason: 'added' }],
};
const entry: WhatsChanged['entries'][number] = {
  id: 'rel_1',
  version: '2.0.0',
  publishedAt: null,
  title: 'Two',
  summary: 'Thanks @maintainer: `a|b` <img src=x> is gone, see #12',
  breaking: 'major',
  migrationNotes: '- Use `c`\n\n- Drop `d` | e',
  importance: null,
  security: false,
  prerelease: false,
  composition: null,
  url: null,
  webUrl: 'https://registry.example/release/rel_1',
};
const steps: WhatsChanged['steps'] = [
  { kind: 'manual', text: 'Use `c`', versions: ['2.0.0'], releaseIds: ['rel_1'], from: 'notes' },
  { kind: 'removal', text: 'Drop `d` | e', versions: ['2.0.0'], releaseIds: ['rel_1'], from: 'package' },
];
const items: WhatsChangedBatch['items'] = [
  { index: 0, ...answer() },
  {
    index: 1,
    ...answer({ status: 'unknown', worst: null, reason: 'not_tracked', hint: 'No source is mapped.', total: 0 }),
  },
  { index: 2, ...answer({ worst: 'major', entries: [entry], count: 1, total: 3, steps }) },
  { index: 3, error: { code: 'bad_request', type: 'validation', message: 'from cannot be read' } },
  {
    index: 4,
    ...answer({ worst: 'unknown', hint: 'The history ends at 1.5.0.', history: { ...complete, complete: false } }),
  },
];

describe('a report', () => {
  const report = upgradeReport(read, items);

  it('stands by risk, with totals', () => {
    assert.deepEqual(
      report.rows.map(({ name, risk }) => [name, risk]),
      [
        ['broken', 'major'],
        ['refused', 'unknown'],
        ['dim', 'unknown'],
        ['safe', 'none'],
        ['lost', 'not_tracked'],
      ],
    );
    assert.deepEqual(report.totals, { major: 1, minor: 0, unknown: 2, none: 1, not_tracked: 1 });
    assert.deepEqual([report.releases, report.omitted], [5, 4]);
  });

  it('is shown in the order of all interfaces, with words for what could not be compared', async () => {
    assert.deepEqual(
      (await shownRows(report)).map((row) => [row.package, groupOf(row), row.reason]),
      [
        ['broken', 'breaks', 'Use `c`'],
        ['dim', 'not_known', 'Stored versions reach from 1.0.0 to 2.0.0 only'],
        ['lost', 'not_known', 'Its notes are not tracked here'],
        ['refused', 'not_known', 'The two versions cannot be put in order'],
        ['safe', 'no_sign', 'No sign of a break in 1 version'],
        ['fresh', 'added', 'Added'],
      ],
    );
  });
});
