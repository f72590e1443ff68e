import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DerivedNotes, NotesInput } from './index.ts';
import { derive, lines } from './notes.fixture.ts';

type Counts = [bugs: number, features: number, enhancements: number] | null;
type Expected = Partial<Omit<DerivedNotes, 'composition'>> & { counts?: Counts };
type Row = [name: string, given: Partial<NotesInput> & { content: string }, expected: Expected];

function check(rows: readonly Row[]): void {
  for (const [name, given, { counts, ...fields }] of rows) {
    it(name, () => {
      const found = derive(given);
      const picked = Object.fromEntries(Object.keys(fields).map((key) => [key, found[key as keyof DerivedNotes]]));
      const { composition } = found;
      assert.deepEqual(picked, fields);
      if (counts !== undefined) {
        assert.deepEqual(composition && [composition.bugs, composition.features, composition.enhancements], counts);
      }
    });
  }
}

describe('conventional commits', () => {
  check([
    [
      'features and fixes of a minor version',
      {
        version: '1.6.0',
        step: 'minor',
        content: lines(
          '### Features',
          '',
          '* **cli:** read settings from a file ([#41](https://git.example/acme/cli/issues/41)) ([1f2e3d4](https://git.example/acme/cli/commit/1f2e3d4c5b6a))',
          '',
          '### Bug Fixes',
          '',
          '* **cli:** exit with 2 on a bad flag ([9a8b7c6](https://git.example/acme/cli/commit/9a8b7c6d5e4f))',
        ),
      },
      {
        breaking: 'none',
        importance: 3,
        counts: [1, 1, 0],
        summary: 'cli: read settings from a file; cli: exit with 2 on a bad flag',
      },
    ],
    [
      'a breaking section above the rest',
      {
        version: '4.0.0',
        step: 'major',
        content: lines(
          '### ⚠ BREAKING CHANGES',
          '',
          '* drop Node 16',
          '',
          '### Features',
          '',
          '* streaming reader',
          '* typed events',
          '* worker pool',
        ),
      },
      { breaking: 'major', importance: 5, counts: [0, 3, 1], titleShort: 'drop Node 16' },
    ],
    [
      'a footer in the body of a commit',
      {
        version: '2.2.0',
        step: 'minor',
        content: lines('feat: one client for all regions', '', 'BREAKING CHANGE: pass the region to `connect`.'),
      },
      { breaking: 'major', importance: 4 },
    ],
    [
      'an exclamation mark without scope',
      { version: '0.9.0', step: 'minor', content: lines('- refactor!: flat options', '- fix: null names') },
      { breaking: 'major', counts: [1, 0, 1], titleGenerated: 'Acme 0.9.0: flat options' },
    ],
    [
      'chores only',
      { version: '1.2.4', step: 'patch', content: lines('- chore: tidy scripts', '- ci: cache', '- docs: typo') },
      { breaking: 'none', importance: 1, counts: null, titleShort: null, titleGenerated: null },
    ],
    [
      'dependency updates of a bot',
      {
        version: '1.2.5',
        step: 'patch',
        content: lines(
          '- fix(deps): update dependency yaml to v2.4.1',
          '- chore(deps): bump actions/checkout from 3 to 4',
        ),
      },
      { breaking: 'none', importance: 1, counts: null },
    ],
    [
      'a revert is a repair',
      { version: '1.3.1', step: 'patch', content: '- revert: "feat: eager loading" (#88)' },
      { breaking: 'none', counts: [1, 0, 0] },
    ],
    [
      'removal inside a refactoring',
      { version: '3.4.0', step: 'minor', content: '- refactor: remove `legacyParser` option' },
      { breaking: 'major', counts: [0, 0, 1] },
    ],
    [
      'removal inside a chore is internal',
      { version: '3.4.1', step: 'patch', content: '- chore: remove `left-pad` from scripts' },
      { breaking: 'none' },
    ],
    [
      'support dropped in a chore still counts',
      { version: '3.5.0', step: 'minor', content: '- chore: drop support for Python 3.8' },
      { breaking: 'major' },
    ],
    [
      'security prefix',
      { version: '1.0.9', step: 'patch', content: '- security: compare tokens in constant time' },
      { breaking: 'none', importance: 2, counts: [1, 0, 0] },
    ],
  ]);
});

