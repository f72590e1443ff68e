import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOf } from './verdict.ts';

const UNLISTED = { published: null, withoutNotes: [], withoutNotesCount: 0 };
type Answer = Parameters<typeof verdictOf>[0];

const history = (complete: boolean) => ({
  lowest: '1.0.0',
  highest: '2.1.0',
  checkedAt: null,
  tracked: true,
  complete,
  ...UNLISTED,
});
const known = { status: 'resolved' as const, history: history(true) };
const partly = { status: 'resolved' as const, history: history(false), reason: 'history_ends' as const };

describe('what an upgrade comes to', () => {
  const cases: [answer: Answer, risk: string, text: string][] = [
    [{ ...known, worst: 'major' }, 'major', 'breaks'],
    [{ ...known, worst: 'minor' }, 'minor', 'may break'],
    [{ ...known, worst: 'none' }, 'none', 'no sign of a break'],
    [{ ...known, worst: 'unknown' }, 'unknown', 'not known'],
    [{ ...known, worst: null, reason: 'same_version' }, 'none', 'the same version'],
    [{ ...known, worst: null, reason: 'up_to_date' }, 'none', 'up to date'],
    [
      { ...known, worst: null, reason: 'no_entries_in_range' },
      'unknown',
      'not known: no release of this range is known',
    ],
    [{ ...known, worst: null }, 'unknown', 'not known: no release of this range is known'],
    [{ ...partly, worst: 'major' }, 'major', 'breaks; the registry knows 1.0.0 to 2.1.0 only'],
    // The client ignores a verdict `none` that contradicts the rest of the answer.
    [{ ...partly, worst: 'none' }, 'unknown', 'not known: the registry knows 1.0.0 to 2.1.0 only'],
    [{ ...partly, worst: null }, 'unknown', 'not known: the registry knows 1.0.0 to 2.1.0 only'],
    [{ status: 'resolved', worst: 'none' }, 'unknown', 'not known: the stored history is incomplete'],
    [{ status: 'unknown', worst: null, reason: 'not_tracked' }, 'not_tracked', 'not tracked by this registry'],
    [{ status: 'unknown', worst: 'none' }, 'unknown', 'not known: not answered'],
  ];
  for (const [answer, risk, text] of cases) {
    it(JSON.stringify(answer), () => {
      assert.deepEqual(verdictOf(answer), { risk, level: risk, text });
    });
  }

  const none = { major: 0, minor: 0, none: 3, unknown: 0 };
  const quiet = {
    ...known,
    worst: 'none',
    total: 3,
    summary: { breaking: none, firstBreaking: null, unnoted: 0, security: 0 },
  } as const;
  const judged: [answer: Answer, level: string, text: string][] = [
    [
      { ...quiet, judgement: 'breaks', undocumented: true },
      'major',
      'breaks: the package shows it, the notes do not mention it',
    ],
    [{ ...quiet, worst: 'minor', judgement: 'breaks', undocumented: false }, 'major', 'breaks: the package shows it'],
    [{ ...quiet, judgement: 'may_break' }, 'minor', 'may break: the package makes it likely'],
    [{ ...quiet, judgement: 'not_known' }, 'unknown', 'not known: the packages were not compared'],
    [{ ...quiet, judgement: 'no_sign', judgedBy: ['notes'] }, 'none', 'no sign of a break in the notes'],
    [{ ...quiet, judgement: 'no_sign', judgedBy: ['notes', 'package'] }, 'none', 'no sign of a break'],
  ];
  for (const [answer, level, text] of judged) {
    it(`is shown by its judgement: ${text}`, () => {
      const { risk, ...shown } = verdictOf(answer);
      assert.deepEqual(shown, { level, text });
      assert.equal(risk, answer.worst, 'by the notes, as --fail-on goes');
    });
  }
});
