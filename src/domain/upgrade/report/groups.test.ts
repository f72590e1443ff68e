import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UseWord } from '../../uses/use.ts';
import { FAIL_LEVELS, failsOn, NOTES_LEVELS } from './fail-on.ts';
import { groupOf, markOf, orderRows, rankOf, totalsOf } from './groups.ts';
import { reportRow, useOf } from './row.fixture.ts';
import type { ReportRow } from './row.ts';
import { judgementWords, summarySentence, totalsLine, useWords } from './words.ts';

const breaks = { judgement: 'breaks', verdict: 'major' } as const;
const may = { judgement: 'may_break', verdict: 'minor' } as const;
const need = (name: string, use: UseWord) => ({
  judgement: 'breaks' as const,
  use: useOf(use),
  findings: [
    {
      kind: name === 'engines.node' ? ('engines_raised' as const) : ('peer_raised' as const),
      ...{ name, subpath: '', certainty: 'proven' as const, was: null, is: '>=20', text: `needs ${name}` },
      use: useOf(use),
    },
  ],
});
const unknown = { judgement: 'not_known', verdict: 'unknown' } as const;
const used = { use: useOf('used') };

describe('the group of a row', () => {
  const cases: [name: string, row: Partial<ReportRow>, group: string, rank: number][] = [
    ['breaks and used', { ...breaks, ...used }, 'breaks_used', 1],
    ['a requirement that is not met', { ...breaks, use: useOf('not_met') }, 'breaks_used', 1],
    ['a security fix that breaks what is used', { ...breaks, ...used, security: true }, 'breaks_used', 1],
    ['a security fix', { security: true }, 'security', 2],
    ['a security fix that breaks', { ...breaks, security: true }, 'security', 2],
    ['breaks, use unclear', { ...breaks, use: useOf('unclear') }, 'breaks', 3],
    ['breaks, not used', { ...breaks, use: useOf('not_used') }, 'breaks', 3],
    ['breaks', breaks, 'breaks', 3],
    ['may break and used', { ...may, ...used }, 'may_break_used', 4],
    ['may break', may, 'may_break', 5],
    ['not known', unknown, 'not_known', 6],
    ['not known, though used', { ...unknown, ...used }, 'not_known', 6],
    ['not tracked', { judgement: 'not_known', verdict: 'not_tracked' }, 'not_known', 6],
    ['no sign', {}, 'no_sign', 7],
    ['a commit', { ...unknown, notFromRegistry: { source: 'git', from: 'a', to: 'b' } }, 'elsewhere', 8],
    ['nothing newer', { judgement: null }, 'up_to_date', 9],
    ['added', { from: null, judgement: null }, 'added', 10],
    ['removed', { to: null, judgement: null }, 'removed', 11],
    ['ignored', { ...breaks, ...used, ignored: { reason: 'later', until: null } }, 'ignored', 13],
    ['done', { ...breaks, ...used, done: { at: '2026-01-01T00:00:00.000Z' } }, 'done', 12],
  ];
  for (const [name, row, group, rank] of cases) {
    it(name, () => assert.deepEqual([groupOf(reportRow('a', row)), rankOf(reportRow('a', row))], [group, rank]));
  }
});

const ROWS = [
  reportRow('fine'),
  reportRow('dark', { judgement: 'not_known', verdict: 'not_tracked' }),
  reportRow('b', { ...breaks, direct: false }),
  reportRow('a', { ...breaks, direct: false }),
  reportRow('a', { ...breaks, direct: false, from: '0.9.0' }),
  reportRow('z', { ...breaks, direct: true }),
  reportRow('told', { ...breaks, use: useOf('not_used') }),
  reportRow('dim', { ...breaks, use: useOf('unclear') }),
  reportRow('cve', { security: true }),
  reportRow('small', may),
  reportRow('worst', { ...breaks, ...used }),
];