describe('keep a changelog', () => {
  check([
    [
      'all six sections',
      {
        version: '2.0.0',
        step: 'major',
        content: lines(
          '### Added',
          '- Export to CSV',
          '### Changed',
          '- Sort by name',
          '### Deprecated',
          '- The `v1` routes',
          '### Removed',
          '- The `raw` flag',
          '### Fixed',
          '- Wrong totals',
          '### Security',
          '- Stricter cookies',
        ),
      },
      {
        breaking: 'major',
        importance: 4,
        counts: [2, 1, 3],
        summary: 'Removed the raw flag; Stricter cookies; Deprecated the v1 routes',
        titleGenerated: 'Acme 2.0.0: Removed the raw flag',
      },
    ],
    [
      'only a removed section in a minor version',
      { version: '1.9.0', step: 'minor', content: lines('### Removed', '- Ruby 2 bindings') },
      { breaking: 'major', counts: [0, 0, 1] },
    ],
    [
      'a removed section that is about tests alone',
      { version: '1.9.0', step: 'minor', content: lines('### Removed', '- Ruby 2 in the test matrix') },
      { breaking: 'unknown' },
    ],
    [
      'a breaking section of prose beside lists elsewhere',
      {
        version: '1.9.0',
        step: 'minor',
        content: lines('### Breaking', '', 'Ids are strings.', '', '### Added', '', '- Export to CSV'),
      },
      { breaking: 'major' },
    ],
    [
      'a breaking section that shows only code',
      {
        version: '1.9.0',
        step: 'minor',
        content: lines(
          '### Breaking',
          '',
          '```js',
          'connect({ region })',
          '```',
          '',
          '### Added',
          '',
          '- Export to CSV',
        ),
      },
      { breaking: 'major' },
    ],
    [
      'an empty breaking section is never taken for none',
      { version: '1.9.0', step: 'minor', content: lines('### Breaking', '', '### Added', '', '- Export to CSV') },
      { breaking: 'unknown' },
    ],
    [
      'a breaking section that says None',
      {
        version: '1.9.0',
        step: 'minor',
        content: lines('### Breaking changes', '- None', '', '### Added', '- Export to CSV'),
      },
      { breaking: 'none' },
    ],
    [
      'a heading that denies breaks',
      { version: '3.0.0', step: 'major', content: lines('### No breaking changes', '', '### Added', '- Export') },
      { breaking: 'none' },
    ],
    [
      'potentially breaking heading',
      { version: '1.4.0', step: 'minor', content: lines('### Potentially breaking', '- Sort by name') },
      { breaking: 'minor', importance: 3 },
    ],
    [
      'deeper headings keep the class of the section',
      {
        version: '1.4.1',
        step: 'patch',
        content: lines('## Fixed', '### Editor', '- Caret jumps', '### Viewer', '- Zoom'),
      },
      { breaking: 'none', counts: [2, 0, 0] },
    ],
    [
      'a version heading above the sections',
      {
        version: '1.4.1',
        step: 'patch',
        content: lines('## [1.4.1] - 2024-02-01', '', '### Fixed', '', '- Caret jumps'),
      },
      { breaking: 'none', summary: 'Caret jumps' },
    ],
    [
      'deprecations before features',
      { version: '1.7.0', step: 'minor', content: lines('### Added', '- Hooks', '### Deprecated', '- `onEvent`') },
      { breaking: 'minor', summary: 'Deprecated onEvent; Hooks' },
    ],
    [
      'underlined headings and star bullets',
      { version: '1.7.1', step: 'patch', content: lines('Fixed', '-----', '* Crash in search', '* Lost focus') },
      { breaking: 'none', counts: [2, 0, 0] },
    ],
  ]);
});

