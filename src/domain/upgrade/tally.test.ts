import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { noVerdicts, type VerdictCounts, worstVerdict } from './judgement.ts';
import { addGroup, emptyTally, type OrderedRelease, tallyOf } from './tally.ts';

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
