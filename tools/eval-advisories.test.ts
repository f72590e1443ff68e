import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreAnswer } from './eval-advisories.ts';

describe('eval:advisories', () => {
  const expected = {
    package: 'lamp',
    version: '1.0.0',
    affected_by: ['A', 'B'],
    smallest: '1.0.1',
    not: ['1.1.0-rc.1'],
  };

  it('counts the fields that are expected, whatever the order of names and the form of times', () => {
    const told = { ...expected, ready_at: '2026-11-02T10:00:00Z' };
    const found = {
      affected_by: ['B', 'A'],
      smallest: '1.0.1',
      smallest_in_line: 'x',
      ready_at: '2026-11-02T10:00:00.000Z',
    };
    assert.deepEqual(scoreAnswer(told, found), { right: 3, wrong: [] });
  });

  it('tells what is wrong, and a version that must not be offered', () => {
    const { right, wrong } = scoreAnswer(expected, { affected_by: ['A'], smallest: '1.1.0-rc.1' });
    assert.equal(right, 0);
    assert.deepEqual(wrong, [
      'lamp@1.0.0 affected_by: wanted ["A","B"], got ["A"]',
      'lamp@1.0.0 smallest: wanted "1.0.1", got "1.1.0-rc.1"',
      'lamp@1.0.0 offers 1.1.0-rc.1',
    ]);
  });
});
