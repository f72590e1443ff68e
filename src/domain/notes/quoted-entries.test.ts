import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotedEntries } from './quoted-entries.ts';

const NOTES = `## 2.0.0

### Breaking changes

- Use \`b\` instead of \`a\`. (#1)
- Messages are sorted.
- Run Node 20.

### Fixes

- Dates before 1970 are valid again.
`;

test('tells how many entries of which section the steps quote', () => {
  assert.deepEqual(quotedEntries(NOTES, '- Use `b` instead of `a`. (#1)\n- Run Node 20.'), {
    section: 'Breaking changes',
    quoted: 2,
    entries: 3,
  });
  assert.equal(quotedEntries(NOTES, 'Read the guide'), null);
  assert.equal(quotedEntries('Only a sentence.', 'Only a sentence.'), null);
});
