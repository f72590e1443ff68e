import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derive, lines } from './notes.fixture.ts';

const verdictOf = (content: string, version = '1.4.0', step: 'major' | 'minor' | 'patch' = 'minor') =>
  derive({ version, step, content }).breaking;

describe('what a heading or the name of a report says alone is no break', () => {
  const rows = [
    '- API changes: Add method `open`',
    '### API changes: readers\n\n- Add trait `TryRead`',
    '### Issues\n\n- #12 `open()` is not exported\n- #13 Option `mode` no longer works',
    '#### Bug\n\n- [ACME-13] Option `mode` no longer works',
    '- [BUG #87](https://example.com/87): `open` no longer works',
    '- Fixes #13: the option `mode` is no longer accepted',
    '### Major Changes\n\n- Add `charset` option (#1679)',
    '- Drop CodeClimate',
    '- The default branch has changed from master to main',
    '- Remove internally-used associate method from all the proxies',
    '- Removed the experimental support for callbacks',
    '- utils/drops: update Drop to support deep merges',
    '- Drop RDoc support file .document',
    '- Remove `src` and `flow` from package',
  ];
  for (const content of rows) it(content, () => assert.notEqual(verdictOf(content), 'major'));
});

describe("somebody else's break is none of this release", () => {
  const rows = [
    "- Handle React's breaking change",
    "- Account for Terraform's breaking changes to plan files",
    '- Adjusted for breaking changes introduced by rack 3',
    '- Update for upstream breaking change',
    '- Prepare for the breaking changes of webpack 6',
    '- Fix: settings raised an error. This was a breaking change from previous behavior.',
    '- Mixing versions of the codec could break compatibility',
  ];
  for (const content of rows) it(content, () => assert.notEqual(verdictOf(content), 'major'));
});

describe('a warning about the publication is no break, and one about what it holds is', () => {
  const rows: [content: string, isBreak: boolean][] = [
    ['⚠️ The release got failed.', false],
    ['- ⚠️ This version was not published to the registry, use the next one.', false],
    ['⚠️ Please do not use this version.', false],
    ['⚠️ This release was broken, and `open` is no longer exported.', true],
    ['⚠️ This release is breaking for users of `open`.', true],
    ['⚠️ `open` is now `attach`', true],
    ['- ⚠️ Do not use `open`', true],
  ];
  for (const [content, isBreak] of rows) it(content, () => assert.equal(verdictOf(content) === 'major', isBreak));
});

describe('a plain line tells a break', () => {
  const rows = [
    '- API change: `parse(str, opts)` -> `parse(opts).from(str)`',
    '### Major Changes\n\n- `open` takes an object',
    '- client.close(timeout) removed',
    '- Removed `.done()`',
    '- remove store.find(query, options)',
    '- [CHANGE] Remove legacy ingest endpoint (#1362)',
    '- [CHANGE] [cli] Remove `--mesh` flag',
    '- Renamed --input to --source',
    '- Rename command line option `-x` to `--exclude`',
    '- `--input` is now `--source`',
    'NOTE: A command line arg has been changed from `--web.config` to `--web.config.file`.',
    '- Drop compatibility for unsupported Python versions',
    '- Support has been discontinued for i686-darwin.',
    '- `acme.Limit` is unexported',
    '- Require rack-0.4 gem; removes the copy of it',
    '**If your application relies on cross-origin requests, do not blindly push this version to production**',
    '- [CHANGE] Remove the `example.com/acme/client` Go package.',
    '- Removed testing and support for Go 1.12',
    '- The package no longer ships with a browser script',
    '- Stop polluting the global namespace with Given()',
    '- The new default timeout has been increased to 150 seconds',
    '- The default `limit` was lowered from 100 to 50',
    'You have to backup and wipe your former storage path to run it.',
    'This version is a full rewrite of the server.',
    '### Bug fixes\n\n- Make `close()` wait. Drop deprecated "with Client():" syntax.',
  ];
  for (const content of rows) it(content, () => assert.equal(verdictOf(content), 'major'));
});

it('a flag whose old name goes on working is no break', () => {
  const alias = '- Rename `--maxdepth` to `--max-depth`. Keep `--maxdepth` for backwards compatibility.';
  assert.equal(verdictOf(alias), 'minor');
  assert.equal(verdictOf('- `--dir` is now `--folder`. The old flag will be removed in 2.x.'), 'minor');
});

it('the number alone tells a break only at the begin of a line of versions', () => {
  const content = lines('- Fix a typo in a message');
  assert.equal(verdictOf(content, '2.0.0', 'major'), 'major');
  assert.equal(verdictOf(content, '2.0.3', 'major'), 'unknown');
  assert.equal(verdictOf('- Removed `open()`', '2.0.3', 'major'), 'major');
});
