import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../evidence/finding.ts';
import type { PackageChange } from '../lockfiles/changed-packages.ts';
import {
  type AnsweredUpgrade,
  answeredRow,
  firstOfWorst,
  problemOf,
  riskOf,
  unansweredRow,
  withCopies,
} from './answer.ts';
import { lackOfPackage } from './reasons.ts';

const complete = { lowest: '1.0.0', highest: '2.0.0', complete: true };
const breaking = { major: 0, minor: 0, none: 1, unknown: 0 };
const answer = (over: Partial<AnsweredUpgrade> = {}): AnsweredUpgrade => ({
  status: 'resolved',
  to: '2.0.0',
  fromVersion: '1.0.0',
  toVersion: '2.0.0',
  entries: [],
  total: 1,
  summary: { breaking },
  worst: 'none',
  history: complete,
  ...over,
});
const change = (over: Partial<PackageChange> = {}): PackageChange => ({
  ecosystem: 'npm',
  name: 'a',
  from: '1.0.0',
  to: 'latest',
  direct: true,
  dev: null,
  optional: null,
  source: 'registry',
  fromRef: null,
  toRef: null,
  as: [],
  ...over,
});
const finding: Finding = {
  kind: 'export_removed',
  name: 'TimeFn',
  subpath: '.',
  certainty: 'proven',
  was: null,
  is: null,
  text: '`TimeFn` is no longer exported',
};

describe('the reason of a security fix', () => {
  const entry = { version: '1.5.0', title: '1.5.0', breaking: 'none' as const, migrationNotes: null, security: true };
  const reason = (over: Partial<AnsweredUpgrade>) => answeredRow(change(), answer(over)).reason;

  it('names the advisories, and what else is known', () => {
    const summary = 'Fixes CVE-2099-41107 and GHSA-abcd-2345-wxyz, again CVE-2099-41107';
    assert.equal(
      reason({ entries: [{ ...entry, summary }] }),
      'Fixes CVE-2099-41107 and 1 more; no sign of a break in 1 version',
    );
    assert.equal(
      reason({
        entries: [{ ...entry, summary: 'Hardened' }],
        worst: 'unknown',
        summary: { breaking: { ...breaking, none: 0, unknown: 1 } },
      }),
      'Has a security fix; the notes of 1 of 1 version do not say',
    );
  });

  it('is told where the entry itself is left out', () => {
    assert.equal(reason({ summary: { breaking, security: 2 } }), 'Has a security fix; no sign of a break in 1 version');
  });

  it('stands before what breaks, unless that names it', () => {
    const broken = { worst: 'major' as const, summary: { breaking: { ...breaking, major: 1 } } };
    const told = { ...entry, breaking: 'major' as const, summary: '' };
    const notes = (migrationNotes: string) => reason({ ...broken, entries: [{ ...told, migrationNotes }] });
    assert.equal(notes('- Removed `open`'), 'Has a security fix; Removed `open`');
    assert.equal(notes('- Removed `open` for CVE-2099-41107'), 'Removed `open` for CVE-2099-41107');
  });
});

