import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { toJson } from './json-text.ts';
import { findSetting, readSetting, writeSetting, writeSettingOnce } from './settings.ts';

forEachEngine('settings', (engine) => {
  it('are written, replaced and read by their key', async () => {
    const { ctx } = await engine.openTestApp();
    const setting = { key: 'walk', value: toJson({ seq: 4 }), updated_at: 'first' };

    await ctx.store.transaction((tx) => writeSetting(tx, setting), 'bookkeeping');
    assert.deepEqual(await readSetting(ctx.store.read, 'walk'), { seq: 4 });

    const later = { ...setting, value: toJson({ seq: 9 }), updated_at: 'second' };
    await ctx.store.transaction((tx) => writeSetting(tx, later), 'bookkeeping');
    assert.deepEqual({ ...(await findSetting(ctx.store.read, 'walk')) }, later);
    assert.equal(await readSetting(ctx.store.read, 'another'), null);
  });

  it('written once, the first value stays', async () => {
    const { ctx } = await engine.openTestApp();
    for (const value of ['first', 'second']) {
      const setting = { key: 'name', value: toJson(value), updated_at: value };
      await ctx.store.transaction((tx) => writeSettingOnce(tx, setting), 'bookkeeping');
    }

    assert.equal(await readSetting(ctx.store.read, 'name'), 'first');
  });
});
