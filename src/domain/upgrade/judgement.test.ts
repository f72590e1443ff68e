import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addGroup,
  EVIDENCE_STATES,
  type EvidenceState,
  emptyTally,
  isByNotesAlone,
  isUndocumented,
  type JudgedRange,
  judgementOf,
  noVerdicts,
  type OrderedRelease,
  tallyOf,
  type VerdictCounts,
  witnessesOf,
  worstVerdict,
} from './judgement.ts';

const notes = (counts: Partial<VerdictCounts>): VerdictCounts => ({
  major: 0,
  minor: 0,
  none: 0,
  unknown: 0,
  ...counts,
});
const shows = (status: EvidenceState, counts = { proven: 0, likely: 0 }) => ({ status, counts });
const quiet: JudgedRange = {
  status: 'resolved',
  verdicts: notes({ none: 3 }),
  total: 3,
  isComplete: true,
  evidence: shows('compared'),
};
const gap = { isComplete: false, reason: 'history_gap' };
const proven = shows('compared', { proven: 1, likely: 0 });
const likely = shows('compared', { proven: 0, likely: 2 });

type Case = [when: string, range: Partial<JudgedRange>, expected: ReturnType<typeof judgementOf>];

const CASES: Case[] = [
  ['a proven finding', { evidence: proven }, 'breaks'],
  ['a major verdict', { verdicts: notes({ major: 1, none: 2 }) }, 'breaks'],
  ['a major verdict before a likely finding', { verdicts: notes({ major: 1 }), evidence: likely }, 'breaks'],
  ['a proven finding before a minor verdict', { verdicts: notes({ minor: 1 }), evidence: proven }, 'breaks'],
  ['a proven finding in a range with a gap', { ...gap, evidence: proven }, 'breaks'],
  ['a proven finding while other pairs wait', { evidence: shows('pending', { proven: 1, likely: 0 }) }, 'breaks'],
  ['a major verdict in a range with a gap', { ...gap, verdicts: notes({ major: 1 }) }, 'breaks'],
  [
    'a major verdict while nothing is compared',
    { verdicts: notes({ major: 1 }), evidence: shows('not_ordered') },
    'breaks',
  ],
  [
    'a proven finding of a package without notes',
    { status: 'unknown', reason: 'not_tracked', total: 0, verdicts: notes({}), isComplete: false, evidence: proven },
    'breaks',
  ],
  ['a likely finding', { evidence: likely }, 'may_break'],
  ['a minor verdict', { verdicts: notes({ minor: 1, none: 2 }) }, 'may_break'],
  ['a minor verdict beside an unjudged entry', { verdicts: notes({ minor: 1, unknown: 2 }) }, 'may_break'],
  ['a minor verdict in a range with a gap', { ...gap, verdicts: notes({ minor: 1 }) }, 'may_break'],
  ['a gap', gap, 'not_known'],
  ['an unjudged entry', { verdicts: notes({ none: 2, unknown: 1 }) }, 'not_known'],
  ['nothing seen', { total: 0, verdicts: notes({}), reason: 'no_entries_in_range' }, 'not_known'],
  [
    'a package that is not tracked',
    { status: 'unknown', reason: 'not_tracked', total: 0, verdicts: notes({}), isComplete: false },
    'not_known',
  ],
  [
    'a package that is not tracked, of another ecosystem',
    { status: 'unknown', reason: 'not_tracked', total: 0, verdicts: notes({}), isComplete: false, evidence: null },
    'not_known',
  ],
  ['a comparison that waits', { evidence: shows('pending') }, 'not_known'],
  ['a comparison that nobody ordered', { evidence: shows('not_ordered') }, 'not_known'],
  ['a package that is too large', { evidence: shows('too_large') }, 'not_known'],
  ['a package that is not available', { evidence: shows('not_available') }, 'not_known'],
  ['complete notes without a break, packages compared', {}, 'no_sign'],
  ['complete notes without a break, only metadata compared', { evidence: shows('no_types') }, 'no_sign'],
  ['comparing is off: by the notes alone', { evidence: shows('off') }, 'no_sign'],
  ['another ecosystem: by the notes alone', { evidence: null }, 'no_sign'],
  ['comparing is off and a gap', { ...gap, evidence: shows('off') }, 'not_known'],
  ['another ecosystem and an unjudged entry', { evidence: null, verdicts: notes({ unknown: 1 }) }, 'not_known'],
  ['the same version', { reason: 'same_version', total: 0, verdicts: notes({}) }, null],
  ['nothing newer', { reason: 'up_to_date', total: 0, verdicts: notes({}) }, null],
];

