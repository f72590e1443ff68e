import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derive, lines } from './notes.fixture.ts';

const titleOf = (content: string, title = '1.4.0') =>
  derive({ title, version: '1.4.0', step: 'minor', content }).titleShort;

describe('the title of a breaking release shows its break', () => {
  const rows: readonly [name: string, content: string, title: string][] = [
    [
      'below other changes',
      lines('### Added', '- Hooks', '### Changed', '- Remove the `sync` option'),
      'Remove the sync option',
    ],
    [
      'among labelled entries',
      lines('- [FEATURE] Add groups', '- [CHANGE] Remove legacy ingest endpoint (#13)'),
      'Remove legacy ingest endpoint',
    ],
    [
      'in a paragraph above the list',
      lines('NOTE: The flag `--config` has been renamed to `--config.file`.', '', '- Added hooks'),
      'The flag --config has been renamed to --config.file',
    ],
    [
      'in a later sentence of a long entry',
      lines(
        '- Faster sync of shared folders for teams that keep many thousands of files in them. Node 16 is no longer supported.',
      ),
      'Node 16 is no longer supported',
    ],
    [
      'in an entry below another',
      lines('- Sessions', '  - Add cookies', '  - Remove `open()`', '- Hooks'),
      'Remove open()',
    ],
    [
      'in a list below a plain line',
      lines(
        'Backward incompatible changes: (@kim)',
        '',
        '- Quotes are replaced by dashes',
        '',
        'Other:',
        '',
        '- Hooks',
      ),
      'Quotes are replaced by dashes',
    ],
    ['not the least of its fixes', lines('- Fix caret', '- Drop support for Ruby 2'), 'Drop support for Ruby 2'],
  ];
  for (const [name, content, title] of rows) it(name, () => assert.equal(titleOf(content), title));

  it('but what the author wrote as title stays', () => {
    assert.equal(titleOf('- Remove the `sync` option', 'Faster sync'), 'Faster sync');
  });
});

describe('a fixed fault is told as fixed', () => {
  const rows: readonly [content: string, title: string][] = [
    [
      '### Bug fixes\n- The browser hangs because the queue is full',
      'Fixed: The browser hangs because the queue is full',
    ],
    ['### Fixed issues\n- Operator `in` does not support lists', 'Fixed: Operator in does not support lists'],
    ['- fix: `open` is not a function inside a worker', 'Fixed: open is not a function inside a worker'],
    ['### Fixed\n- Crash on start', 'Crash on start'],
    ['### Fixed\n- `open` no longer crashes', 'open no longer crashes'],
    ['### Fixed\n- Do not read the file twice', 'Do not read the file twice'],
    ['- Fixed a menu that does not open', 'Fixed a menu that does not open'],
    ['### Added\n- Files that cannot be read are skipped', 'Files that cannot be read are skipped'],
  ];
  for (const [content, title] of rows) it(content, () => assert.equal(titleOf(content), title));
});

describe('titles without names, numbers of versions and separators', () => {
  const rows: readonly [content: string, title: string][] = [
    ['- Added support for Ruby 3 (work by: jane@example)', 'Added support for Ruby 3'],
    ['- Prefer the fast parser if installed (@jane - thx)', 'Prefer the fast parser if installed'],
    ['- Switch the parser to minimist ([@jane](https://github.com/jane)', 'Switch the parser to minimist'],
    ['- Add support for Haml 6. by Jane Doe', 'Add support for Haml 6'],
    ['- Fixed a race of readers from [#12](https://example.com/pull/12)', 'Fixed a race of readers'],
    [
      '- Fixed a race of readers [#12](https://example.com/12), closed issue [#13](https://example.com/13).',
      'Fixed a race of readers',
    ],
    ['- Merged pull request [16](https://example.com/16), fix the font of a style', 'fix the font of a style'],
    ['- Restore the dist folder; mistakenly removed in d4f62f3a9c', 'Restore the dist folder; mistakenly removed'],
    ['- · Add hooks', 'Add hooks'],
    ['- / Add hooks', 'Add hooks'],
    [
      '### Breaking changes\n\nThe return value of\n[`open`](https://example.com/1.0.0.html) has types',
      'The return value of open has types',
    ],
  ];
  for (const [content, title] of rows) it(content, () => assert.equal(titleOf(content), title));

  it('reads further versions in a title as versions', () => {
    for (const title of ['1.4.0 (1.3.9@next)', '1.4.0 and 1.3.5/1.3.6', 'Changes in v1.4.0 (since v1.3.5)'])
      assert.equal(titleOf('- Added hooks', title), 'Added hooks');
  });
});
