import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectSteps } from './project-steps.ts';

test('the steps of a range are merged, those of breaking versions first', () => {
  const merged = projectSteps([
    { entry: '1.1.0', breaking: 'minor', steps: ['Use `b()` instead of `a()`.', 'Check the settings'] },
    { entry: '1.2.0', breaking: 'minor', steps: ['Rename `x`'] },
    { entry: '2.0.0', breaking: 'major', steps: ['Run Node 20', 'use b() instead of a()'] },
  ]);
  assert.deepEqual(merged, [
    { text: 'Use `b()` instead of `a()`.', entries: ['1.1.0', '2.0.0'] },
    { text: 'Run Node 20', entries: ['2.0.0'] },
    { text: 'Check the settings', entries: ['1.1.0'] },
    { text: 'Rename `x`', entries: ['1.2.0'] },
  ]);
  assert.deepEqual(projectSteps([]), []);
});