describe('the judgement of a range', () => {
  for (const [when, range, expected] of CASES) {
    it(`${when}: ${expected}`, () => assert.equal(judgementOf({ ...quiet, ...range }), expected));
  }

  it('says no sign only where every witness was asked', () => {
    const comforting = EVIDENCE_STATES.filter(
      (status) => judgementOf({ ...quiet, evidence: shows(status) }) === 'no_sign',
    );
    assert.deepEqual(comforting, ['compared', 'no_types', 'off']);
    assert.deepEqual(
      EVIDENCE_STATES.filter((status) => isByNotesAlone({ evidence: shows(status) })),
      ['off'],
    );
    assert.equal(isByNotesAlone({ evidence: null }), true);
  });
});

describe('the witnesses of a range', () => {
  const cases: [when: string, heard: Parameters<typeof witnessesOf>[0], expected: string][] = [
    ['nothing was read', { total: 0, major: 0, byVersion: 0, isCompared: false }, ''],
    ['notes were read', { total: 3, major: 0, byVersion: 0, isCompared: false }, 'notes'],
    ['the packages were compared too', { total: 3, major: 1, byVersion: 0, isCompared: true }, 'notes package'],
    ['every break rests on a number', { total: 3, major: 2, byVersion: 2, isCompared: false }, 'version'],
    ['some breaks rest on words', { total: 3, major: 2, byVersion: 1, isCompared: false }, 'notes version'],
    ['a number, and the packages', { total: 1, major: 1, byVersion: 1, isCompared: true }, 'version package'],
  ];
  for (const [when, heard, expected] of cases) {
    it(`${when}: ${expected || 'nobody'}`, () => assert.equal(witnessesOf(heard).join(' '), expected));
  }
});

describe('a break that the notes do not mention', () => {
  const shown = { ...quiet, evidence: proven };
  const unread = { ...gap, verdicts: notes({ none: 1, unknown: 2 }) };
  const cases: [when: string, range: JudgedRange, expected: boolean][] = [
    ['all notes were read and none says so', shown, true],
    ['a version has no notes', { ...shown, ...gap }, false],
    ['a note could not be judged', { ...shown, verdicts: notes({ none: 2, unknown: 1 }) }, false],
    ['no note could be judged', { ...shown, verdicts: notes({ unknown: 3 }) }, false],
    ['no note is stored', { ...shown, total: 0, verdicts: notes({}) }, false],
    ['nobody tracks its notes', { ...shown, status: 'unknown', total: 0, verdicts: notes({}) }, false],
    [
      'it lies beside a note that was read, in a range with gaps',
      { ...shown, ...unread, isProvenBesideNote: true },
      true,
    ],
    ['some other note speaks of a break', { ...shown, verdicts: notes({ minor: 1, none: 2 }) }, false],
    [
      'another note speaks of a break, beside one that was read',
      { ...shown, ...unread, verdicts: notes({ major: 1, none: 2 }), isProvenBesideNote: true },
      false,
    ],
    ['it is likely alone', { ...quiet, evidence: likely, isProvenBesideNote: true }, false],
    ['packages are not compared', { ...quiet, evidence: null, isProvenBesideNote: true }, false],
  ];
  for (const [when, range, expected] of cases) {
    it(`${expected ? 'is' : 'is not'} said to be one when ${when}`, () =>
      assert.equal(isUndocumented(range), expected));
  }
});

const key = fc.integer({ min: 0, max: 30 }).map((number) => String(number).padStart(2, '0'));
const release = fc.record({
  key,
  prerelease: fc.integer({ min: 0, max: 1 }),
  verdict: fc.constantFrom('none', 'unknown', 'minor', 'major'),
});

describe('tallyOf', () => {
  it('counts what lies in a range and in none of its gaps', () => {
    fc.assert(
      fc.property(fc.array(release, { maxLength: 40 }), key, key, key, key, (releases, a, b, c, d) => {
        const rising = releases.sort((one, other) => (one.key < other.key ? -1 : 1));
        const [after, upTo] = a < b ? [a, b] : [b, a];
        const gap = c < d ? ([c, d] as const) : ([d, c] as const);
        const expected = emptyTally();
        for (const { key: at, ...row } of rising as OrderedRelease[]) {
          if (at <= after || at > upTo || (at >= gap[0] && at < gap[1])) continue;
          addGroup(expected, { ...row, count: 1, lowest: at, atEnd: at === upTo ? 1 : 0 });
        }
        const isEndInGap = upTo >= gap[0] && upTo < gap[1];
        if (!isEndInGap) assert.deepEqual(tallyOf(rising)({ after, upTo, gaps: [gap] }), expected);
      }),
    );
  });
});

describe('worstVerdict', () => {
  const cases: [Partial<VerdictCounts>, string | null][] = [
    [{ major: 1, minor: 5, unknown: 9 }, 'major'],
    [{ minor: 1, unknown: 9, none: 9 }, 'minor'],
    [{ unknown: 1, none: 9 }, 'unknown'],
    [{ none: 1 }, 'none'],
    [{}, null],
  ];
  for (const [counts, worst] of cases) {
    it(String(worst), () => assert.equal(worstVerdict({ ...noVerdicts(), ...counts }), worst));
  }
});
