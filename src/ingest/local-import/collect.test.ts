import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type CollectedPackages, collectChangelogs, collectInstalled } from './collect.ts';
import { changelogOf, type Disk, openDisk } from './disk.fixture.ts';
import { changelogPath, readChangelog } from './read-changelog.ts';

let disk: Disk;

function withDisk(): void {
  beforeEach(async () => {
    disk = await openDisk();
  });
  afterEach(() => disk.remove());
}

function labels(gathered: CollectedPackages): string[] {
  assert.equal(gathered.kind, 'packages');
  return gathered.kind === 'packages'
    ? gathered.packages.map(({ label, metadata }) => `${label}@${metadata?.version}`)
    : [];
}

describe('packages of node_modules', () => {
  withDisk();

  it('finds plain, scoped and nested ones, and of several copies the highest version', async () => {
    await disk.package('node_modules/engine', { name: 'engine', version: '1.9.0' });
    await disk.package('node_modules/@acme/core', { name: '@acme/core', version: '2.0.0' });
    await disk.package('node_modules/@acme/core/node_modules/engine', { name: 'engine', version: '1.10.0' });
    await disk.package('node_modules/.cache/tool', { name: 'tool', version: '1.0.0' });
    await disk.write('node_modules/.package-lock.json', '{}');
    await mkdir(join(disk.root, 'node_modules/empty'));

    const expected = ['@acme/core@2.0.0', 'engine@1.10.0'];

    assert.deepEqual(labels(await collectInstalled(join(disk.root, 'node_modules'))), expected);
    assert.deepEqual(labels(await collectInstalled(disk.root)), expected);
  });

  it('takes the changelog of an older copy when the newest was published without one', async () => {
    const inside = (folder: string) => `node_modules/${folder}/node_modules/engine`;
    await disk.package('node_modules/engine', { name: 'engine', version: '1.9.0' }, changelogOf('1.9.0'));
    await disk.package(inside('a'), { name: 'engine', version: '1.8.0' }, changelogOf('1.8.0'));
    await disk.package(inside('b'), { name: 'engine', version: '2.0.0' });

    const collected = await collectInstalled(disk.root);
    assert.ok(collected.kind === 'packages');
    const found = collected.packages.map(({ metadata, path }) => [metadata?.version, path]);
    assert.deepEqual(found, [['2.0.0', join(await realpath(disk.root), 'node_modules/engine/CHANGELOG.md')]]);
  });

  it('follows links once, so that a circle ends', async () => {
    await disk.package('workspace/engine', { name: 'engine', version: '1.0.0' });
    await mkdir(join(disk.root, 'node_modules'), { recursive: true });
    await symlink(join(disk.root, 'workspace/engine'), join(disk.root, 'node_modules/engine'));
    await symlink(join(disk.root, 'node_modules'), join(disk.root, 'workspace/engine/node_modules'));
    await symlink(join(disk.root, 'nowhere'), join(disk.root, 'node_modules/broken'));

    assert.deepEqual(labels(await collectInstalled(disk.root)), ['engine@1.0.0']);
  });

  it('looks into the store that pnpm keeps beside the tree', async () => {
    await disk.package('node_modules/.pnpm/engine@1.0.0/node_modules/engine', { name: 'engine', version: '1.0.0' });
    await disk.package('node_modules/.pnpm/dep@3.0.0/node_modules/dep', { name: 'dep', version: '3.0.0' });
    await symlink(
      join(disk.root, 'node_modules/.pnpm/engine@1.0.0/node_modules/engine'),
      join(disk.root, 'node_modules/engine'),
    );

    assert.deepEqual(labels(await collectInstalled(join(disk.root, 'node_modules'))), ['dep@3.0.0', 'engine@1.0.0']);
  });

  it('says what is wrong with a path', async () => {
    await mkdir(join(disk.root, 'empty'));

    assert.deepEqual(await collectInstalled(join(disk.root, 'missing')), { kind: 'problem', problem: 'not_found' });
    assert.deepEqual(await collectInstalled(join(disk.root, 'empty')), { kind: 'problem', problem: 'no_packages' });
  });
});

