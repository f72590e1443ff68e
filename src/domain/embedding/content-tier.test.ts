import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ContentTier, contentTier } from './content-tier.ts';

const SENTENCE = 'Workspaces can now be exported to a file and imported on another machine. ';

describe('content tiers', () => {
  const cases: [content: string, tier: ContentTier][] = [
    ['', 'empty'],
    ['v1.2.3', 'empty'],
    ['**Full Changelog**: https://github.com/acme/cli/compare/v1.0.0...v1.0.1', 'empty'],
    ['See https://acme.example/a/very/long/address/of/a/page/with/everything', 'empty'],
    ['No changes in this release.', 'empty'],
    ['There are no user-facing changes.', 'empty'],
    ['**Note:** Version bump only for package @acme/core', 'thin'],
    ['Version bump only for package @acme/core', 'empty'],
    ['Nothing changed since the last release candidate.', 'empty'],
    ['No release notes were written.', 'empty'],
    ['- Fixed a crash on start', 'thin'],
    ['No longer crashes when a project has no changes and the cache is cold; also starts faster.', 'thin'],
    [SENTENCE, 'thin'],
    [SENTENCE.repeat(3), 'full'],
    [`${'https://acme.example/x '.repeat(100)}`, 'empty'],
  ];
  for (const [content, tier] of cases) {
    it(`${tier}: ${JSON.stringify(content.slice(0, 60))}`, () => assert.equal(contentTier(content), tier));
  }

  it('takes no longer on a hostile body', () => {
    for (const content of ['no '.repeat(200_000), `${'['.repeat(200_000)}`, 'http://'.repeat(100_000)]) {
      assert.ok(['empty', 'thin', 'full'].includes(contentTier(content)));
    }
  });
});
