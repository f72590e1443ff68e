import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownReleases } from './own-releases.ts';

const release = (tag: string) => ({ tag, title: tag, body: 'x', prerelease: false });

const CASES: [what: string, tags: string[], of: { name: string; folder: string; versions: string[] }, own: string[]][] =
  [
    ['plain tags', ['v2.0.0', '1.0.0'], { name: 'lamp', folder: '', versions: ['1.0.0', '2.0.0'] }, ['2.0.0', '1.0.0']],
    [
      'tags with the name',
      ['@acme/kit@2.0.0', '@acme/other@3.0.0', 'v1.0.0'],
      { name: '@acme/kit', folder: 'packages/kit', versions: ['1.0.0', '2.0.0'] },
      ['2.0.0'],
    ],
    [
      'tags with the folder',
      ['plugin-lamp-v2.1.0', 'core-v9.0.0'],
      { name: '@acme/lamp-plugin', folder: 'packages/plugin-lamp', versions: ['2.1.0'] },
      ['2.1.0'],
    ],
    [
      'versions that all packages share',
      ['v7.2.0', 'v7.1.0'],
      { name: '@acme/core', folder: 'packages/core', versions: ['7.1.0', '7.2.0'] },
      ['7.2.0', '7.1.0'],
    ],
    [
      'tags of the main package, where another one lies in a folder',
      ['v9.1.0', 'v9.0.0', 'v1.0.0'],
      { name: '@acme/small', folder: 'packages/small', versions: ['1.0.0', '1.1.0'] },
      [],
    ],
    ['tags of something else', ['2024-01-02', 'stable'], { name: 'lamp', folder: '', versions: ['1.0.0'] }, []],
  ];

for (const [what, tags, of, own] of CASES) {
  it(`the releases of a package: ${what}`, () => {
    assert.deepEqual(
      ownReleases(tags.map(release), of).map(({ version }) => version),
      own,
    );
  });
}