describe('a report', () => {
  it('has security fixes that break before the others', () => {
    const fixes = [
      reportRow('a', { security: true }),
      reportRow('b', { ...may, security: true }),
      reportRow('c', { ...breaks, security: true }),
    ];
    assert.deepEqual(
      orderRows(fixes).map((row) => row.package),
      ['c', 'b', 'a'],
    );
  });

  it('stands by risk, then by use, direct ones first, then by name and version', () => {
    assert.deepEqual(
      orderRows(ROWS).map((row) => `${row.package} ${row.from}`),
      ['worst', 'cve', 'dim', 'z', 'a', 'a', 'b', 'told', 'small', 'dark', 'fine'].map(
        (name, index) => `${name} ${index === 4 ? '0.9.0' : '1.0.0'}`,
      ),
    );
    assert.deepEqual(orderRows(ROWS.toReversed()), orderRows(ROWS));
  });

  it('counts each row once, and says nothing of groups without one', () => {
    assert.equal(
      totalsLine(ROWS),
      '1 breaks and is used, 1 security fix, 6 break, 1 may break, 1 not known, 1 no sign of a break',
    );
    assert.equal(
      Object.values(totalsOf(ROWS)).reduce((sum, count) => sum + count, 0),
      ROWS.length,
    );
  });

  const sentences: [rows: ReportRow[], sentence: string][] = [
    [[], 'No package goes to a higher version'],
    [[reportRow('a', { from: null, judgement: null })], 'No package goes to a higher version'],
    [ROWS, '1 of 11 changed packages breaks code in this project'],
    [
      [reportRow('a', { ...breaks, direct: true }), reportRow('b')],
      '1 of 2 changed packages breaks, a direct dependency',
    ],
    [
      [reportRow('a', { ...breaks, direct: true }), reportRow('b', breaks)],
      '2 of 2 changed packages break, 1 of them a direct dependency',
    ],
    [
      [reportRow('a', { ...breaks, use: useOf('not_used') }), reportRow('b')],
      '1 of 2 changed packages breaks; nothing that changed was found in use',
    ],
    [
      [reportRow('a', { ...breaks, use: useOf('unclear') }), reportRow('b', { ...breaks, use: useOf('met') })],
      '2 of 2 changed packages break; whether 1 of them is in use cannot be told',
    ],
    [[reportRow('a', breaks)], 'The one changed package breaks'],
    [[reportRow('a', unknown)], 'Not known for the one changed package'],
    [[reportRow('a', may), reportRow('b')], '1 of 2 changed packages may break'],
    [[reportRow('a'), reportRow('b')], 'No sign of a break in 2 changed packages'],
    [[reportRow('a', unknown), reportRow('b')], 'Not known for 1 of 2 changed packages'],
  ];
  for (const [rows, sentence] of sentences) it(sentence, () => assert.equal(summarySentence(rows), sentence));

  const updates: [rows: ReportRow[], sentence: string][] = [
    [ROWS, '1 update breaks code in this project'],
    [[reportRow('a', breaks), reportRow('b', unknown)], '1 update breaks'],
    [[reportRow('a', breaks), reportRow('b', breaks)], '2 updates break'],
    [[reportRow('a', may), reportRow('b')], '1 update may break'],
    [[reportRow('a', unknown), reportRow('b')], 'Not known for 1 package'],
    [[reportRow('a'), reportRow('b')], 'No sign of a break in 2 updates'],
  ];
  for (const [rows, sentence] of updates) {
    it(sentence, () => assert.equal(summarySentence(rows, { isProposal: true }), sentence));
  }
});

