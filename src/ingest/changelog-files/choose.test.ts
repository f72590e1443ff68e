import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changelogKind } from '../../domain/changelog/files.ts';
import { chooseChangelogFiles, MAX_FILES } from './choose.ts';
import { planMissing } from './settle.ts';

function tree(...paths: string[]) {
  return paths.map((path) => ({ path, hash: `hash of ${path}`, size: 10 }));
}

interface Row {
  files: string[];
  overrides?: string[];
  // In order; the canonical one with a star.
  chosen: string[];
}

const ROWS: Record<string, Row> = {
  'a changelog in the root': { files: ['README.md', 'CHANGELOG.md'], chosen: ['*CHANGELOG.md'] },
  'any case': { files: ['ChangeLog.MD'], chosen: ['*ChangeLog.MD'] },
  'the order of names in the root': {
    files: ['NEWS.md', 'HISTORY.md', 'RELEASES.md', 'CHANGES.md'],
    chosen: ['*CHANGES.md', 'HISTORY.md', 'NEWS.md', 'RELEASES.md'],
  },
  'the root before any folder': {
    files: ['packages/a/CHANGELOG.md', 'NEWS.md'],
    chosen: ['*NEWS.md', 'packages/a/CHANGELOG.md'],
  },
  'else the shallowest, then by path': {
    files: ['packages/b/CHANGELOG.md', 'packages/a/NEWS.md', 'docs/deep/er/CHANGELOG.md'],
    chosen: ['*packages/a/NEWS.md', 'packages/b/CHANGELOG.md', 'docs/deep/er/CHANGELOG.md'],
  },
  'other suffixes and guides are tracked and never canonical': {
    files: ['CHANGES.rst', 'HISTORY', 'NEWS.txt', 'UPGRADING.md', 'UPGRADE.md', 'MIGRATION.md'],
    chosen: ['CHANGES.rst', 'HISTORY', 'MIGRATION.md', 'NEWS.txt', 'UPGRADE.md', 'UPGRADING.md'],
  },
  'names that only look alike': { files: ['CHANGELOG.md.bak', 'MY-CHANGELOG.md', 'changelog.html'], chosen: [] },
  'folders of others': {
    files: [
      ...['node_modules/x', 'bower_components/x', 'vendor/x', 'third_party/x', '.yarn/x', 'dist', 'build', 'out'],
      ...['.next', '.nuxt', 'coverage', 'test/fixtures/x', 'testdata', 'example', 'docs/examples', 'a/Vendor/b'],
    ].map((folder) => `${folder}/CHANGELOG.md`),
    chosen: [],
  },
  'a file is not ignored for its own name': { files: ['builds/CHANGELOG.md'], chosen: ['*builds/CHANGELOG.md'] },
  'paths that a person has set': {
    files: ['CHANGELOG.md', 'docs/whats-new.md', 'vendor/engine/CHANGELOG.md'],
    overrides: ['docs/missing.md', './docs/whats-new.md', '/vendor/engine/CHANGELOG.md', 'docs/whats-new.md'],
    chosen: ['*docs/whats-new.md', 'vendor/engine/CHANGELOG.md'],
  },
  nothing: { files: [], chosen: [] },
};

describe('changelog files of a tree', () => {
  for (const [name, { files, overrides, chosen }] of Object.entries(ROWS)) {
    it(name, () => {
      const found = chooseChangelogFiles(tree(...files), overrides);

      assert.deepEqual(
        found.map(({ path, canonical }) => (canonical ? `*${path}` : path)),
        chosen,
      );
      assert.ok(found.every(({ path, hash }) => hash === `hash of ${path}`));
    });
  }

  it('takes at most 20, the canonical one among them', () => {
    const packages = Array.from(
      { length: 30 },
      (_, index) => `packages/p${String(index).padStart(2, '0')}/CHANGELOG.md`,
    );

    const found = chooseChangelogFiles(tree('docs/a/b/c/CHANGELOG.md', ...packages.reverse(), 'HISTORY.md'));

    assert.equal(found.length, MAX_FILES);
    assert.deepEqual([found[0]?.path, found[1]?.path], ['HISTORY.md', 'packages/p00/CHANGELOG.md']);
  });

  it('knows what kind of file a name makes', () => {
    const kinds = ['CHANGES.md', 'changes', 'Changes.RST', 'migration.md', 'migration.rst', 'README.md'].map(
      changelogKind,
    );

    assert.deepEqual(kinds, ['canonical', 'other', 'other', 'guide', null, null]);
  });
});

describe('files that a tree lacks', () => {
  const now = new Date('2024-06-02T12:00:00.000Z');
  const marks = new Map([
    ['old.md', '2024-06-01T12:00:00.000Z'],
    ['recent.md', '2024-06-01T12:00:00.001Z'],
    ['back.md', '2024-05-01T12:00:00.000Z'],
  ]);

  it('go at the second complete tree, a day later', () => {
    const plan = planMissing({
      stored: ['here.md', 'old.md', 'recent.md', 'new.md', 'back.md'],
      present: new Set(['here.md', 'back.md']),
      marks,
      now,
    });

    assert.deepEqual(plan, { remove: ['old.md'], mark: ['new.md'], unmark: ['old.md', 'back.md'] });
  });
});
