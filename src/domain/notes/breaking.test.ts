import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VersionStep } from '../versions/parse.ts';
import { derive, lines } from './notes.fixture.ts';
import type { BreakingVerdict } from './types.ts';

describe('breaking', () => {
  const rows: readonly [version: string | null, step: VersionStep | null, body: string, expected: BreakingVerdict][] = [
    ['2.3.0', 'minor', 'Removed `legacyAuth`. Dropped support for Node 16.', 'major'],
    ['3.0.0', 'major', 'Maintenance release.', 'major'],
    ['1.8.0', 'minor', 'The `sync` option is deprecated.', 'minor'],
    ['2.4.1', 'patch', 'Fixed a crash on start', 'none'],
    ['1.4.2', 'patch', 'Requests now default to HTTPS', 'major'],
    ['2.0.0', 'major', 'No breaking changes; first stable of the 2.x line', 'none'],
    ['1.5.0', 'minor', 'Fix breaking change detection', 'none'],
    ['0.6.0', 'minor', 'Added hooks', 'unknown'],
    ['0.6.1', 'patch', 'Fixed hooks', 'none'],
    ['1.2.0', 'minor', '', 'unknown'],
    [null, null, 'We are thrilled to share our vision', 'unknown'],
    [null, null, 'Fixed an issue where the export no longer works', 'none'],
    [null, null, 'feat(api)!: rename ids', 'major'],
    // The rows of the verdict table that the examples leave out.
    ['3.0.0', 'major', 'The `sync` option is deprecated.', 'major'],
    [null, null, 'The `sync` option is deprecated.', 'minor'],
    ['0.0.4', 'patch', 'Fixed hooks', 'unknown'],
    ['1.0.0', 'major', 'Added hooks', 'major'],
    ['0.9.0', 'major', 'Added hooks', 'unknown'],
    [null, null, lines('- Fixed hooks', '- Added icons'), 'unknown'],
  ];
  for (const [version, step, content, expected] of rows) {
    it(`${version} (${step}): ${content}`, () => assert.equal(derive({ version, step, content }).breaking, expected));
  }

  it('reads the title too', () => {
    assert.equal(derive({ title: 'feat(api)!: rename ids', content: 'See the pull request.' }).breaking, 'major');
  });

  const major = [
    'This is a breaking change.',
    // Labels of a code host, without their brackets.
    'Breaking Changecoretable-view Cells keep their line breaks',
    'Breaking Changes@acme/core Cells keep their line breaks',
    'The new format is not backwards compatible.',
    'The store layout is backwards incompatible.',
    'The client no longer supports XML.',
    'The old login no longer works.',
    'The parser no longer accepts tabs.',
    'The call no longer returns a list.',
    'The beta flag is no longer available.',
    'Drop support for Ruby 2.',
    'We dropped support for Ruby 2.',
    'We removed support for Ruby 2.',
    'The old client has been removed.',
    'A token is now required.',
    'The server now requires a token.',
    'The reader now strictly requires a colon.',
    'Callers must now pass a token.',
    'You must update your settings file.',
    'You need to rename the folder.',
    'The minimum Node version is now 20.',
    'The minimum supported Go version was raised.',
    'Uploads now default to private.',
    'The default timeout was changed.',
    'Remove the `legacy` switch',
    ...'option flag API endpoint method function class field parameter command config support plugin export property hook'
      .split(' ')
      .map((noun) => `Deleted the old ${noun}`),
  ];
  for (const content of major) {
    it(`major: ${content}`, () => assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'major'));
  }

  const minor = [
    'Deprecated the old client.',
    'The deprecation of the old client begins.',
    'Rename `a` and `b`',
    'Behaviour change: sorting is stable.',
    'This may affect custom themes.',
    'This could break custom themes.',
    'This is a potentially breaking change.',
    'One minor breaking change for plugin authors.',
    'A small breaking change for plugin authors.',
  ];
  for (const content of minor) {
    it(`minor: ${content}`, () => assert.equal(derive({ version: '1.4.0', step: 'minor', content }).breaking, 'minor'));
  }

  const neither = [
    'Added hooks with no breaking changes',
    'Added hooks, which is not a breaking change',
    'Added hooks in a non-breaking change',
    'Added hooks without any breaking changes',
    'Added hooks with zero breaking changes',
    'Added checks to avoid breaking changes',
    'Fix a breaking change in hooks',
    'Prevent breaking changes in plugins',
    'Revert the breaking change of last week',
    'Added a way to detect breaking changes',
    'Fixed a bug that could break uploads',
    'Added hooks; fully backwards compatible',
    'Added hooks; this is a drop-in upgrade',
    'Removed a typo',
    'Breaking changelogs into pages',
    'Removed a plugin-loader typo',
  ];
  for (const content of neither) {
    it(`no evidence: ${content}`, () => {
      assert.equal(
        derive({ version: '1.4.0', step: 'minor', content: `${content}\n\n- Fixed hooks` }).breaking,
        'none',
      );
    });
  }

  // Something changed, and no rule can tell whether it breaks anybody.
  const doubtful = [
    '- Pass the error to the callback instead of raising it',
    '- The list of nodes now consists of wrappers',
    '- Disable the spinner in pipelines',
    '- Make the token required',
    '- Tokens are now scoped to a workspace',
    '- Removed sounds from the npm package',
    '- Removed sounds (see the example in the docs)',
    '- Things that moved, previously at the root:\n  - Added hooks',
  ];
  for (const content of doubtful) {
    it(`not called safe: ${content}`, () => {
      const { breaking } = derive({ version: '1.4.0', step: 'minor', content: `${content}\n- Fixed hooks` });
      assert.equal(breaking, 'unknown');
    });
  }
});
