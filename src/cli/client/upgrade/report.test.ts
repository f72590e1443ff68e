import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { withJudgement } from '../../../insight/whats-changed/answer.fixture.ts';
import type { DependencyChange } from './changes.ts';
import { pullRequestComment } from './comment.ts';
import { type JudgedChange, judgeChanges } from './judge-changes.ts';
import { byRisk, type FailOn, failing, firstOfWorst, totalLine, totalsOf, unjudgedLine } from './report.ts';

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
    summary: { breaking: { major: 0, minor: 0, none: 0, unknown: 0 }, firstBreaking: null, unnoted: 0 },
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
  level: more.risk === undefined ? 'none' : more.risk,
  verdict: 'no sign of a break',
  answer: null,
  ...more,
});

const CHANGES = [
  change('fine'),
  change('dark', { risk: 'not_tracked', verdict: 'not tracked by this registry', direct: null }),
  change('vague', { risk: 'unknown', verdict: 'not known' }),
  change('small', { risk: 'minor', verdict: 'minor break' }),
  change('big', { risk: 'major', verdict: 'major break' }),
  change('big-direct', { risk: 'major', verdict: 'major break', direct: true }),
  change('new', { from: null, risk: null, verdict: 'added' }),
  change('gone', { to: null, risk: null, verdict: 'removed' }),
];

describe('a list of changes', () => {
  it('the worst first, what is not known before what breaks nothing', () => {
    const names = byRisk(CHANGES).map(({ name }) => name);
    assert.deepEqual(names, ['big-direct', 'big', 'small', 'vague', 'dark', 'fine', 'gone', 'new']);
  });

  it('totals', () => {
    assert.equal(
      totalLine(totalsOf(CHANGES)),
      '2 break, 1 may break, 1 not known, 1 not tracked, 1 without a sign of a break, 1 added, 1 removed',
    );
  });

  const checks: [failOn: FailOn | undefined, names: string[]][] = [
    [undefined, []],
    ['major', ['big', 'big-direct']],
    ['minor', ['small', 'big', 'big-direct']],
    ['unknown', ['dark', 'vague', 'small', 'big', 'big-direct']],
  ];
  for (const [failOn, names] of checks) {
    it(`--fail-on ${failOn}`, () => {
      assert.deepEqual(
        failing(CHANGES, failOn).map(({ name }) => name),
        names,
      );
    });
  }
});

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
      ['major break', 'a downgrade, which is not judged', 'added', 'not known: not answered'],
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

describe('the first break', () => {
  const entries = [
    entry({ version: '5.1.0', breaking: 'minor' }),
    entry({ version: '5.5.0', breaking: 'major' }),
    entry({ version: '6.0.0', breaking: 'major' }),
  ];
  const breaking = { major: 2, minor: 1, none: 0, unknown: 0 };

  it('is the first of the worst kind', () => {
    const whole = answer({ entries, summary: { breaking, firstBreaking: '5.1.0', unnoted: 0 } });
    assert.equal(firstOfWorst('major', whole), '5.5.0');
    assert.equal(firstOfWorst('minor', whole), '5.1.0');
    assert.equal(firstOfWorst('none', whole), null);
  });

  it('is not named where older ones are left out without their names', () => {
    const cut = answer({
      entries: entries.slice(2),
      summary: { breaking, firstBreaking: '5.1.0', unnoted: 0 },
      truncated: true,
    });
    assert.equal(firstOfWorst('major', cut), null);
    const omittedBreaking = entries.slice(0, 2).map((one) => ({ ...one, step: null }));
    assert.equal(firstOfWorst('major', { ...cut, omittedBreaking }), '5.5.0');
  });
});