describe('changesets', () => {
  check([
    [
      'major, minor and patch changes',
      {
        version: '5.0.0',
        step: 'major',
        content: lines(
          '### Major Changes',
          '',
          '- 1a2b3c4: The adapter is a class. Use `new Adapter()` instead of `adapter()`.',
          '',
          '### Minor Changes',
          '',
          '- 2b3c4d5: Support streams',
          '',
          '### Patch Changes',
          '',
          '- 3c4d5e6: Trim names',
          '- Updated dependencies [1a2b3c4]',
          '  - @acme/core@5.0.0',
        ),
      },
      {
        breaking: 'major',
        importance: 4,
        counts: [1, 1, 1],
        migrationNotes: '- 1a2b3c4: The adapter is a class. Use `new Adapter()` instead of `adapter()`.',
      },
    ],
    [
      'linked hashes and thanks',
      {
        version: '1.1.1',
        step: 'patch',
        content: lines(
          '### Patch Changes',
          '',
          '- [#310](https://git.example/a/b/pull/310) [`ab12cd3`](https://git.example/a/b/commit/ab12cd3) Thanks [@kim](https://git.example/kim)! - Keep the query string',
        ),
      },
      { breaking: 'none', counts: [1, 0, 0], summary: 'Keep the query string' },
    ],
    [
      'dependencies only',
      {
        version: '1.1.2',
        step: 'patch',
        content: lines('### Patch Changes', '', '- Updated dependencies [ab12cd3]:', '  - @acme/core@2.0.1'),
      },
      { breaking: 'none', importance: 1, counts: null, summary: 'Updated dependencies', titleShort: null },
    ],
    [
      'a second paragraph tells of a break',
      {
        version: '0.4.2',
        step: 'patch',
        content: lines(
          '### Patch Changes',
          '',
          '- ab12cd3: feat: new parser',
          '',
          '  The `parse` function now requires a schema.',
        ),
      },
      { breaking: 'major', counts: [0, 1, 0] },
    ],
    [
      'a note that it is not breaking',
      {
        version: '0.4.3',
        step: 'patch',
        content: lines('- ab12cd3: fix: align the splitter', '', '  This will not be considered a breaking change.'),
      },
      { breaking: 'none' },
    ],
    [
      'an own mark in a patch',
      {
        version: '0.0.47',
        step: 'patch',
        content: lines('### Patch Changes', '', '- 844029d: Breaking: take one object'),
      },
      { breaking: 'major' },
    ],
    [
      'bump of a monorepo package',
      { version: '3.0.1', step: 'patch', content: '**Note:** Version bump only for package @acme/cli' },
      { breaking: 'none', importance: 1, titleGenerated: null },
    ],
  ]);
});

describe('generated notes of a code host', () => {
  check([
    [
      'plain list with authors and a compare link',
      {
        title: 'v1.8.0',
        version: 'v1.8.0',
        step: 'minor',
        content: lines(
          "## What's Changed",
          '* Add retry budget by @kim in https://git.example/acme/cli/pull/101',
          '* Fix flaky upload by @lee in https://git.example/acme/cli/pull/102',
          '* Bump undici from 5.1.0 to 5.2.0 by @dependabot[bot] in https://git.example/acme/cli/pull/103',
          '',
          '## New Contributors',
          '* @lee made their first contribution in https://git.example/acme/cli/pull/102',
          '',
          '**Full Changelog**: https://git.example/acme/cli/compare/v1.7.0...v1.8.0',
        ),
      },
      {
        breaking: 'none',
        importance: 3,
        counts: [1, 1, 0],
        summary: 'Add retry budget; Fix flaky upload',
        titleGenerated: 'Acme 1.8.0: Add retry budget',
      },
    ],
    [
      'labelled sections with emoji',
      {
        version: '2.3.0',
        step: 'minor',
        content: lines(
          '### 🚀 Features',
          '- Drag and drop support @kim (#7)',
          '### 🐛 Bug Fixes',
          '- Caret jumps @lee (#8)',
          '### 🧰 Maintenance',
          '- Faster tests (#9)',
        ),
      },
      { breaking: 'none', counts: [1, 1, 0] },
    ],
    [
      'only a compare link',
      {
        version: '1.0.1',
        step: 'patch',
        content: '**Full Changelog**: https://git.example/a/b/compare/v1.0.0...v1.0.1',
      },
      { breaking: 'unknown', importance: null, counts: null, titleShort: null, titleGenerated: null },
    ],
    [
      'checksums, downloads and install notes are skipped',
      {
        version: '1.0.2',
        step: 'patch',
        content: lines(
          '- Fix the updater',
          '',
          '## Installation',
          '- Remove the `old` command first',
          '',
          '## Checksums',
          '```',
          'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  acme.tar.gz',
          '```',
          'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  acme.zip',
        ),
      },
      { breaking: 'none', counts: [1, 0, 0], summary: 'Fix the updater' },
    ],
    [
      'a fold-out with the full list',
      {
        version: '1.0.3',
        step: 'patch',
        content: lines(
          '- Fix the updater',
          '',
          '<details><summary>Checksums</summary>',
          '',
          '- deadbeef one',
          '',
          '</details>',
          '',
          '- Fix the menu',
        ),
      },
      { counts: [2, 0, 0] },
    ],
    [
      'a note in an alert',
      {
        version: '6.1.0',
        step: 'minor',
        content: lines('> [!WARNING]', '> The `--legacy` flag has been removed.', '', '* Add profiles by @kim in #9'),
      },
      { breaking: 'major', importance: 4 },
    ],
    [
      'a guide behind a link',
      {
        version: '7.0.0',
        step: 'major',
        content: lines(
          '* feat!: one config file',
          '',
          'See the [migration guide](https://acme.example/docs/migrate-7).',
        ),
      },
      { breaking: 'major', migrationNotes: 'See the [migration guide](https://acme.example/docs/migrate-7).' },
    ],
    [
      'a comment of the template',
      {
        version: '1.0.4',
        step: 'patch',
        content: lines(
          '<!-- Release notes generated',
          '- BREAKING CHANGE: none of this counts',
          '-->',
          '* Fix the menu by @kim in #4',
        ),
      },
      { breaking: 'none', counts: [1, 0, 0] },
    ],
  ]);
});

