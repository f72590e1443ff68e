import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guideFrom, guideSections, notesOfSection } from './guide.ts';

const readGuide = (text: string, names: readonly string[] = [], filename?: string) =>
  guideFrom(guideSections({ text, names, filename }));

describe('readGuide', () => {
  const headings: [string, string, boolean][] = [
    ['## 2.0', '2.0.0', true],
    ['## v2', '2.0.0', true],
    ['## 2.x', '2.0.0', true],
    ['## 2.x', '2.3.0', false],
    ['## [2.0.0]', '2.0.0', true],
    ['# Upgrading to 2.0', 'v2.0.0', true],
    ['# Upgrade to 2', '2.0.0', true],
    ['### Migrating from v1 to v2', '2.0.0', true],
    ['### Migrating from v1 to v2', '1.0.0', false],
    ['## From 1.x to 2.x', '2.0.0', true],
    ['## 1.9 → 2.0', '2.0.0', true],
    ['## 1.9 -> 2.0: what to do', '2.0.0', true],
    ['## Acme Kit 2.0', '2.0.0', true],
    ['## Breaking changes in `2.0`', '2.0.0', true],
    ['## 2.0 – The big rewrite', '2.0.0', true],
    ['## [Version 2.0](https://x.example/2.0)', '2.0.0', true],
    ['## 2.0.0-rc.1', '2.0.0-rc.1', true],
    ['## 2.0.0-rc.1', '2.0.0', false],
    ['## 2.0', '2.0.1', false],
    ['## 2.0', '2.0.0-rc.1', false],
    ['## Node 2.0 is required', '2.0.0', false],
    ['## 2 ways to do it', '2.0.0', false],
    ['## 2. Rename it', '2.0.0', false],
    ['## 2) Rename it', '2.0.0', false],
    ['## Version 1 to Version 2 Upgrade Guide', '2.0.0', true],
    ['## Kit.js 1 to 2', '2.0.0', true],
    ['## Node.js 2', '2.0.0', false],
    ['## 1.0, 2.0 and 3.0', '2.0.0', false],
    ['## 1.0 and 2.0', '2.0.0', false],
    ['## Section 2', '2.0.0', false],
    ['## es2.0', '2.0.0', false],
    ['## Migrating from 1.x', '2.0.0', true],
    ['## Migrating from 1.x.x', '2.0.0', true],
    ['## <a name="from-1"></a>Upgrading from v1?', '2.0.0', true],
    ['## Upgrading from v1', '1.0.0', false],
    ['## Upgrading from 1.4', '2.0.0', false],
    ['## Upgrade Acme 1 to Acme Kit 2', '2.0.0', true],
    ['## From Node 1 to Node 2', '2.0.0', false],
  ];
  for (const [heading, version, isFound] of headings) {
    it(`${heading} for ${version}`, () => {
      const guide = readGuide(`# Guide\n\nHello.\n\n${heading}\n\nRename \`a\` to \`b\`.\n`, ['Acme', 'kit']);
      assert.equal(guide(version), isFound ? 'Rename `a` to `b`.' : null);
    });
  }

  const names: [filename: string, text: string, expected: string | null][] = [
    ['migrating-from-v1-to-v2.md', '# What to do\n\nRename `a`.\n', 'Rename `a`.'],
    ['MIGRATION_V2.md', 'Rename `a`.\n', 'Rename `a`.'],
    ['migration-from-v1.md', '## Names\n\nRename `a`.\n\n## More\n\nb\n', 'Rename `a`.\n\n## More\n\nb'],
    [
      'MIGRATION.md',
      '# Guide\n\n> **Migrating from Kit 1.x to 2.x**\n\n## Names\n\nb\n',
      '> **Migrating from Kit 1.x to 2.x**\n\n## Names\n\nb',
    ],
    ['MIGRATION.md', '# Guide\n\nMigrating from Node 1.x to 2.x\n\n## Names\n\nb\n', null],
    ['MIGRATION.md', '# Guide\n\n## Names\n\nMigrating from 1.x to 2.x\n', null],
    ['UPGRADING.md', '# What to do\n\nRename `a`.\n', null],
    ['UPGRADE-2.0.md', '# To 3.0\n\nRename `a`.\n', null],
    ['UPGRADE-2.0.md', 'Hello.\n\n## To 2.0\n\nRename `a`.\n', 'Hello.\n\n## To 2.0\n\nRename `a`.'],
    ['UPGRADE.md', '# To 2.0\n\nHello.\n\n# Names\n\nRename `a`.\n', 'Hello.\n\n# Names\n\nRename `a`.'],
    ['UPGRADE.md', '# To 2.0\n\nHello.\n\n# To 1.0\n\nRename `a`.\n', 'Hello.'],
    ['MIGRATION_V2.md', '\n', null],
  ];
  for (const [filename, text, expected] of names) {
    it(`${filename} that begins with ${text.split('\n')[0]}`, () => {
      assert.equal(readGuide(text, ['Kit'], filename)('2.0.0'), expected);
    });
  }

  it('tells the version as it would be published', () => {
    const sections = guideSections({ text: '## To 2\na\n## To v3.1\nb\n## To 4.0.0-rc.1\nc\n', names: [] });
    assert.deepEqual(
      [...sections.values()].map(({ version }) => version),
      ['2.0.0', '3.1.0', '4.0.0-rc.1'],
    );
  });

  it('takes a section with all below it, up to the next of its rank', () => {
    const guide = readGuide('## 2.0\n\nFirst.\n\n### Options\n\n```\n## 9.0\n```\n\n## 1.0\nOld.\n## 3.0\n\n');
    assert.equal(guide('2.0.0'), 'First.\n\n### Options\n\n```\n## 9.0\n```');
    assert.deepEqual([guide('1.0'), guide('3.0'), guide('9.0')], ['Old.', null, null]);
  });

  it('gives whole lines of a long section as notes, and closes no fence that it has not opened', () => {
    const line = 'x'.repeat(99);
    const long = readGuide(`## 2.0\n${`${line}\n`.repeat(40)}`)('2.0');
    const fenced = readGuide(`## 2.0\nDo this:\n\`\`\`\n${`${line}\n`.repeat(40)}\`\`\`\n`)('2.0');
    assert.equal(notesOfSection(long ?? ''), Array(15).fill(line).join('\n'));
    assert.equal(notesOfSection(fenced ?? ''), 'Do this:');
    assert.equal(long?.length, 40 * 100 - 1);
  });

  it('stays quick on a guide of nothing but headings', () => {
    const guide = readGuide(Array.from({ length: 20_000 }, (_, index) => `## ${index}.0\ntext ${index}`).join('\n'));
    assert.equal(guide('19999.0'), 'text 19999');
  });
});
