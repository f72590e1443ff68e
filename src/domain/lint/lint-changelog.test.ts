import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Finding } from '../evidence/finding.ts';
import { packageOf } from '../evidence/package-files.ts';
import { type LintInput, lintChangelog } from './lint-changelog.ts';
import { packageNames } from './package-names.ts';

const NOW = new Date('2026-11-01T12:00:00Z');

function found(text: string | string[], more: Partial<LintInput> = {}, isTold = (level: string) => level !== 'info') {
  const input = {
    text: typeof text === 'string' ? text : text.join('\n'),
    path: 'CHANGELOG.md',
    packageName: '@acme/kit',
    now: NOW,
    published: null,
    archived: null,
    compared: null,
    ...more,
  };
  return lintChangelog(input)
    .findings.filter(({ level }) => isTold(level))
    .map(({ rule, line }) => `${line}: ${rule}`);
}

// One line a section: version, day and entry.
const file = (...sections: string[]) => [
  '# Changelog',
  '',
  ...sections.flatMap((one) => [`## ${one}`, '', '- A thing.', '']),
];
const state = (coming: string | null, ...versions: string[]) => ({
  published: { coming, last: versions[0] ?? null, versions, unpublished: ['1.9.9'] },
});

const VERSIONS: [string, string[], Partial<LintInput>, string[]][] = [
  ['a published version without an entry', file('1.0.0'), state(null, '1.1.0', '1.0.0'), ['3: newest-missing']],
  ['a coming version without an entry', file('Unreleased', '1.0.0'), state('1.1.0', '1.0.0'), ['7: newest-missing']],
  ['a coming pre-release without an entry', file('1.0.0'), state('1.1.0-beta.1', '1.0.0'), []],
  ['an entry that stands lower down', file('1.0.0', '1.1.0', '0.9.0'), state(null, '1.1.0', '1.0.0'), ['7: order']],
  ['an entry above the newest', file('1.2.0', '1.1.0'), state(null, '1.1.0'), ['3: never-published']],
  ['the coming version', file('1.2.0', '1.1.0'), state('1.2.0', '1.1.0'), []],
  [
    'a dated one in between',
    file('1.3.0', '1.2.0 - 2026-01-02', '1.1.0'),
    state('1.3.0', '1.1.0'),
    ['7: never-published'],
  ],
  ['one in between without a day', file('1.3.0', '1.2.0', '1.1.0'), state('1.3.0', '1.1.0'), []],
  ['one that says that it was not published', file('1.2.0 (not published)', '1.1.0'), state(null, '1.1.0'), []],
  ['one that was taken back', file('2.0.0', '1.9.9', '1.1.0'), state('2.0.0', '1.1.0'), []],
  ['a lower version that the list forgot', file('1.1.0', '1.0.7', '1.0.0'), state(null, '1.1.0', '1.0.0'), []],
];

for (const [what, text, more, expected] of VERSIONS) {
  it(`versions that were published: ${what}`, () => assert.deepEqual(found(text, more), expected));
}

const FORM: [string, string[], string[]][] = [
  ['two sections changed places', file('1.3.0', '1.1.0', '1.2.0', '1.0.0'), ['11: order']],
  ['ten after nine, oldest first', file('1.8.0', '1.9.0', '1.10.0'), []],
  [
    'a backport by time',
    file('2.0.1 - 2026-03-01', '1.4.9 - 2026-02-20', '2.0.0 - 2026-02-01', '1.4.8 - 2026-01-01'),
    [],
  ],
  ['a backport of the same day', file('1.6.1 - 2026-01-23', '1.5.3 - 2026-01-23', '1.6.0 - 2026-01-23'), []],
  ['pre-releases by value', file('2.0.0-beta.10', '2.0.0-beta.9', '2.0.0-beta.1', '1.0.0'), []],
  ['the same version twice', file('1.1.0', '1.1.0 - hotfix', '1.0.0'), ['7: duplicate-version']],
  [
    'a sub-heading about the version',
    ['## 1.1.0', '', '### 1.1.0 upgrade guide', '', '- A.', '', '## 1.0.0', '- B.'],
    [],
  ],
  ['a day that no calendar has', file('1.1.0 - 2026-02-30', '1.0.0 - 2026-01-01'), ['3: date-invalid']],
  ['a year of five digits', file('1.1.0 (20206-02-20)', '1.0.0 (2026-01-01)'), ['3: date-invalid']],
  ['a day to come', file('1.1.0 - 2026-12-24', '1.0.0 - 2026-01-01'), ['3: date-future']],
  ['a year to come', file('1.1.0 - 2062-01-24', '1.0.0 - 2026-01-01'), ['3: date-future']],
  ['tomorrow, elsewhere on earth', file('1.1.0 - 2026-11-02', '1.0.0 - 2026-01-01'), []],
  ['a mistyped year', file('1.2.0 - 2026-03-01', '1.1.1 - 2006-02-01', '1.1.0 - 2026-01-01'), ['7: date-order']],
  [
    'a patch of an older line that came later',
    file('1.2.0 - 2026-02-01', '1.1.1 - 2026-03-01', '1.1.0 - 2026-01-01'),
    [],
  ],
  ['a version with two dots', file('1.2..0', '1.1.0'), ['3: heading-unparsable']],
  ['a version with commas', file('1,2,0', '1.1.0'), ['3: heading-unparsable']],
  ['an unreleased part, and headings of groups', file('Unreleased', '1.1.0', 'Master', '1.0.0'), []],
];

