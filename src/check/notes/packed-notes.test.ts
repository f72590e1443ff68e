import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packed } from '../../domain/archive/archive.fixture.ts';
import { readPackedNotes } from './packed-notes.ts';

const GUIDE = '# Upgrading\n\n## To v3\n\n- Rename `a` to `b`.\n- Drop `c`.\n\n## To v2\n\n- Set `d`.\n';
const CHANGELOG = '## 3.0.0\n\n### Breaking\n- Removed `x`, use `y` instead\n\n## 2.1.0\n\n- Fixed a crash.\n';

async function read(files: Record<string, string>, { from = '2.0.0', to = '3.0.0', name = '@acme/lamp' } = {}) {
  return (await readPackedNotes({ archive: packed({ 'package.json': '{}', ...files }), name, from, to })).notes;
}

describe('the notes inside of a package', () => {
  it('are the entries of the range, with the steps of the guide beside them', async () => {
    const notes = await read({ 'CHANGELOG.md': CHANGELOG, 'docs/UPGRADING.md': GUIDE });
    assert.deepEqual(
      notes.map(({ version, breaking, steps }) => [version, breaking, steps]),
      [
        ['2.1.0', 'none', []],
        ['3.0.0', 'major', ['Removed `x`, use `y` instead', 'Rename `a` to `b`.', 'Drop `c`.']],
      ],
    );
  });

  it('are told by guides where there is no changelog, for the versions of the range alone', async () => {
    const files = { 'MIGRATION.md': GUIDE, 'migrating-to-v4.md': 'Node.js 22 is required.\n' };
    const versions = async (from: string, to: string) =>
      (await read(files, { from, to })).map(({ version }) => version);
    assert.deepEqual(await versions('1.0.0', '4.0.0'), ['2.0.0', '3.0.0', '4.0.0']);
    assert.deepEqual(await versions('2.0.0', '3.9.0'), ['3.0.0']);
    assert.deepEqual(await versions('4.0.0', '4.1.0'), []);
  });

  it('may call the package by its last name', async () => {
    const [note] = await read({ 'UPGRADE.md': '# From Lamp 2 to Lamp 3\n\nThe `a` option is removed.\n' });
    assert.deepEqual(note?.steps.at(-1), 'The `a` option is removed.');
  });

  it('are not looked for in folders of others and of examples', async () => {
    assert.deepEqual(await read({ 'node_modules/a/UPGRADING.md': GUIDE, 'examples/UPGRADING.md': GUIDE }), []);
    assert.deepEqual(await read({}), []);
  });

  it('come with where the package says that it is developed', async () => {
    const reading = (repository: unknown) =>
      readPackedNotes({
        archive: packed({ 'package.json': JSON.stringify({ repository }) }),
        name: 'a',
        from: '1',
        to: '2',
      });
    const url = 'git+https://github.com/acme/lamp.git';
    const where = async (repository: unknown) => (await reading(repository)).repository;
    assert.deepEqual(await where({ type: 'git', url, directory: './packages/lamp/' }), {
      url: 'https://github.com/acme/lamp',
      folder: 'packages/lamp',
    });
    assert.deepEqual(await where({ url, directory: '../../etc' }), { url: 'https://github.com/acme/lamp', folder: '' });
    assert.deepEqual(await where('acme/lamp'), { url: 'https://github.com/acme/lamp', folder: '' });
    assert.equal(await where({ url: 7 }), null);
  });
});
