import assert from 'node:assert/strict';
import { it } from 'node:test';
import { worthAsking } from './ask-again.ts';

const answer = (more: object = {}) => ({ judgement: 'breaks' as const, truncated: true, summary: {}, ...more });

it('what breaks is asked again first, then security, then what may break, and of the rest nothing', () => {
  const answers = [
    answer({ judgement: 'no_sign' }),
    answer({ judgement: 'may_break' }),
    answer({ judgement: 'no_sign', summary: { security: 1 } }),
    null,
    answer({ truncated: false }),
    answer({ truncated: false, moreSteps: 2 }),
    answer(),
  ];
  assert.deepEqual(worthAsking(answers), [5, 6, 2, 1]);
  assert.equal(worthAsking(Array.from({ length: 50 }, () => answer())).length, 20);
});
