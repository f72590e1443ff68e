import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryParts } from './summary-parts.ts';

test('a summary of a period is a sentence and its statements', () => {
  assert.deepEqual(summaryParts('2 releases: 1.2.0 to 1.3.0. Added a (1.3.0); fixed b (of c) (1.2.0).'), {
    opening: '2 releases: 1.2.0 to 1.3.0.',
    statements: [
      { text: 'Added a', version: '1.3.0' },
      { text: 'fixed b (of c)', version: '1.2.0' },
    ],
  });
  assert.deepEqual(summaryParts('1 release: 4.0.0. Removed `x`.')?.statements, [
    { text: 'Removed `x`', version: '4.0.0' },
  ]);
  assert.equal(summaryParts('A quiet month for the parser.'), null);
  assert.equal(summaryParts('No releases in the last 30 days.'), null);
});
