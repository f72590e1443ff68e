import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derive, lines } from './notes.fixture.ts';

describe('the steps of a breaking release', () => {
  const base = { version: '2.0.0', step: 'major' } as const;
  const rows: readonly [name: string, content: string, expected: string[] | null][] = [
    [
      'hold whatever breaks, in its own words where it asks for nothing',
      lines(
        '### BREAKING CHANGES',
        '',
        '* `open` is now an asynchronous function and requires a callback',
        '* This package is pure ESM.',
        '* Use `b` instead of `a`.',
        '* Colors',
      ),
      [
        'Use `b` instead of `a`.',
        '`open` is now an asynchronous function and requires a callback',
        'This package is pure ESM.',
        'Colors',
      ],
    ],
    [
      'keep the code to which a sentence leads',
      lines(
        '### BREAKING CHANGES',
        '',
        '* The default is strict. To maintain the old behavior change to',
        '',
        '```js',
        'open({',
        '  strict: false',
        '})',
        '```',
        '',
        '### Bug Fixes',
        '',
        '* a crash',
      ),
      ['The default is strict. To maintain the old behavior change to: `open({ strict: false })`'],
    ],
    [
      'leave out what was added or fixed beside what breaks',
      lines('## Breaking changes', '- Added `c`', '- fix: a crash', '- `d` no longer waits'),
      ['`d` no longer waits'],
    ],
    [
      'tell additions that are all that is called breaking',
      '## Breaking changes\n- Added `c` to each row',
      ['Added `c` to each row'],
    ],
    [
      'are told once, in the longer words',
      lines(
        '* **core:** drop handling of arguments',
        '',
        '### BREAKING CHANGES',
        '',
        '* core: drop handling of arguments of shells',
      ),
      ['core: drop handling of arguments of shells'],
    ],
    [
      'say that what is listed as removed is gone',
      lines('### Removed', '- Support for zip archives', '- `Pool` was dropped'),
      ['Removed: Support for zip archives', '`Pool` was dropped'],
    ],
    [
      'quote no headings and no heads of tables',
      lines('### Breaking changes', '- ## What changed', '', '| before | after |', '|---|---|', '| `a` | `b` |'),
      ['`a` – `b`'],
    ],
    ['are none where nothing breaks', '- Fixed a crash', null],
  ];
  for (const [name, content, expected] of rows) {
    it(name, () => {
      const step = expected === null ? 'patch' : base.step;
      assert.deepEqual(derive({ ...base, step, content }).upgradeSteps, expected);
    });
  }

  it('are read beyond what the notes have room for', () => {
    const entries = Array.from(
      { length: 80 },
      (_, index) => `- Use \`after.${index}\` instead of \`before.${index}\`.`,
    );
    const { upgradeSteps } = derive({ ...base, content: `## Breaking changes\n${entries.join('\n')}` });

    assert.equal(upgradeSteps?.length, 80);
  });
});
