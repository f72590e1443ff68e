import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { readFlatSettings } from './flat-settings.ts';

const KEYS = ['minimumReleaseAge', 'minimumReleaseAgeExclude'];

describe('settings at the left edge of YAML', () => {
  const CASES: readonly [string, string, object][] = [
    ['a number', 'minimumReleaseAge: 2880', { minimumReleaseAge: '2880' }],
    ['with a comment behind it', 'minimumReleaseAge: 2880 # two days\r\n', { minimumReleaseAge: '2880' }],
    ['in quotes', `"minimumReleaseAge": '60'`, { minimumReleaseAge: '60' }],
    ['nothing', 'minimumReleaseAge: null', { minimumReleaseAge: null }],
    ['the last of two', 'minimumReleaseAge: 1\nminimumReleaseAge: 2', { minimumReleaseAge: '2' }],
    ['none inside of another block', 'settings:\n  minimumReleaseAge: 5', {}],
    [
      'a list',
      'packages:\n  - a\nminimumReleaseAgeExclude:\n  - "@acme/*"\n\n  # ours\n  - lamp@1.0.0 || 1.0.1 # why\nother: 1\n  - no',
      { minimumReleaseAgeExclude: ['@acme/*', 'lamp@1.0.0 || 1.0.1'] },
    ],
    [
      'a list on one line',
      `minimumReleaseAgeExclude: ['@acme/*', lamp]`,
      { minimumReleaseAgeExclude: ['@acme/*', 'lamp'] },
    ],
    ['what has another form, as it stands', 'minimumReleaseAge: &age 5', { minimumReleaseAge: '&age 5' }],
    ['an empty text', '', {}],
  ];
  for (const [says, text, expected] of CASES) {
    it(says, () => assert.deepEqual(readFlatSettings(text, KEYS), expected));
  }
});
