import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import { LISTENER_NAME } from './data-version.ts';

forEachEngine('the data version', (engine) => {
  it('stands still while nothing is written, and moves with every commit', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    const before = [store.dataVersion(), store.dataVersion()];
    await store.transaction(async () => {}, 'catalog');

    assert.equal(before[0], before[1]);
    assert.notEqual(store.dataVersion(), before[0]);
  });

  if (engine.name !== 'postgres') return;

  it('counts for nothing while the connection that listens is lost, and is exact again afterwards', async () => {
    const database = await engine.openTestDatabase();
    const [one, other] = [await engine.openTestApp({ database }), await engine.openTestApp({ database })];
    const known = one.ctx.store.dataVersion();
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${LISTENER_NAME}`.execute(other.ctx.store.read);
    while (one.ctx.store.dataVersion() === known) await setImmediate();

    const [first, second] = [one.ctx.store.dataVersion(), one.ctx.store.dataVersion()];
    await other.ctx.store.transaction(async () => {}, 'catalog');
    while (one.ctx.store.dataVersion() < 0) await setImmediate();

    assert.notEqual(first, second, 'no cached answer can count');
    assert.equal(one.ctx.store.dataVersion(), known + 1);
  });
});
