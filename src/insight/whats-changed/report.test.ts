import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged, WhatsChangedBatch } from '../../contract/whats-changed.ts';
import type { PackageChange } from '../../domain/upgrade/lockfiles/changed-packages.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { withJudgement } from './answer.fixture.ts';
import { riskOf, upgradeReport } from './report.ts';
import { upgradeMarkdown } from './report-markdown.ts';

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
    summary: { breaking: { major: 0, minor: 0, none: 1, unknown: 0 }, firstBreaking: null, unnoted: 0 },
    worst: 'none',
    omittedPrereleases: 0,
    history: complete,
    truncated: false,
    ...over,
  });

describe('risk', () => {
  const cases: [string, Partial<WhatsChanged>, string][] = [
    ['a break', { worst: 'major' }, 'major'],
    ['a break in an incomplete history', { worst: 'minor', history: { ...complete, complete: false } }, 'minor'],
    ['no break in an incomplete history', { history: { ...complete, complete: false } }, 'unknown'],
    ['no break', {}, 'none'],
    ['nothing in the range', { worst: null, total: 0, reason: 'up_to_date' }, 'none'],
    [
      'nothing in a range that is not covered',
      { worst: null, total: 0, reason: 'history_ends', history: { ...complete, complete: false } },
      'unknown',
    ],
    ['not tracked', { status: 'unknown', worst: null, reason: 'not_tracked' }, 'not_tracked'],
    ['ambiguous', { status: 'unknown', worst: null, reason: 'ambiguous' }, 'unknown'],
  ];
  for (const [label, over, expected] of cases) it(label, () => assert.equal(riskOf(answer(over)), expected));
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

  it('is a comment in which text of strangers breaks nothing and calls nobody', () => {
    const text = upgradeMarkdown(report);
    assert.match(
      text,
      /5 changed packages: 1 breaks, 0 may break, 1 without a sign of a break, 2 not known, 1 not tracked\./,
    );
    assert.match(text, /\| Breaks \| `broken` \| `1.0.0` → `2.0.0` \| 3 \| Use `c` \|/);
    assert.match(text, /\| Not tracked \| `lost` .* Its notes are not tracked here \|/);
    assert.match(text, /\| Not known \| `refused` .*The two versions cannot be put in order/);
    assert.match(
      text,
      /What to do:\n\n1\. Use `c` \(2\.0\.0\)\n2\. Drop `d` \\\| e \(2\.0\.0, seen in the package\)\n\n\*\*/,
    );
    assert.match(text, /- `fresh` added \(`1.0.0`\)/);
    assert.match(text, /4 more changed packages/);
    assert.doesNotMatch(text, /@maintainer|<img|#12/);
    assert.doesNotMatch(upgradeMarkdown(report, { breakingOnly: true }), /lost|safe|fresh/);
  });
});
