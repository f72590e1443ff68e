import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanItem } from './index.ts';
import { derive, lines } from './notes.fixture.ts';

describe('people are left out of an entry', () => {
  const rows: readonly [raw: string, expected: string][] = [
    ['Trim names. Thanks [Kim](https://github.com/kim) for reporting.', 'Trim names'],
    ['Trim names. Thanks Kim Lee and Jo Doe for reporting and investigating', 'Trim names'],
    ['Trim names, thanks Kim Lee', 'Trim names'],
    ['Trim names, thanks to Kim Lee for discovering the issue', 'Trim names'],
    ['Trim names (Thanks Kim!)', 'Trim names'],
    ['Trim names thanks kimlee', 'Trim names'],
    ['Trim names. Props to @kim for the fix, and for testing!', 'Trim names'],
    ['Trim names (#16 thanks to @kim for that)', 'Trim names'],
    ['Trim names (#12) [Kim Lee](https://github.com/kim)', 'Trim names'],
    ['Trim names (#12) Kim Lee', 'Trim names'],
    ['Trim names @kim (https://git.example/a/b/pull/361)', 'Trim names'],
    [
      'Trim names in 3.1.0. [@kim](https://github.com/kim) in [#12](https://git.example/a/b/pull/12)',
      'Trim names in 3.1.0',
    ],
    [
      'Trim names\n  Submitted by [@kim](https://github.com/kim) (See [#12](https://git.example/a/b/pull/12))',
      'Trim names',
    ],
    ['Trim names (Kim Lee)', 'Trim names'],
    ['Trim names [Kim Lee]', 'Trim names'],
    ['Trim names (Kim Anne Lee in ab12cd34)', 'Trim names'],
    ['Trim names (Kim Lee, #12)', 'Trim names'],
    ['Trim names (by git.example/kim).', 'Trim names'],
    ['[ab12cd3](https://git.example/a/b/commit/ab12cd3) Trim names (`kim`)', 'Trim names'],
    ['@kim (Kim Lee): Trim names', 'Trim names'],
    // What only looks like people stays.
    ['Faster, thanks to the new cache', 'Faster, thanks to the new cache'],
    ['Moved to [Acme](https://github.com/acme)', 'Moved to Acme'],
    ['Print the version (Internet Explorer)', 'Print the version (Internet Explorer)'],
    ['Print the version (Visual Studio)', 'Print the version (Visual Studio)'],
    ['ab12cd3: Support vectors (sparse and dense)', 'Support vectors (sparse and dense)'],
    ['implement @hideconstructor (#12)', 'implement @hideconstructor'],
    ['Add **@kim** to the list', 'Add @kim to the list'],
    ['Fix nested @each', 'Fix nested @each'],
    ['@each works in loops', '@each works in loops'],
    ['@mixin: fix loops', '@mixin: fix loops'],
  ];
  for (const [raw, expected] of rows) it(raw, () => assert.equal(cleanItem(raw), expected));
});

describe('numbers that a sentence needs stay in it', () => {
  const rows: readonly [raw: string, expected: string][] = [
    ['Fix a loop introduced by [#7](https://git.example/a/b/pull/7) in 2.1', 'Fix a loop introduced by #7 in 2.1'],
    ['Rewrite the bundler to fix #12', 'Rewrite the bundler to fix #12'],
    ['Revert #12, but test it', 'Revert #12, but test it'],
    ['Fix #12, for that the target changes', 'Fix #12, for that the target changes'],
    ['Commit when the stream is explicitly closed #12', 'Commit when the stream is explicitly closed'],
    ['Types and related fixes (#12)', 'Types and related fixes'],
    ['Promises always resolve (#12)', 'Promises always resolve'],
    ['Trim names. See #12, #13.', 'Trim names'],
    ['Trim names, see [#12](https://git.example/a/b/pull/12) for details', 'Trim names'],
    ['Trim names, closes /github.com/a/b/issues/12#issuecomment-99', 'Trim names'],
    ['Trim names #12#issuecomment-99', 'Trim names'],
    ['[Issue](https://git.example/a/b/issues/12) Trim names', 'Trim names'],
    ['Trim names **BREAKING CHANGE**', 'Trim names'],
    ['Trim it/them/etc...', 'Trim it/them/etc...'],
    ['Trim all (use b)[[#12](https://git.example/a/b/pull/12)]', 'Trim all (use b)'],
  ];
  for (const [raw, expected] of rows) it(raw, () => assert.equal(cleanItem(raw), expected));
});

describe('lines that tell of no change are no title and no summary', () => {
  const rows: readonly [name: string, content: string, summary: string, title: string | null][] = [
    ['a version alone', '- Version 1.0', '', null],
    [
      'a bump beside a change',
      lines('- [dist] Version bump. 0.1.12', '- [fix] Trim names'),
      'Trim names',
      'Trim names',
    ],
    [
      'a release beside a merge',
      lines('- Release v1.8.3', '- Merge pull request #43 from acme/chore', '- Trim names'),
      'Trim names',
      'Trim names',
    ],
    [
      'thanks whose name is gone',
      lines('Thanks [@kim](https://github.com/kim) for finding a lot of old work in the resolver.', '', '- Trim names'),
      'Trim names',
      'Trim names',
    ],
    [
      'a sentence that leads to code',
      lines(
        'There are new packages for every platform, they can be installed with',
        '',
        '```',
        'x',
        '```',
        '',
        '- Trim names',
      ),
      'Trim names',
      'Trim names',
    ],
    [
      'a link with its label',
      lines('- Proposal: https://git.example/a/proposal', '- Trim names'),
      'Trim names',
      'Trim names',
    ],
    [
      'a package and its version',
      lines('### Changed', '- core 7.2.0 (minor)', '- Trim names'),
      'Trim names',
      'Trim names',
    ],
    [
      'paragraphs beside a list that says nothing',
      lines('- Release', '', 'Added better names.'),
      'Added better names.',
      null,
    ],
    ['one word', '- fixes', 'fixes', null],
    [
      'a release that tells why',
      '- Release to fix the build of 1.1.1',
      'Release to fix the build of 1.1.1',
      'Release to fix the build of 1.1.1',
    ],
  ];
  for (const [name, content, summary, title] of rows) {
    it(name, () => {
      const found = derive({ content, title: '1.2.3', version: '1.2.3' });
      assert.deepEqual([found.summary, found.titleShort], [summary, title]);
    });
  }
});

describe('a title ends where its statement does', () => {
  const rows: readonly [title: string, expected: string][] = [
    [
      'In order to move towards stricter types in the future, we replace any with unknown everywhere',
      'In order to move towards stricter types in the future, we replace any…',
    ],
    [
      'Buttons including family, size, blocks, and styles used plural words in their names',
      'Buttons including family, size, blocks, and styles used plural words…',
    ],
    ['Upgraded to the new engine PR #1010', 'Upgraded to the new engine'],
    [
      'The format tokens z and zz (the oldest of them all, from the first days) will no longer be supported',
      'The format tokens z and zz will no longer be supported',
    ],
    [
      'Requests for remote content (attachments, tokens, proxies) now validate the certificate of the server by default',
      'Requests for remote content now validate the certificate…',
    ],
    [
      'Updates the bundled compiler to 4.9.4 (it was 4.7.2 before) and types to account for what changed in between',
      'Updates the bundled compiler to 4.9.4',
    ],
    ['See discussion', 'Trim names'],
  ];
  for (const [title, expected] of rows)
    it(title, () => assert.equal(derive({ title, version: null, content: '- Trim names' }).titleShort, expected));
});
