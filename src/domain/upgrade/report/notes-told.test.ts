import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type NotesTold, notesWords } from './notes-told.ts';

const packed: NotesTold = { by: 'package' };
const hosted: NotesTold = { by: 'repository', host: 'github.com' };
const limited: NotesTold = { by: null, why: 'limited', host: 'github.com', reason: 'api.github.com wants no more' };

const CASES: [told: NotesTold[], words: string][] = [
  [[packed, packed, hosted], '3 of 3 read: 2 in the packages, 1 at github.com'],
  [[hosted], '1 of 1 read, at github.com'],
  [
    [hosted, { by: 'server' }, limited, limited, { by: null, why: 'nothing' }],
    '2 of 5 read: 1 at github.com, 1 at registry.example; 3 not: 1 its repository has none for these versions, ' +
      '2 could not be asked (api.github.com wants no more)',
  ],
  [[{ by: null, why: 'no_repository' }], '0 of 1 read; 1 not: 1 names no repository'],
];

for (const [told, words] of CASES) {
  it(`notes of a report: ${words}`, () => assert.equal(notesWords(told, 'registry.example'), words));
}
