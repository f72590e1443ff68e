// Nothing is lost, whenever a process is killed.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { LEASE_MS } from '../../src/webhooks/delivery/delivery.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { createDelivering } from '../../src/worker/delivering.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, SECRET, type TestEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { attemptsOf } from './delivery-fixture.ts';
import { runFaults } from './faults.ts';
import { startReceiver, startSender } from './sender-process.ts';

async function open(t: TestContext, engine: TestEngine) {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const database = await engine.openTestDatabase();
  const clock = movableClock(new Date().toISOString());
  const allow = { REGISTRY_EGRESS_ALLOW: '127.0.0.1' };
  const { ctx } = await engine.openTestApp({ database, clock, env: allow });
  const { id: orgId } = await createOrg(ctx);
  const { id: sourceId } = await createSource(ctx, { orgId });
  const { id } = await createSubscription(ctx, { owner: 'operator', input: { orgId, url: `${receiver.url}/hook` } });
  clock.move(1000);
  const env = { ...database, ...allow, REGISTRY_SECRET: SECRET };
  const drain = () => createWorker(ctx, { tasks: createDelivering() }).drain();
  return { ctx, clock, env, receiver, sourceId, id, drain };
}

forEachEngine('a killed worker', (engine) => {
  it('between a release and its deliveries: the event is sent', async (t) => {
    const { ctx, env, clock, receiver, sourceId, id, drain } = await open(t, engine);
    const writer = startSender(env, { mode: 'publish', aheadMs: 2000, sourceId });
    await writer.exited;
    clock.move(60_000);

    await drain();

    assert.deepEqual([...receiver.seen.values()], [1, 1]);
    assert.equal((await attemptsOf(ctx, id)).length, 2);
  });

  it('in the middle of making deliveries: each is made once', async (t) => {
    const { ctx, env, clock, receiver, sourceId, id, drain } = await open(t, engine);
    const rows = Array.from({ length: 30 }, (_, index) => releaseRow(`5.${index}.0`));
    await postReleases(ctx, sourceId, rows);
    const worker = startSender(env, { mode: 'fan-out' });
    await worker.exited;
    const written = await ctx.store.read.selectFrom('webhook_deliveries').selectAll().execute();
    assert.equal(written.length, 0, 'its transaction is gone');
    clock.move(60_000);

    // A database server may notice only a little later that its client is dead, and skips what that one has locked.
    for (let tries = 0; tries < 500 && receiver.seen.size === 0; tries += 1) await drain();

    assert.deepEqual([receiver.seen.size, receiver.requests(), (await attemptsOf(ctx, id)).length], [30, 30, 30]);
  });

  it('between the request and its log: it is sent again, with the same number', async (t) => {
    const { ctx, env, clock, receiver, sourceId, id, drain } = await open(t, engine);
    await postReleases(ctx, sourceId, [releaseRow('6.0.0')]);
    const worker = startSender(env);
    receiver.onRequest = () => worker.kill();
    await worker.exited;
    receiver.onRequest = () => {};
    assert.deepEqual([receiver.requests(), (await attemptsOf(ctx, id)).length], [1, 0]);
    clock.move(LEASE_MS + 60_000);

    await drain();

    assert.deepEqual([...receiver.seen.values()], [2]);
    assert.deepEqual(
      (await attemptsOf(ctx, id)).map((row) => [row.attempt, row.outcome]),
      [[1, 'success']],
    );
  });

  it('three of them, again and again, at random: everything arrives', async () => {
    const database = await engine.openTestDatabase();
    const { ctx } = await engine.openTestApp({ database, env: { REGISTRY_EGRESS_ALLOW: '127.0.0.1' } });
    const env = { ...database, REGISTRY_SECRET: SECRET };

    const faults = await runFaults(ctx, { env, deliveries: 200, subscriptions: 10, rounds: 1, seed: 7 });

    const { lost, stuck, kills, repeats } = faults;
    assert.deepEqual({ lost, stuck, kills }, { lost: 0, stuck: 0, kills: 3 });
    // The limit is what a worker can have in flight to this receiver, for each killed one.
    assert.ok(repeats <= kills * 8 * 2, `${repeats} came again`);
  });
});
