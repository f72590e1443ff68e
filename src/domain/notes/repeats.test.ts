import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeatsNotes } from './repeats.ts';

const CASES: [summary: string, content: string, repeats: boolean][] = [
  ['Removed `open`; Added retries', '### Removed\n- **Removed** [`open`](./x)\n\n- Added retries (#12)', true],
  ['Removed `open`; Faster by half', '- Removed `open`', false],
  ['The parser is new. Lists are faster.', 'The parser is new. Lists are faster.', true],
  ['This release makes upgrades easier.', '- Added `check`', false],
  // A part of a longer word is not the word.
  ['Add it', '- Add items', false],
  ['Removed support for Node 8 and below', '### Removed\n- support for Node 8 [#3](./3) and below', true],
  ['', '', true],
];

test('a summary that only repeats the notes is found', () => {
  for (const [summary, content, repeats] of CASES) assert.equal(repeatsNotes(summary, content), repeats, summary);
});
