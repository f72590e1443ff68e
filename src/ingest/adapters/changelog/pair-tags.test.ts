import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredChangelog } from '../contract.ts';
import { pairWithEntries } from './pair-tags.ts';

const NOW = new Date('2024-06-01T12:00:00.000Z');

function file(path: string, content: string, canonical = false): StoredChangelog {
  return { path, url: `https://github.com/acme/engine/blob/HEAD/${path}`, content, canonical };
}

function versions(...numbers: string[]): string {
  return numbers.map((number) => `## ${number}\n\n- Notes of ${number}\n`).join('\n');
}

interface Row {
  tags: string[];
  files: StoredChangelog[];
  // Tag to the body of its entry.
  byTag: Record<string, string>;
  untagged: string[];
}

const ROWS: Record<string, Row> = {
  'v and its absence': {
    tags: ['v1.1.0', '1.0.0'],
    files: [file('CHANGELOG.md', versions('1.1.0', 'v1.0.0', '0.9.0'), true)],
    byTag: { 'v1.1.0': '- Notes of 1.1.0', '1.0.0': '- Notes of v1.0.0' },
    untagged: ['0.9.0'],
  },
  'packages by the title of their file': {
    tags: ['@acme/core@2.0.0', '@acme/cli@2.0.0'],
    files: [
      file('packages/core/CHANGELOG.md', `# @acme/core\n\n${versions('2.0.0', '1.0.0')}`, true),
      file('packages/cli/CHANGELOG.md', `# @acme/cli\n\n${versions('2.0.0')}`),
    ],
    byTag: { '@acme/core@2.0.0': '- Notes of 2.0.0', '@acme/cli@2.0.0': '- Notes of 2.0.0' },
    untagged: ['@acme/core@1.0.0'],
  },
  'packages by their folder, in the spelling of the tags': {
    tags: ['core-v2.0.0', 'packages/cli/v2.0.0'],
    files: [
      file('packages/core/CHANGELOG.md', `# @acme/core\n\n${versions('2.0.0', '1.0.0')}`, true),
      file('packages/cli/CHANGELOG.md', versions('2.0.0', '1.0.0')),
    ],
    byTag: { 'core-v2.0.0': '- Notes of 2.0.0', 'packages/cli/v2.0.0': '- Notes of 2.0.0' },
    untagged: ['core@1.0.0', 'packages/cli@1.0.0'],
  },
  'several packages and no tags stay apart': {
    tags: [],
    files: [
      file('packages/core/CHANGELOG.md', `# @acme/core\n\n${versions('1.0.0')}`, true),
      file('packages/cli/CHANGELOG.md', versions('1.0.0')),
    ],
    byTag: {},
    untagged: ['@acme/core@1.0.0', 'cli@1.0.0'],
  },
  'a single file in a folder speaks for the repository': {
    tags: ['v1.0.0'],
    files: [file('src/CHANGELOG.md', versions('1.0.0'), true)],
    byTag: { 'v1.0.0': '- Notes of 1.0.0' },
    untagged: [],
  },
  'a changelog among the documents is no package': {
    tags: ['v1.0.0'],
    files: [file('docs/CHANGELOG.md', versions('1.0.0'), true), file('packages/a/CHANGELOG.md', versions('1.0.0'))],
    byTag: { 'v1.0.0': '- Notes of 1.0.0' },
    untagged: [],
  },
  'tags that are named like the repository': {
    tags: ['engine-1_5_0', 'plugin-v1.5.0'],
    files: [file('CHANGELOG.md', versions('1.5.0'), true)],
    byTag: { 'engine-1_5_0': '- Notes of 1.5.0' },
    untagged: [],
  },
  'tags that all name one package': {
    tags: ['create-thing@1.5.0'],
    files: [file('CHANGELOG.md', versions('1.5.0'), true)],
    byTag: { 'create-thing@1.5.0': '- Notes of 1.5.0' },
    untagged: [],
  },
  'two packages that end alike are not guessed at': {
    tags: ['@a/core@1.0.0', '@b/core@1.0.0'],
    files: [file('CHANGELOG.md', '## core@1.0.0\n\n- Whose?\n', true)],
    byTag: {},
    untagged: ['core@1.0.0'],
  },
  'the canonical file before others, and all that it says of a version': {
    tags: ['v1.0.0'],
    files: [
      file('CHANGELOG.md', `${versions('1.0.0')}\n## 1.0.0\n\n- Again\n`, true),
      file('HISTORY.md', versions('1.0.0', '0.1.0')),
    ],
    byTag: { 'v1.0.0': '- Notes of 1.0.0\n\n- Again' },
    untagged: [],
  },
  'a root file of another suffix stands in for a missing canonical one': {
    tags: ['1.0'],
    files: [file('CHANGES.rst', 'Changes\n=======\n\n1.0\n---\n\n- First\n'), file('UPGRADING.md', versions('1.0'))],
    byTag: { '1.0': '- First' },
    untagged: [],
  },
  'flavours and builds are releases of their own': {
    tags: ['v1.0.0+a'],
    files: [file('CHANGELOG.md', versions('1.0.0+a', '1.0.0+b'), true)],
    byTag: { 'v1.0.0+a': '- Notes of 1.0.0+a' },
    untagged: ['1.0.0+b'],
  },
};

describe('tags and changelog entries', () => {
  for (const [name, { tags, files, byTag, untagged }] of Object.entries(ROWS)) {
    it(name, () => {
      const paired = pairWithEntries(tags, files, { names: ['Acme', 'Engine'], now: NOW, repository: 'engine' });

      assert.deepEqual(Object.fromEntries([...paired.byTag].map(([tag, entry]) => [tag, entry.body])), byTag);
      assert.deepEqual(
        paired.untagged.map(({ versionText }) => versionText),
        untagged,
      );
    });
  }

  it('keeps entries that have a date and no version, each on its own', () => {
    const text = '## 2024-05-01\n\n### Faster\n\n- a\n\n## 2024-04-01\n\n### Smaller\n\n- b\n';

    const { untagged } = pairWithEntries(['v1.0.0'], [file('CHANGELOG.md', text, true)], {
      names: [],
      now: NOW,
      repository: 'engine',
    });

    assert.deepEqual(
      untagged.map(({ title, versionText, date }) => [title, versionText, date?.at.slice(0, 10)]),
      [
        ['Faster', null, '2024-05-01'],
        ['Smaller', null, '2024-04-01'],
      ],
    );
  });
});
