import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { reportRow } from '../../../domain/upgrade/report/row.fixture.ts';
import { withJudgement } from '../../../packages/whats-changed/answer.fixture.ts';
import type { DependencyChange } from './changes.ts';
import { type JudgedChange, judgeChanges } from './judge-changes.ts';
import { unjudgedLine } from './report.ts';

const UNLISTED = { published: null, withoutNotes: [], withoutNotesCount: 0 };

function answer(more: Partial<WhatsChanged>): WhatsChanged {
  return withJudgement({
    status: 'resolved',
    package: 'x',
    ecosystem: 'npm',
    from: '1.0.0',
    to: '2.0.0',
    fromVersion: '1.0.0',
    toVersion: '2.0.0',
    source: null,
    matchedBy: null,
    entries: [],
    count: 0,
    total: 0,
    summary: { breaking: { major: 0, minor: 0, none: 0, unknown: 0 }, firstBreaking: null, unnoted: 0, security: 0 },
    worst: null,
    omittedPrereleases: 0,
    truncated: false,
    ...more,
  });
}

function entry(more: Partial<WhatsChanged['entries'][number]>): WhatsChanged['entries'][number] {
  return {
    id: 'rel_1',
    version: '2.0.0',
    publishedAt: null,
    title: 'Two',
    summary: '',
    breaking: 'major',
    migrationNotes: null,
    importance: null,
    security: false,
    prerelease: false,
    composition: null,
    url: null,
    webUrl: 'https://registry.example/release/rel_1',
    ...more,
  };
}

const change = (name: string, more: Partial<JudgedChange> = {}): JudgedChange => ({
  ecosystem: 'npm',
  name,
  from: '1.0.0',
  to: '2.0.0',
  direct: false,
  dev: null,
  optional: null,
  source: 'registry',
  fromRef: null,
  toRef: null,
  as: [],
  risk: 'none',
  row: reportRow(name),
  verdict: 'no sign of a break',
  answer: null,
  ...more,
});

const CHANGES = [
  change('dark', { risk: 'not_tracked', verdict: 'not tracked by this registry', direct: null }),
  change('vague', { risk: 'unknown', verdict: 'not known' }),
];

describe('asking', () => {
  it('a hundred packages a call, one answer for each, cut ones with a break again', async () => {
    const changes: DependencyChange[] = [
      ...Array.from({ length: 150 }, (_, index) => ({ ...change(`p${index}`), ecosystem: 'npm' as const })),
      change('new', { from: null }),
      change('x'.repeat(201)),
    ];
    const [sizes, again]: [number[], string[]] = [[], []];
    const whole = {
      worst: 'major',
      history: { lowest: '1', highest: '3', checkedAt: null, tracked: true, complete: true, ...UNLISTED },
    } as const;
    const judged = await judgeChanges(changes, {
      whatsChanged: {
        async batch(items) {
          sizes.push(items.length);
          return {
            truncated: true,
            items: items.map(({ package: name }, index) =>
              name === 'p1'
                ? {
                    index,
                    error: {
                      code: 'bad_request',
                      type: 'validation' as const,
                      message: 'from is above to',
                      details: { reason: 'from_after_to' },
                    },
                  }
                : { index, ...answer({ ...whole, truncated: name === 'p149' }) },
            ),
          };
        },
        async one({ package: name }) {
          again.push(name);
          return answer({ ...whole, entries: [entry({})] });
        },
      },
    });

    assert.deepEqual([sizes, again], [[100, 50], ['p149']]);
    const verdict = (name: string) => judged.find((one) => one.name === name)?.verdict;
    assert.deepEqual(
      [verdict('p0'), verdict('p1'), verdict('new'), verdict('x'.repeat(201))],
      ['breaks', 'a downgrade, which is not judged', 'added', 'not known: not answered'],
    );
    assert.equal(judged.find(({ name }) => name === 'p149')?.answer?.entries.length, 1);
  });
});

describe('what a check cannot judge', () => {
  it('is never asked: another commit, another folder, a lower version', async () => {
    const changes = [
      change('tool', { source: 'git', from: '1.0.0', to: '2.0.0' }),
      change('lower', { from: '2.0.0', to: '1.9.0' }),
    ];
    const asked: string[] = [];
    const judged = await judgeChanges(changes, {
      whatsChanged: {
        batch: async (items) => {
          asked.push(...items.map((item) => item.package));
          return { items: [], truncated: false };
        },
        one: async () => answer({}),
      },
    });

    assert.deepEqual(asked, []);
    assert.deepEqual(
      judged.map(({ risk, verdict }) => [risk, verdict]),
      [
        ['unknown', 'not from a registry (git)'],
        ['unknown', 'a downgrade, which is not judged'],
      ],
    );
    assert.equal(
      unjudgedLine([...judged, ...CHANGES]),
      '1 not from a registry, 1 a downgrade, 1 not tracked, 1 unknown',
    );
  });
});