describe('changelogs at a path', () => {
  withDisk();

  it('takes a project with its packages, without code of others', async () => {
    await disk.package('', { name: 'project', private: true });
    await disk.package('packages/core', { name: '@acme/core', version: '1.0.0' });
    await disk.package('node_modules/dep', { name: 'dep' });
    await disk.package('examples/demo', { name: 'demo' });
    await mkdir(join(disk.root, '.git'));

    const gathered = await collectChangelogs(disk.root, {});

    assert.deepEqual(labels(gathered), ['project@null', '@acme/core@1.0.0']);
    const directories = gathered.kind === 'packages' ? gathered.packages.map(({ directory }) => directory) : [];
    assert.deepEqual(directories, ['', 'packages/core']);
  });

  it('takes a file with the metadata beside it, whatever the file is called', async () => {
    await disk.package('core', { name: '@acme/core' }, changelogOf('1.0.0'), 'whats-new.md');

    const gathered = await collectChangelogs(join(disk.root, 'core/whats-new.md'), {});

    assert.deepEqual(labels(gathered), ['@acme/core@null']);
  });

  it('needs names for what has no metadata', async () => {
    await disk.write('plain/docs/CHANGES.md', changelogOf('1.0.0'));
    const file = join(disk.root, 'plain/docs/CHANGES.md');
    const given = { org: 'Acme', name: 'Engine' };

    for (const path of [file, join(disk.root, 'plain')]) {
      assert.deepEqual(await collectChangelogs(path, {}), { kind: 'problem', problem: 'needs_names' });
      assert.deepEqual(await collectChangelogs(path, { org: 'Acme' }), { kind: 'problem', problem: 'needs_names' });
      const gathered = await collectChangelogs(path, given);
      assert.deepEqual(gathered.kind === 'packages' && gathered.packages[0]?.path, file);
    }
    assert.equal((await collectChangelogs(join(disk.root, 'missing'), given)).kind, 'problem');
  });
});

describe('the changelog of a folder', () => {
  withDisk();

  it('is chosen as in a repository', async () => {
    const chosen = async (...names: string[]) => {
      const folder = `f${names.length}-${names[0]}`;
      for (const name of names) await disk.write(join(folder, name), changelogOf('1.0.0'));
      return basename((await changelogPath(join(disk.root, folder), disk.root)) ?? 'none');
    };

    assert.equal(await chosen('HISTORY.md', 'changelog.md', 'README.md'), 'changelog.md');
    assert.equal(await chosen('CHANGES.rst', 'MIGRATION.md'), 'CHANGES.rst');
    assert.equal(await chosen('UPGRADING.md'), 'none');
  });

  it('is unreadable when it is no text, and missing when it is no file', async () => {
    await disk.write('a/CHANGELOG.md', Uint8Array.of(0, 1, 2, 3));
    await mkdir(join(disk.root, 'b/CHANGELOG.md'), { recursive: true });

    const [a, b] = [
      await changelogPath(join(disk.root, 'a'), disk.root),
      await changelogPath(join(disk.root, 'b'), disk.root),
    ];

    assert.deepEqual(await readChangelog(a, { root: disk.root }), { kind: 'skipped', reason: 'unreadable' });
    assert.deepEqual(await readChangelog(b, { root: disk.root }), { kind: 'skipped', reason: 'no file' });
    assert.deepEqual(await readChangelog(join(disk.root, 'gone.md'), { root: null }), {
      kind: 'skipped',
      reason: 'unreadable',
    });
  });

  it('may be in another encoding', async () => {
    await disk.write('a/CHANGELOG.md', Buffer.from('## 1.0.0\r\n\r\n- Größe\r\n', 'latin1'));

    const read = await readChangelog(join(disk.root, 'a/CHANGELOG.md'), { root: null });

    assert.equal(read.kind === 'file' && read.file.text, '## 1.0.0\n\n- Größe\n');
  });
});