describe('the comment of a pull request', () => {
  const broken = change('@scope/big', {
    direct: true,
    risk: 'major',
    verdict: 'major break',
    answer: answer({
      worst: 'major',
      summary: { breaking: { major: 1, minor: 0, none: 0, unknown: 0 }, firstBreaking: '2.0.0', unnoted: 0 },
      entries: [
        entry({ title: 'Shell removed', migrationNotes: 'Use the new one.', url: 'https://acme.example/2?a=(b)' }),
        entry({ version: '1.1.0', breaking: 'none', title: 'Faster' }),
      ],
    }),
  });

  it('packages by risk, breaks with what to do and links, what is not known as such', () => {
    assert.equal(
      pullRequestComment([...CHANGES.slice(0, 3), broken]),
      [
        '### What this upgrade changes',
        '',
        '**1 breaks, 0 may break, 1 not known, 1 not tracked, 1 without a sign of a break**',
        '',
        '| Risk | Package | From | To | What is known |',
        '| --- | --- | --- | --- | --- |',
        '| **breaks** | `@scope/big` | 1.0.0 | 2.0.0 | major break; first in 2.0.0 |',
        '| **not known** | `vague` (indirect) | 1.0.0 | 2.0.0 | not known |',
        '| **not tracked** | `dark` | 1.0.0 | 2.0.0 | not tracked by this registry |',
        '| **no sign** | `fine` (indirect) | 1.0.0 | 2.0.0 | no sign of a break |',
        '',
        '#### `@scope/big` 1.0.0 → 2.0.0',
        '',
        '- **2.0.0** major: Shell removed ([release](https://registry.example/release/rel_1), [original](https://acme.example/2?a=%28b%29))',
        '',
        '  Before you upgrade:',
        '',
        '  > Use the new one.',
        '',
        '#### Not known',
        '',
        'No verdict is no promise that nothing breaks.',
        '',
        '- `vague`: 0 releases do not tell',
        '- `dark`: not tracked by this registry',
        '',
      ].join('\n'),
    );
  });

  it('breaking only still says how much is not known; without a server there are no links to its pages', () => {
    const text = pullRequestComment([...CHANGES, broken], { breakingOnly: true, linksToRegistry: false });

    assert.match(text, /2 that are not known are not listed/);
    assert.doesNotMatch(text, /\| \*\*no sign|registry\.example|Not known/);
  });

  it('says what to do for the whole range once, in the words of the notes', () => {
    const step = { kind: 'removal' as const, text: '`old()` is gone, see @team <b>', releaseIds: [] as string[] };
    const steps = [
      { ...step, versions: ['2.0.0'], from: 'notes' as const },
      { ...step, text: '`TimeFn` is no longer exported', versions: [], from: 'package' as const },
    ];
    const text = pullRequestComment([
      { ...broken, answer: { ...(broken.answer as WhatsChanged), steps, moreSteps: 3 } },
    ]);
    assert.match(text, /What to do:\n\n1\. `old\(\)` is gone, see @\u2060team \\<b\\> _\(2\.0\.0\)_\n/);
    assert.match(text, /2\. `TimeFn` is no longer exported _\(seen in the package\)_\n3\. and 3 more\n/);
    assert.doesNotMatch(text, /Before you upgrade/);
  });

  it('an incomplete history is told at the break that is known', () => {
    const history = { lowest: '1.0.0', highest: '1.5.0', checkedAt: null, tracked: true, complete: false, ...UNLISTED };
    const verdict = 'major break; the registry knows 1.0.0 to 1.5.0 only';
    const partly = { ...broken, verdict, answer: { ...(broken.answer as WhatsChanged), history } };

    assert.match(pullRequestComment([partly]), /- major break; the registry knows 1\.0\.0 to 1\.5\.0 only\./);
  });

  it('texts of releases bring no markup, ping nobody and refer to nothing', () => {
    const evil =
      '<img src=x> [x](javascript:1) @team #12 | **b** `c`\n# h\n- [ ] task https://evil.example www.evil.example';
    const hostile = entry({
      title: evil,
      summary: evil,
      migrationNotes: evil,
      url: 'javascript:alert(1)',
      version: '2|0',
    });
    const text = pullRequestComment([
      { ...broken, answer: { ...(broken.answer as WhatsChanged), entries: [hostile] } },
    ]);

    assert.doesNotMatch(text, /(?<!\\)<img|(?<!\\)\[x\]|@team|#12|javascript:alert|\n# h|https:\/\/evil|www\.evil/);
    assert.equal(text.split('\n').filter((line) => line.startsWith('|')).length, 3);
  });

  it('fits into a comment, and says what is left out', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...broken,
      name: `big-${index}`,
      answer: { ...(broken.answer as WhatsChanged), entries: [entry({ migrationNotes: 'Do this. '.repeat(300) })] },
    }));
    const text = pullRequestComment(many);

    assert.ok(text.length <= 60_000);
    assert.match(text, /300 more packages are left out here/);
    assert.match(text, /Breaking changes of \d+ more packages are left out here/);
  });
});
