import assert from 'node:assert/strict';
import { it } from 'node:test';
import { consumeSharedLimit, purgeEndedLimits } from '../../src/accounts/limits.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';

forEachEngine('shared limits', (engine) => {
  it('let through exactly the quota, over two processes and callers at once, until the window ends', async () => {
    const clock = movableClock('2026-01-01T00:00:00.000Z');
    const database = await engine.openTestDatabase();
    const apps = [await engine.openTestApp({ database, clock }), await engine.openTestApp({ database, clock })];
    const limit = { key: 'feedback:127.0.0.1', limit: 5, windowSeconds: 60 };
    const consume = (index: number) => consumeSharedLimit((apps[index % 2] as (typeof apps)[0]).ctx, limit);

    const first = await Promise.all(Array.from({ length: 12 }, (_, index) => consume(index)));
    assert.equal(first.filter((answer) => answer.allowed).length, 5);

    clock.move(59_000);
    assert.deepEqual(await consume(0), { allowed: false, left: 0, seconds: 1 });
    clock.move(1_000);
    assert.deepEqual(await consume(1), { allowed: true, left: 4, seconds: 60 });

    clock.move(60_000);
    const [app] = apps;
    if (app) await purgeEndedLimits(app.ctx);
    assert.deepEqual(await app?.ctx.store.read.selectFrom('limits').selectAll().execute(), []);
  });
});