describe('risk', () => {
  const cases: [string, Partial<AnsweredUpgrade>, string][] = [
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

describe('a row', () => {
  const entry = {
    version: '2.0.0',
    title: 'Two',
    summary: 'All is new',
    breaking: 'major',
    migrationNotes: '- Use `c`',
  } as const;
  const evidence = {
    status: 'compared',
    pairs: [{ from: '1.0.0', to: '2.0.0', findings: [finding] }],
    counts: { proven: 1, likely: 0 },
  } as const;
  const noted = { worst: 'major', entries: [entry], summary: { breaking: { ...breaking, major: 1 } } } as const;
  const quiet = { judgement: 'not_known', history: complete } as const;
  const cases: [name: string, over: Partial<AnsweredUpgrade>, judgement: string | null, reason: string][] = [
    ['a break of the notes', { ...noted, judgement: 'breaks' }, 'breaks', 'Use `c`'],
    ['a server that does not judge', noted, 'breaks', 'Use `c`'],
    ['what the package shows comes first', { ...noted, judgement: 'breaks', evidence }, 'breaks', finding.text],
    [
      'what the notes keep silent about',
      { judgement: 'breaks', undocumented: true, evidence },
      'breaks',
      `${finding.text}; the notes do not mention it`,
    ],
    [
      'a break without words',
      { ...noted, entries: [{ ...entry, title: '', summary: '', migrationNotes: null }] },
      'breaks',
      'The notes call it breaking and do not say why',
    ],
    [
      'packages that wait',
      { ...quiet, evidence: { ...evidence, status: 'pending', pairs: [] } },
      'not_known',
      'The notes show no break; the packages are being compared',
    ],
    [
      'versions without notes',
      {
        judgement: 'not_known',
        history: { ...complete, complete: false, published: 3, withoutNotes: ['1.1.0'], withoutNotesCount: 1 },
      },
      'not_known',
      '1 of 3 versions has no notes: 1.1.0',
    ],
    [
      'not tracked',
      { status: 'unknown', reason: 'not_tracked', worst: null, judgement: 'not_known' },
      'not_known',
      'Its notes are not tracked here',
    ],
    [
      'nothing newer',
      { judgement: null, reason: 'up_to_date', worst: null, total: 0 },
      null,
      '2.0.0 is the latest version known',
    ],
    [
      'nothing newer in a history with holes',
      { judgement: null, reason: 'up_to_date', worst: null, total: 0, history: { ...complete, complete: false } },
      'not_known',
      'Stored versions reach from 1.0.0 to 2.0.0 only',
    ],
    ['no sign', { judgement: 'no_sign' }, 'no_sign', 'No sign of a break in 1 version'],
  ];
  for (const [name, over, judgement, reason] of cases) {
    it(name, () => {
      const row = answeredRow(change(), answer(over));
      assert.deepEqual([row.judgement, row.reason, row.to], [judgement, reason, '2.0.0']);
    });
  }

  it('of what nobody is asked about says why', () => {
    const commit = change({ source: 'git', to: '1.0.0', fromRef: 'aaa', toRef: 'bbb' });
    const lower = change({ from: '2.0.0', to: '1.0.0' });
    assert.equal(problemOf(change({ to: '2.0.0' })), null);
    assert.equal(problemOf(lower), 'Goes to a lower version, which is not judged');
    assert.equal(unansweredRow(lower, 'x').judgement, 'not_known');
    assert.deepEqual(unansweredRow(commit, 'x').notFromRegistry, { source: 'git', from: 'aaa', to: 'bbb' });
    assert.equal(unansweredRow(commit, 'x').reason, 'Git dependency: look at the commits between');
    const added = unansweredRow(change({ from: null }), 'x');
    assert.deepEqual([added.judgement, added.verdict, added.reason], [null, null, 'Added']);
  });

  it('knows how many copies move', () => {
    const rows = [change(), change({ from: '0.9.0' }), change({ from: null })].map((one) => unansweredRow(one, 'x'));
    assert.deepEqual(
      withCopies(rows).map(({ copies }) => copies),
      [2, 2, 1],
    );
  });
});

describe('the first break', () => {
  const entry = { title: '', summary: '', migrationNotes: null };
  const entries = [
    { ...entry, version: '5.1.0', breaking: 'minor' as const },
    { ...entry, version: '5.5.0', breaking: 'major' as const },
    { ...entry, version: '6.0.0', breaking: 'major' as const },
  ];
  const summary = { breaking: { major: 2, minor: 1, none: 0, unknown: 0 } };

  it('is the first of the worst kind', () => {
    const whole = answer({ entries, summary });
    assert.equal(firstOfWorst('major', whole), '5.5.0');
    assert.equal(firstOfWorst('minor', whole), '5.1.0');
    assert.equal(firstOfWorst('none', whole), null);
  });

  it('is not named where older ones are left out without their names', () => {
    const cut = answer({ entries: entries.slice(2), summary });
    assert.equal(firstOfWorst('major', cut), null);
    const omittedBreaking = entries.slice(0, 2).map((one) => ({ ...one, step: null }));
    assert.equal(firstOfWorst('major', { ...cut, omittedBreaking }), '5.5.0');
  });
});

describe('what is missing of a package', () => {
  it('is its listing where no registry was read, and the package itself where it cannot be had', () => {
    const evidence = { status: 'not_available', pairs: [], counts: { proven: 0, likely: 0 } } as const;
    const lack = (published: number | null) =>
      lackOfPackage(answer({ evidence, history: { ...complete, published, withoutNotes: [], withoutNotesCount: 0 } }));
    assert.match(lack(null) ?? '', /not listed here yet/);
    assert.match(lack(3) ?? '', /cannot be had/);
  });
});