describe('what is needed around code', () => {
  const rows = [
    reportRow('met', need('engines.node', 'met')),
    reportRow('old', need('engines.node', 'not_met')),
    reportRow('older', need('engines.node', 'not_met')),
    reportRow('alone', need('peerDependencies.lamp', 'not_met')),
  ];
  const code = reportRow('code', { ...breaks, ...used });
  const both = reportRow('both', { ...need('engines.node', 'not_met'), use: useOf('used') });

  it('is counted apart from what breaks code', () => {
    assert.equal(
      summarySentence([code, both, ...rows], { isProposal: true }),
      '2 updates break code in this project, 3 need a newer Node, 1 needs another package beside it',
    );
    assert.equal(totalsLine([code, ...rows]), '1 breaks and is used, 3 need what is not here, 1 raises what it needs');
  });

  it('breaks nothing by itself, and says what else is not known', () => {
    const dim = reportRow('dim', { ...breaks, use: useOf('unclear') });
    const sentence = (...all: ReportRow[]) => summarySentence(all, { isProposal: true });
    assert.equal(sentence(...rows.slice(1, 3)), '2 updates need a newer Node');
    assert.equal(
      sentence(...rows.slice(1, 2), dim),
      '1 update needs a newer Node; whether 1 other breaks code here cannot be told',
    );
  });

  it('stands below what breaks code, with a mark of its own', () => {
    const ordered = orderRows([...rows, code]);
    assert.deepEqual(
      ordered.map((row) => [row.package, markOf(row).word]),
      [['code', 'Breaks'], ...['alone', 'old', 'older', 'met'].map((name) => [name, 'Needs'])],
    );
  });
});

describe('whether a check fails', () => {
  const rows = [
    reportRow('used', { ...breaks, ...used }),
    reportRow('unclear', { ...breaks, use: useOf('unclear') }),
    reportRow('unread', breaks),
    reportRow('unused', { ...breaks, use: useOf('not_used') }),
    reportRow('shown', { judgement: 'breaks', verdict: 'none', use: useOf('met') }),
    reportRow('may', may),
    reportRow('dark', { judgement: 'not_known', verdict: 'not_tracked' }),
    reportRow('git', { ...unknown, notFromRegistry: { source: 'git', from: 'a', to: 'b' } }),
    reportRow('fine', { security: true }),
    reportRow('new', { from: null, judgement: null, verdict: null }),
    reportRow('left', { ...breaks, ...used, ignored: { reason: 'later', until: null } }),
  ];
  const names = (level: Parameters<typeof failsOn>[1]) => failsOn(rows, level).map((row) => row.package);
  const broken = ['used', 'unclear', 'unread', 'unused', 'shown'];

  it('by the answer and the use', () => {
    assert.deepEqual(FAIL_LEVELS.map(names), [
      ['used', 'unclear', 'unread'],
      broken,
      [...broken, 'may'],
      [...broken, 'may', 'dark', 'git'],
    ]);
  });

  it('by the notes alone', () => {
    const noted = broken.slice(0, 4);
    assert.deepEqual(NOTES_LEVELS.map(names), [noted, [...noted, 'may'], [...noted, 'may', 'dark', 'git']]);
    assert.deepEqual(names(undefined), []);
  });
});

describe('words', () => {
  const phrases: [row: Partial<ReportRow>, words: string][] = [
    [breaks, 'breaks'],
    [{ ...breaks, ...used }, 'breaks, and you use it'],
    [{ ...breaks, use: useOf('not_used') }, 'breaks, but you use none of the changed names'],
    [{ ...may, use: useOf('unclear') }, 'may break; whether you use it cannot be told'],
    [{ use: useOf('used') }, 'no sign of a break'],
    [{ judgement: null }, 'up to date'],
  ];
  for (const [row, words] of phrases) it(words, () => assert.equal(judgementWords(reportRow('a', row)), words));

  it('of a use name the first place, what the project has, or why it is not told', () => {
    assert.equal(useWords(useOf('used')), 'src/clock.ts:14, 2 more');
    assert.equal(useWords({ ...useOf('not_met'), has: 'Node 18 in .nvmrc' }), 'Node 18 in .nvmrc');
    assert.equal(useWords(useOf('unclear')), 'cannot be told');
  });
});
