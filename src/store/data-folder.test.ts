import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { prepareDataFolder } from './data-folder.ts';
import { openStore } from './open.ts';

describe('data folder', () => {
  const base = mkdtempSync(join(tmpdir(), 'registry-folder-'));
  after(() => rmSync(base, { recursive: true, force: true }));

  function modeOf(path: string): string {
    return (statSync(path).mode & 0o777).toString(8);
  }

  it('is made for its owner alone, and so are the files of the database', async () => {
    const dataDir = join(base, 'new', 'deep');

    const store = await openStore({
      databaseUrl: null,
      dataDir,
      poolSize: 1,
      statementMs: 0,
      now: () => new Date(),
      onError: () => {},
    });
    await store.migrate();
    const modes = ['registry.db', 'registry.db-wal', 'registry.db-shm'].map((name) => modeOf(join(dataDir, name)));
    await store.close();

    assert.equal(modeOf(dataDir), '700');
    assert.deepEqual(modes, ['600', '600', '600']);
  });

  it('is narrowed when it stands open, with its files, and says so once', () => {
    const dataDir = join(base, 'open');
    mkdirSync(join(dataDir, 'sub'), { recursive: true });
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'registry.db'), '', { mode: 0o644 });
    writeFileSync(join(dataDir, 'root.key'), 'x', { mode: 0o600 });

    const narrowed = prepareDataFolder(dataDir, 'registry.db');

    assert.deepEqual(narrowed, [
      { path: dataDir, from: '0755', to: '0700' },
      { path: join(dataDir, 'registry.db'), from: '0644', to: '0600' },
    ]);
    assert.deepEqual([modeOf(dataDir), modeOf(join(dataDir, 'registry.db'))], ['700', '600']);
    assert.deepEqual(prepareDataFolder(dataDir, 'registry.db'), []);
  });

  it('leaves a folder that everybody shares as it is', () => {
    const dataDir = join(base, 'shared');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o1777);

    assert.deepEqual(prepareDataFolder(dataDir, 'registry.db'), []);
  });

  it('fails at once where no folder can be', () => {
    writeFileSync(join(base, 'file'), '');
    for (const dataDir of ['/proc/registry-data', join(base, 'file', 'below')]) {
      assert.throws(() => prepareDataFolder(dataDir, 'registry.db'), /ENOENT|EACCES|EEXIST|EROFS|EPERM/);
    }
  });
});
