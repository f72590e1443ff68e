import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingSteps, readGuides } from './eval-steps/count.ts';

describe('eval:steps', () => {
  it('counts the guides of many major versions', () => {
    const guides = readGuides();
    assert.ok(guides.length >= 40 && new Set(guides.map((guide) => guide.package)).size >= 20);
    for (const { archive, from, to, steps } of guides) {
      assert.match(`${archive} ${from} ${to}`, /^\d+\.\d+\.\d+ \d+\.\d+\.\d+ \d+\.0\.0$/);
      assert.ok(steps.length > 0);
    }
  });

  it('finds a step where all of its words stand in one step of the answer', () => {
    const guide = { package: 'a', archive: '2.0.0', from: '1.0.0', to: '2.0.0', steps: ['Node & 20', 'b()', 'c & d'] };
    assert.deepEqual(missingSteps(guide, ['node.js 20 is needed', '`b()` is gone', 'c', 'd']), ['c & d']);
  });
});