for (const [what, text, expected] of FORM) {
  it(`form: ${what}`, () => assert.deepEqual(found(text, { now: NOW }), expected === undefined ? [] : expected));
}

const OLD = [
  '## 1.1.0',
  '',
  '- Keeps comments of `parse`.',
  '- Reads files of 5 MB.',
  '',
  '## 1.0.0',
  '',
  '- The first reader.',
];
const SECTIONS: [string, string[], string[]][] = [
  ['the same', OLD, []],
  [
    'another bullet, link and account',
    [
      '# [1.1.0](https://acme.test)',
      '',
      '* Keeps **comments** of parse ([#12](https://acme.test/12)) by @ada',
      '* Reads files of 5 MB',
      '',
      '# 1.0.0',
      'The first reader',
    ],
    [],
  ],
  [
    'lines wrapped anew',
    ['## 1.1.0', '', '- Keeps comments', '  of `parse`.', '- Reads files', '  of 5 MB.', '', ...OLD.slice(5)],
    [],
  ],
  [
    'other words for the same',
    ['## 1.1.0', '', '- The comments of `parse` are kept now.', '- Files of 5 MB are read.', '', ...OLD.slice(5)],
    [],
  ],
  [
    'one entry made of two',
    ['## 1.1.0', '', '- Keeps comments of `parse`, and reads files of 5 MB.', '', ...OLD.slice(5)],
    [],
  ],
  ['an entry more', [...OLD.slice(0, 4), '- Accepts streams.', ...OLD.slice(4)], ['5: published-changed']],
  ['an entry less', [...OLD.slice(0, 3), ...OLD.slice(4)], ['1: published-changed']],
  ['another number', [...OLD.slice(0, 3), '- Reads files of 50 MB.', ...OLD.slice(4)], ['4: published-changed']],
  ['the contrary', ['## 1.1.0', '', '- Keeps no comments of `parse`.', ...OLD.slice(3)], ['3: published-changed']],
  ['a section that moved', [...OLD.slice(5), '', ...OLD.slice(0, 4)], []],
  ['a section that is gone', ['## 1.2.0', '', '- New.', '', ...OLD.slice(5)], ['5: published-lost']],
  ['a file that begins anew with a major', ['## 2.0.0', '', '- New.'], []],
  ['older versions in another file', ['## 1.1.1', '', '- New.', '', 'Older versions: see CHANGELOG-1.0.md'], []],
];

for (const [what, text, expected] of SECTIONS) {
  it(`sections that were published: ${what}`, () => {
    const archived = { text: OLD.join('\n'), path: 'CHANGELOG.md', version: '1.1.0' };
    // The order of the two is not what is looked at here.
    assert.deepEqual(
      found(text, { archived }).filter((one) => !one.includes('order')),
      expected,
    );
  });
}

it('the line of another release that goes on in a file of its own is not lost', () => {
  const archived = { text: file('1.4.9', '1.4.8', '1.4.0').join('\n'), path: 'CHANGELOG.md', version: '1.4.9' };
  assert.deepEqual(found(file('2.0.0', '1.4.0'), { archived }), []);
});

const PACKAGE = (version: string, types: string) =>
  packageNames(
    packageOf(
      new Map([
        [
          'package.json',
          JSON.stringify({ name: '@acme/kit', version, types: 'index.d.ts', dependencies: { pg: '8' } }),
        ],
        ['index.d.ts', types],
      ]),
    ) ?? assert.fail(),
    new Map(),
  );
const GONE: Finding = {
  kind: 'export_removed',
  name: 'parseAll',
  subpath: '.',
  certainty: 'proven',
  was: 'function',
  is: null,
  text: '`parseAll` is no longer exported',
};
const compared = (to: string, findings: Finding[]) => ({
  ...state(to, '1.0.0'),
  compared: {
    from: '1.0.0',
    to,
    findings,
    old: PACKAGE('1.0.0', 'export declare function parseAll(): void; export declare function parse(): void;'),
    next: PACKAGE(to, 'export declare function parse(): void; export declare function createPool(): void;'),
  },
});
const notes = (version: string, ...entries: string[]) => [
  `## ${version}`,
  '',
  ...entries.map((one) => `- ${one}`),
  '',
  '## 1.0.0',
  '',
  '- First.',
];

