// Commands that read a registry and end: they leave nothing behind them, neither on standard error nor where nothing was.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { forEachEngine, ROOT_KEY, SECRET } from '../support/engines.ts';
import { startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const SETTINGS = {
  REGISTRY_ROOT_KEY: ROOT_KEY,
  REGISTRY_SECRET: SECRET,
  REGISTRY_EMBEDDER: 'off',
  REGISTRY_LOG_LEVEL: 'warn',
};

forEachEngine('commands that end', (engine) => {
  let folder: string;
  before(async () => {
    folder = await scratchFolder('registry-ends-');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('backup, restore and export say nothing after their result', async () => {
    const filled = { ...SETTINGS, ...(await engine.openTestDatabase()) };
    const empty = { ...SETTINGS, ...(await engine.openTestDatabase({ migrated: false })) };
    const [saved, exported] = await Promise.all([
      startRegistry(['backup', folder], filled).ended,
      startRegistry(['export', join(folder, 'all.ndjson')], filled).ended,
    ]);
    const file = /backup\t(\S+)\t/.exec(saved.stdout)?.[1] ?? '';
    const restored = await startRegistry(['restore', file], empty).ended;
    for (const { code, stderr } of [saved, exported, restored]) {
      // An export tells how far it is.
      assert.deepEqual([code, stderr.replace(/^records: .*\n/gm, '')], [0, '']);
    }
  });

  it('a backup of nothing makes nothing', async () => {
    const data = engine.name === 'sqlite' ? { REGISTRY_DATA_DIR: join(folder, 'data') } : null;
    const nothing = data ?? (await engine.openTestDatabase({ migrated: false }));
    const args = ['backup', join(folder, 'backups')];
    const { code, stderr } = await startRegistry(args, { ...SETTINGS, ...nothing }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^registry: there is no registry in /);
    assert.equal(existsSync(join(folder, 'backups')), false);
    if (data) assert.equal(existsSync(data.REGISTRY_DATA_DIR), false);
  });
});
