import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBody, releaseType } from './index.ts';
import { derive, lines } from './notes.fixture.ts';
import type { Importance, NoteClass } from './types.ts';

function classes(content: string): (NoteClass | null)[] {
  return readBody(content).items.map((item) => item.class);
}

describe('classes of entries', () => {
  const headings: Partial<Record<NoteClass, string[]>> = {
    breaking: ['Breaking', 'Breaking changes', 'Incompatible changes', 'Major Changes', '⚠', '⚠ BREAKING CHANGES'],
    removed: ['Removed', 'Removals', 'Dropped'],
    deprecated: ['Deprecated', 'Deprecations', 'Newly deprecated APIs'],
    security: ['Security', 'Vulnerabilities', 'Important security notes'],
    features: ['Added', 'New', 'Features', "What's new", 'What’s New', 'Highlights', 'Minor Changes', '✨ Features:'],
    enhancements: ['Changed', 'Changes', 'Improved', 'Improvements', 'Enhancements', 'Performance', 'Updates'],
    bugs: ['Fixed', 'Fixes', 'Bug fixes', '🐛 Bug Fixes', 'Patch Changes', 'Resolved', 'Fixed in 1.2.3'],
    migration: ['Migration', 'Upgrading', 'Upgrade guide', 'How to upgrade'],
    other: ['Dependencies', 'Chores', 'Internal', 'Documentation', 'CI', 'Build', 'Tests'],
  };
  for (const [name, list] of Object.entries(headings)) {
    for (const heading of list) {
      const expected = heading === 'Fixed in 1.2.3' ? null : name;
      it(`### ${heading}`, () => assert.deepEqual(classes(`### ${heading}\n\n- Widget colours`), [expected]));
    }
  }

  const entries: readonly [entry: string, expected: NoteClass][] = [
    ['feat(api)!: ids are strings', 'breaking'],
    ['refactor!: one entry point', 'breaking'],
    ['BREAKING CHANGE: ids are strings', 'breaking'],
    ['deprecate: the old client', 'deprecated'],
    ['Deprecate the old client', 'deprecated'],
    ['security: escape names', 'security'],
    ['Escape names (CVE-2024-1234)', 'security'],
    ['Escape names, see GHSA-abcd-1234-efgh', 'security'],
    ['feat: hooks', 'features'],
    ['feat(core): hooks', 'features'],
    ...['add', 'new', 'introduce', 'support', 'implement', 'allow', 'enable', 'launch'].map(
      (verb): [string, NoteClass] => [`${verb} widgets`, 'features'],
    ),
    ['perf: hooks', 'enhancements'],
    ['refactor: hooks', 'enhancements'],
    ['style: hooks', 'enhancements'],
    ...`improve update change enhance optimise increase reduce speed rename refactor make`
      .split(' ')
      .map((verb): [string, NoteClass] => [`${verb} widgets`, 'enhancements']),
    ['fix: hooks', 'bugs'],
    ['revert: hooks', 'bugs'],
    ...['fix', 'resolve', 'correct', 'prevent', 'avoid', 'handle'].map((verb): [string, NoteClass] => [
      `${verb} widgets`,
      'bugs',
    ]),
    ...['chore', 'docs', 'ci', 'build', 'test', 'deps'].map((type): [string, NoteClass] => [`${type}: hooks`, 'other']),
    ['Updated dependencies [abc1234]', 'other'],
    ['Bump lodash from 4.17.20 to 4.17.21', 'other'],
  ];
  for (const [entry, expected] of entries) it(entry, () => assert.deepEqual(classes(`- ${entry}`), [expected]));

  it('takes prefix before section and section before verb', () => {
    const body = lines('### Fixed', '- feat: hooks', '- Add the missing icon');
    assert.deepEqual(classes(body), ['features', 'bugs']);
  });
});

describe('composition', () => {
  const rows: readonly [body: string, expected: [number, number, number] | null][] = [
    [lines('### Added', '- A', '- B', '### Fixed', '- C'), [1, 2, 0]],
    [lines('- feat: x', '- fix: y', '- chore: z', '- perf: w'), [1, 1, 1]],
    [lines('### Patch Changes', '- abc1234: Handle null', '- Updated dependencies [abc1234]'), [1, 0, 0]],
    [lines('- Added dark mode', '- Improved search', '- Fixed crash'), [1, 1, 1]],
    ['Bug fixes and performance improvements.', null],
    ['', null],
    [lines('- feat!: x', '- fix!: y', '### Breaking changes', '- Ids are strings'), [1, 1, 1]],
    [
      lines('### Security', '- Escape names', '### Deprecated', '- Old client', '### Removed', '- Older client'),
      [1, 0, 2],
    ],
    [lines('### Documentation', '- Typos', '### Whatever', '- Purple'), null],
  ];
  for (const [body, expected] of rows) {
    it(JSON.stringify(body), () => {
      const found = derive({ content: body }).composition;
      assert.deepEqual(found && [found.bugs, found.features, found.enhancements], expected);
    });
  }
});