describe('notes of app stores', () => {
  const store = { origin: 'store', version: '4.12', step: null } as const;
  check([
    [
      'boilerplate',
      { ...store, content: 'Bug fixes and performance improvements.' },
      { breaking: 'unknown', importance: 1, counts: null },
    ],
    [
      'boilerplate in other words',
      { ...store, content: 'This update includes various bug fixes and stability improvements.' },
      { importance: 1, counts: null, titleShort: null },
    ],
    ['two words', { ...store, content: 'Bug fixes' }, { importance: 1, counts: null, summary: 'Bug fixes' }],
    [
      'boilerplate below a heading is no feature',
      { ...store, content: lines("What's new:", '- Bug fixes and performance improvements') },
      { importance: 1, counts: null },
    ],
    [
      'a verb counts, however little it says',
      { ...store, content: lines("What's new:", '- Improved performance', '- Fixed minor bugs') },
      { importance: 2, counts: [1, 0, 1] },
    ],
    [
      'round bullets without spaces',
      { ...store, content: lines('•Added widgets', '•Fixed sign-in on tablets', '•Improved battery use') },
      { counts: [1, 1, 1], importance: 2, summary: 'Added widgets; Fixed sign-in on tablets; Improved battery use' },
    ],
    [
      'headings in capitals',
      { ...store, content: lines('NEW', '• Dark icon', '• Widgets', '', 'FIXED', '• Lost drafts') },
      { counts: [1, 2, 0] },
    ],
    [
      'one statement a line',
      { ...store, content: lines('Fixed a crash on start', 'Fixed wrong badges', 'Fixed sign-in') },
      { breaking: 'none', counts: [3, 0, 0] },
    ],
    [
      'thanks and a request for stars',
      {
        ...store,
        content: lines(
          'Thank you for using Acme!',
          '',
          '- New: shared lists',
          '- Fixed: sound of reminders',
          '',
          'Enjoying it? Leave a review.',
        ),
      },
      { counts: [1, 1, 0], summary: 'New: shared lists; Fixed: sound of reminders' },
    ],
    [
      'numbered list',
      { ...store, content: lines('1. Add shared lists', '2. Fix sound of reminders') },
      { counts: [1, 1, 0] },
    ],
  ]);
});

