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
    [{ ...known, worst: 'major' }, 'major', 'major break'],
    [{ ...known, worst: 'minor' }, 'minor', 'minor break'],
    [{ ...known, worst: 'none' }, 'none', 'no break'],
    [{ ...known, worst: 'unknown' }, 'unknown', 'unknown'],
    [{ ...known, worst: null, reason: 'same_version' }, 'none', 'the same version'],
    [{ ...known, worst: null, reason: 'up_to_date' }, 'none', 'up to date'],
    [{ ...known, worst: null, reason: 'no_entries_in_range' }, 'unknown', 'unknown: no release of this range is known'],
    [{ ...known, worst: null }, 'unknown', 'unknown: no release of this range is known'],
    [{ ...partly, worst: 'major' }, 'major', 'major break; the registry knows 1.0.0 to 2.1.0 only'],
    // The client ignores a verdict `none` that contradicts the rest of the answer.
    [{ ...partly, worst: 'none' }, 'unknown', 'unknown: the registry knows 1.0.0 to 2.1.0 only'],
    [{ ...partly, worst: null }, 'unknown', 'unknown: the registry knows 1.0.0 to 2.1.0 only'],
    [{ status: 'resolved', worst: 'none' }, 'unknown', 'unknown: the stored history is incomplete'],
    [{ status: 'unknown', worst: null, reason: 'not_tracked' }, 'not_tracked', 'not tracked by this registry'],
    [{ status: 'unknown', worst: 'none' }, 'unknown', 'unknown: not answered'],
  ];
  for (const [answer, risk, text] of cases) {
    it(JSON.stringify(answer), () => {
      assert.deepEqual(verdictOf(answer), { risk, text });
    });
  }
});