describe('importance', () => {
  const features = lines(...['A', 'B', 'C', 'D', 'E'].map((name) => `- feat: ${name}`));
  const rows: readonly [Parameters<typeof derive>[0], Importance][] = [
    [{ version: '2.0.0', step: 'major', content: features }, 5],
    [{ version: '2.0.0', step: 'major', content: 'Maintenance release.' }, 4],
    [{ version: '1.4.3', step: 'patch', content: 'Fixes CVE-2024-1234' }, 4],
    [{ version: '1.5.0', step: 'minor', content: 'Added hooks' }, 3],
    [{ version: '1.5.0-beta.1', step: 'minor', prerelease: true, content: 'Added hooks' }, 2],
    [{ version: '1.4.3', step: 'patch', content: 'Fixed crash' }, 2],
    [{ content: 'Updated dependencies [abc1234]' }, 1],
    [{ content: 'Bug fixes and performance improvements.' }, 1],
    [{ content: '' }, null],
    // One for each condition of the table that the examples leave out.
    [{ version: '1.0.0', step: 'minor', content: features }, 5],
    [{ version: '2.0.0', step: 'major', content: `Maintenance release. ${'Long. '.repeat(300)}` }, 5],
    [{ version: '1.4.0', step: 'minor', content: 'Removed `a`.' }, 4],
    [{ content: 'This is a security release.' }, 4],
    [{ content: 'The flaw is actively exploited.' }, 4],
    [{ content: 'Fixed a rare data loss.' }, 4],
    [{ title: 'Introducing Workflows', origin: 'feed', content: 'Plain words. '.repeat(40) }, 4],
    [{ title: 'Introducing Workflows', origin: 'release', content: 'Plain words. '.repeat(40) }, null],
    [{ title: 'Introducing Workflows', origin: 'feed', content: 'Plain words.' }, null],
    [{ type: 'rollup', content: '- Purple\n'.repeat(10) }, 4],
    [{ type: 'rollup', content: '- Purple\n'.repeat(9) }, null],
    [{ content: 'Added hooks' }, 3],
    [{ version: '1.4.3', step: 'patch', content: features }, 3],
    [{ version: '1.4.3', step: 'patch', content: 'The `a` option is deprecated.' }, 3],
    [{ content: '**Note:** Version bump only for package @acme/core' }, 1],
    [{ content: lines('- chore: tidy', '- docs: typos') }, 1],
    [{ content: 'Purple.' }, null],
    [{ version: '2.0.0-rc.1', step: 'major', prerelease: true, content: features }, 3],
    [{ version: '1.0.1-rc.1', step: 'patch', prerelease: true, content: '- chore: tidy' }, 1],
  ];
  for (const [given, expected] of rows) {
    it(`${expected}: ${given.version ?? given.title ?? ''} ${given.content.slice(0, 60)}`, () => {
      assert.equal(derive(given).importance, expected);
    });
  }
});

describe('texts', () => {
  const sentence = 'Sync of shared folders now takes half the time for teams of 50 or more.';
  const rows: readonly [title: string, version: string, body: string, string, string | null, string | null][] = [
    [
      'v2.1.0',
      'v2.1.0',
      lines('- Added dark mode (#12)', '- fix: null in parser by @x'),
      'Added dark mode; null in parser',
      'Added dark mode',
      'Acme 2.1.0: Added dark mode',
    ],
    ['Acme 2.1: Faster sync for large teams', '2.1', sentence, sentence, 'Faster sync for large teams', null],
    [
      '1.0.1',
      '1.0.1',
      lines('Thanks to all!', '', '### Fixed', '- Crash on start'),
      'Crash on start',
      'Crash on start',
      'Acme 1.0.1: Crash on start',
    ],
    ['1.0.1', '1.0.1', '', '', null, null],
  ];
  for (const [title, version, content, summary, short, generated] of rows) {
    it(title, () => {
      const found = derive({ title, version, content });
      assert.deepEqual([found.summary, found.titleShort, found.titleGenerated], [summary, short, generated]);
    });
  }
});

describe('release type by title', () => {
  const rollups = [
    'January 2024',
    'March 2024 Update',
    "What's new in March",
    'Q3 2024 release',
    "Winter '24",
    'Weekly update #12',
    '2023 in review',
    'Acme March 2024 update',
    'Product updates: August',
    'This week in Acme',
    "What's new in March 2024: hooks and more",
    'Week of March 4, 2024',
    'Monthly digest',
    'Fall update',
  ];
  for (const title of rollups) it(`rollup: ${title}`, () => assert.equal(releaseType(title, ''), 'rollup'));

  const features = [
    '2.4.0',
    'May the 4th theme',
    'Introducing Workflows',
    'March 4, 2024',
    '2024-03-04',
    'Weekly email reports',
    'Acme 2024 roadmap',
    'Spring Boot 3.2',
    'Summer theme for dashboards',
    'v2024.03',
    'Release 4.2.0-rc.1',
    '',
  ];
  for (const title of features) it(`feature: ${title}`, () => assert.equal(releaseType(title, ''), 'feature'));

  it('takes three version headings for a rollup', () => {
    const body = lines('## 1.2.0', '- A', '## [1.1.0] - 2024-02-01', '- B', '### v1.0.0', '- C');
    assert.equal(releaseType('Changelog', body), 'rollup');
    assert.equal(releaseType('Changelog', lines('## 1.2.0', '- A', '## 1.1.0', '- B')), 'feature');
    assert.equal(releaseType('Changelog', lines('```', '## 1.2.0', '## 1.1.0', '## 1.0.0', '```')), 'feature');
  });
});