describe('prose posts', () => {
  const post = { origin: 'feed', version: null, step: null } as const;
  check([
    [
      'a launch',
      {
        ...post,
        title: 'Introducing Workflows',
        content: `Workflows connect your boards with the tools that you already use. ${'Every step can be watched. '.repeat(16)}`,
      },
      { breaking: 'unknown', importance: 4, titleShort: 'Introducing Workflows', titleGenerated: null },
    ],
    [
      'excitement first, facts second',
      {
        ...post,
        title: 'Faster exports',
        content: lines(
          'We are excited to announce faster exports!',
          '',
          'Exports of large boards now take seconds instead of minutes.',
        ),
      },
      { summary: 'Exports of large boards now take seconds instead of minutes.' },
    ],
    [
      'a list below an introduction that says nothing',
      {
        ...post,
        title: 'Spring cleaning',
        content: lines('Hi everyone, here is what changed:', '', '- Added filters', '- Fixed paging'),
      },
      { summary: 'Added filters; Fixed paging', titleShort: 'Spring cleaning' },
    ],
    [
      'sunset of an endpoint',
      { ...post, title: 'Sunset of API v1', content: 'The v1 endpoints are no longer available. Use v2 instead.' },
      { breaking: 'major', importance: 4 },
    ],
    [
      'an instruction to migrate',
      {
        ...post,
        title: 'New billing',
        content: 'You need to migrate your plans before June. Run `acme migrate` to do so.',
      },
      { breaking: 'major', migrationNotes: 'You need to migrate your plans before June. Run `acme migrate` to do so.' },
    ],
    [
      'a new default',
      { ...post, title: 'Safer uploads', content: 'Uploads now default to private. Existing files stay as they are.' },
      { breaking: 'major' },
    ],
    [
      'drag and drop support is no removal',
      { ...post, title: 'Boards', content: 'We added drag and drop support to boards.' },
      { breaking: 'unknown', importance: 3, counts: [0, 1, 0] },
    ],
    [
      'nor is support for drop shadows',
      { ...post, title: 'Boards', content: 'We added drop shadow support to cards.' },
      { breaking: 'unknown', importance: 3 },
    ],
    [
      'needing less is no new need',
      { ...post, title: 'Leaner', content: 'The desktop client now requires less memory.' },
      { breaking: 'unknown', importance: null },
    ],
    [
      'files changed by default are no new default',
      { ...post, title: 'Reviews', content: 'Reviews announce file changes by default.' },
      { breaking: 'unknown' },
    ],
    [
      'a fix that speaks of removal',
      { ...post, title: 'Repairs', content: 'Fixed a crash when a shared folder has been removed.' },
      { breaking: 'none', counts: [1, 0, 0] },
    ],
    [
      'an incident with data loss',
      { ...post, title: 'Incident report', content: 'A small number of boards suffered data loss on Monday.' },
      { importance: 4 },
    ],
    [
      'no data loss',
      { ...post, title: 'Maintenance window', content: 'The move went well, with no data loss.' },
      { importance: null },
    ],
    [
      'a monthly rollup of many entries',
      {
        ...post,
        title: 'March 2024',
        type: 'rollup',
        content: lines(...Array.from({ length: 12 }, (_, index) => `- Improved view ${index}`)),
      },
      { importance: 4, titleShort: 'Improved view 0', titleGenerated: 'Acme: Improved view 0' },
    ],
    [
      'nothing of substance',
      { ...post, title: 'Our vision', content: 'We believe in calm software.' },
      { importance: null, counts: null },
    ],
  ]);
});

describe('HTML bodies', () => {
  check([
    [
      'headings and lists',
      {
        version: '2.1.0',
        step: 'minor',
        content:
          '<h3>Added</h3><ul><li>Dark <b>mode</b></li><li><p>Export to CSV</p></li></ul><h3>Fixed</h3><ul><li>Wrong totals</li></ul>',
      },
      { breaking: 'none', counts: [1, 2, 0], summary: 'Dark mode; Export to CSV; Wrong totals' },
    ],
    [
      'nested lists count once',
      {
        version: '2.1.1',
        step: 'patch',
        content: '<ul><li>Fix sorting<ul><li>by name</li><li>by date</li></ul></li><li>Fix paging</li></ul>',
      },
      { counts: [2, 0, 0] },
    ],
    [
      'paragraphs',
      {
        version: null,
        content: '<p>Exports of large boards now take seconds instead of minutes.</p><p>More soon.</p>',
      },
      { summary: 'Exports of large boards now take seconds instead of minutes.' },
    ],
    [
      'code blocks and scripts are not read',
      {
        version: '2.1.2',
        step: 'patch',
        content: '<p>Fixed paging.</p><pre><code>BREAKING CHANGE: no</code></pre><script>drop support for x</script>',
      },
      { breaking: 'none' },
    ],
    [
      'code and entities',
      { version: '2.2.0', step: 'minor', content: '<ul><li>Removed the <code>a &lt; b</code> option</li></ul>' },
      { breaking: 'major', summary: 'Removed the a < b option' },
    ],
    [
      'line breaks instead of a list',
      { version: '2.2.1', step: 'patch', content: '<div>- Fixed paging<br>- Fixed sorting<br/>- Added icons</div>' },
      { counts: [2, 1, 0] },
    ],
    [
      'links, images and breaks inside an entry',
      {
        version: '2.2.2',
        step: 'patch',
        content:
          '<ul><li><img src="x.png" alt="new"> Fixed <a href="https://acme.example/a">paging</a> in lists</li></ul>',
      },
      { summary: 'Fixed paging in lists' },
    ],
    [
      'markdown below an HTML banner',
      {
        version: '2.3.0',
        step: 'minor',
        content: lines('<p align="center"><img src="logo.png"></p>', '', '## Added', '', '- Hooks', '- Icons'),
      },
      { breaking: 'none', counts: [0, 2, 0] },
    ],
    [
      'a tag in a code span stays text',
      { version: '2.3.1', step: 'patch', content: '- Fix rendering of `<li>` inside `<p>`' },
      { counts: [1, 0, 0], summary: 'Fix rendering of <li> inside <p>' },
    ],
  ]);
});