const PACKAGES: [string, string[], Partial<LintInput>, string[]][] = [
  ['a break that nobody names', notes('2.0.0', 'Quicker.'), compared('2.0.0', [GONE]), ['1: break-unnamed']],
  ['a break that is named', notes('2.0.0', '`parseAll` is gone: call `parse` instead.'), compared('2.0.0', [GONE]), []],
  [
    'a break that is only likely',
    notes('1.0.1', 'Quicker.'),
    compared('1.0.1', [{ ...GONE, certainty: 'likely' }]),
    [],
  ],
  [
    'a step that is too small',
    notes('1.1.0', '`parseAll` is gone: call `parse` instead.'),
    compared('1.1.0', [GONE]),
    ['1: bump-too-small'],
  ],
  [
    'a name that is nowhere',
    notes('1.1.0', 'Added `createPools()`.', 'Set `ACME_TRACE=1`.', 'Takes `--pool`, and `fetch()`.'),
    compared('1.1.0', []),
    ['3: names-unknown'],
  ],
  [
    'a name that is nearly there, and one of a dependency',
    notes(
      '1.1.0',
      'Faster when `createPools` is used.',
      'Works with `pg.connectAll()` and React\u2019s `useIdentity()`.',
    ),
    compared('1.1.0', []),
    ['3: names-unknown'],
  ],
  [
    'a break that prose names',
    notes('2.0.0', 'The parser of all files was removed, use `parse` instead.'),
    compared('2.0.0', [GONE]),
    [],
  ],
  ['a name that is there', notes('1.1.0', 'Added `createPool()`.'), compared('1.1.0', []), []],
];

for (const [what, text, more, expected] of PACKAGES) {
  it(`the package: ${what}`, () => assert.deepEqual(found(text, more), expected));
}

it('a claim that the package does not bear out is a note', () => {
  const told = found(notes('2.0.0', 'Removed `parse`.'), compared('2.0.0', []), (level) => level === 'info');
  assert.ok(told.includes('3: unproven-claim'), told.join(', '));
});

const ADVICE: [string, string[], number[]][] = [
  ['nothing', ['`close` was removed.'], [5]],
  ['the way, in a second sentence', ['`open` was removed. Call `store.open()`.'], []],
  ['another name', ['`open` was renamed to `start`.'], []],
  ['what to write, below', ['`open` was removed.', '', '  ```js', '  store.open() // instead', '  ```'], []],
  ['a guide', ['`open` was removed, see [the guide](./docs/migration.md).'], []],
  ['a platform that is required', ['Node 20 or newer is required.'], []],
];

for (const [what, [entry = '', ...below], expected] of ADVICE) {
  it(`what a breaking entry advises: ${what}`, () => {
    const text = ['## 2.0.0', '', '### Breaking', '', `- ${entry}`, ...below, '', '## 1.0.0', '', '- First.'];
    const expectedText = expected.map((line) => `${line}: break-without-advice`);
    assert.deepEqual(found(text, state('2.0.0', '1.0.0')), expectedText);
  });
}

it('a heading that cannot be read is told once', () => {
  const archived = { text: file('1.1.0', '1.0.0').join('\n'), path: 'CHANGELOG.md', version: '1.1.0' };
  const told = found(file('1.2.O', '1..1.0', '1.0.0'), { ...state('1.2.0', '1.1.0', '1.0.0'), archived });
  assert.deepEqual(told, ['3: heading-unparsable', '7: heading-unparsable']);
});

it('readers are told what a release will be taken for', () => {
  const { findings } = lintChangelog({
    text: notes('2.0.0', '**Breaking:** `open` was removed, call `start` instead.').join('\n'),
    path: 'CHANGELOG.md',
    packageName: '@acme/kit',
    now: NOW,
    ...state('2.0.0', '1.0.0'),
    archived: null,
    compared: null,
  });
  assert.match(findings.find(({ rule }) => rule === 'reader')?.sentence ?? '', /^2\.0\.0: breaks something, "/);
});

it('a hostile changelog is read in time that grows with its length', () => {
  const { sections } = lintChangelog({
    text: `${'## 1.0.0 [\n- `a(\n'.repeat(3000)}`,
    path: 'CHANGELOG.md',
    packageName: null,
    now: NOW,
    published: null,
    archived: { text: '## 1.0.0\n'.repeat(3000), path: 'CHANGELOG.md', version: '1.0.0' },
    compared: null,
  });
  assert.ok(sections > 0);
});
