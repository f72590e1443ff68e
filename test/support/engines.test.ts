import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from './engines.ts';

forEachEngine('test apps', (engine) => {
  it('are migrated and empty', async () => {
    const { ctx } = await engine.openTestApp();

    const orgs = await ctx.store.read.selectFrom('orgs').selectAll().execute();

    assert.deepEqual(await ctx.store.migrationsPending(), []);
    assert.deepEqual(orgs, []);
    assert.equal(ctx.store.dialect.name, engine.name);
  });

  it('share nothing', async () => {
    const [one, other] = [await engine.openTestApp(), await engine.openTestApp()];

    await one.ctx.store.transaction(
      (tx) => tx.insertInto('limits').values({ key: 'k', count: 1, window_ends_at: 'x' }).execute(),
      'bookkeeping',
    );

    assert.equal((await other.ctx.store.read.selectFrom('limits').selectAll().execute()).length, 0);
  });

  it('take a clock of their own', async () => {
    const { ctx } = await engine.openTestApp({ clock: () => new Date('2026-01-02T03:04:05.000Z') });

    assert.equal(ctx.clock().toISOString(), '2026-01-02T03:04:05.000Z');
  });
});
