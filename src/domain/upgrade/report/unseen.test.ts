import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failsOn } from './fail-on.ts';
import { reportRow, useOf } from './row.fixture.ts';
import type { ReportRow } from './row.ts';
import { withDoubt } from './unseen.ts';
import { judgementWords } from './words.ts';

const breaks = { judgement: 'breaks', verdict: 'major' } as const;
const shown = { judgement: 'breaks', verdict: 'none', use: useOf('not_used') } as const;
const all = { of: 12, missing: 0, silent: 0 };
const removal = { text: 'Removed `open()`', versions: ['2.0.0'], from: 'notes' } as const;
describe('names that are not used', () => {
  const unread = 'breaks; whether you use it cannot be told; 7 of 12 versions have no notes, so behaviour was not seen';
  const cases: [name: string, row: Partial<ReportRow>, words: string][] = [
    ['comfort where all notes were read', { ...shown, read: all }, 'breaks, but you use none of the changed names'],
    ['do not where versions have none', { ...shown, read: { ...all, missing: 7 } }, unread],
    ['nor where what it needs is met', { ...shown, use: useOf('met'), read: { ...all, missing: 7 } }, unread],
    [
      'nor of what is imported for nothing',
      { ...shown, use: useOf('imported_not_used'), read: { ...all, missing: 7 } },
      unread,
    ],
    [
      'nor of what acts without an import',
      { ...shown, direct: true, use: useOf('not_imported'), read: { ...all, missing: 7 } },
      unread,
    ],
    [
      'but what only others load is not imported',
      { ...shown, direct: false, use: useOf('not_imported'), read: { ...all, missing: 7 } },
      'breaks, but nothing here imports it',
    ],
    [
      'do not where the only version has none',
      { ...shown, read: { of: 1, missing: 1, silent: 0 } },
      'breaks; whether you use it cannot be told; its version has no notes, so behaviour was not seen',
    ],
    [
      'nor where notes say nothing',
      { ...shown, read: { of: 12, missing: 0, silent: 3 } },
      'breaks; whether you use it cannot be told; the notes of 3 of 12 versions do not say, so behaviour was not seen',
    ],
    [
      'nor where nobody knows the versions',
      { ...shown, read: null },
      'breaks; whether you use it cannot be told; not all of its notes were read, so behaviour was not seen',
    ],
    [
      'nor where a break has no words',
      { ...breaks, use: useOf('not_used'), read: all },
      'breaks; whether you use it cannot be told; its notes do not say what breaks, so behaviour was not seen',
    ],
    [
      'nor where the notes tell of more than names',
      {
        ...breaks,
        use: useOf('not_used'),
        read: all,
        steps: [
          { ...removal, use: 'not_used' },
          { ...removal, text: 'Empty files are refused' },
        ],
      },
      'breaks; whether you use it cannot be told; its notes tell of more than names, so behaviour was not seen',
    ],
    [
      'comfort where every break of the notes has a name',
      { ...breaks, use: useOf('not_used'), read: all, steps: [{ ...removal, use: 'not_used' }] },
      'breaks, but you use none of the changed names',
    ],
    [
      'comfort where the floor of the notes is met',
      {
        ...breaks,
        use: useOf('met'),
        read: all,
        steps: [{ ...removal, text: 'Requires Node 20', use: 'met' }],
      },
      'breaks, but you have what it needs',
    ],
    ['and a use stays a use', { ...breaks, use: useOf('used'), read: null }, 'breaks, and you use it'],
  ];
  for (const [name, row, words] of cases) {
    it(name, () => {
      const doubted = withDoubt(reportRow('a', row));
      assert.equal(judgementWords(doubted), words);
      const fails = /cannot be told|you use it/.test(words);
      assert.equal(failsOn([doubted], 'used').length, fails ? 1 : 0);
    });
  }
});
