// Webhooks are delivered while the main thread of the worker is blocked.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startDelivery } from '../../src/cli/worker.ts';
import { transact } from '../../src/context.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startRegistry } from '../support/registry-process.ts';

// Answers every request, and counts in shared memory that a blocked thread can read.
const RECEIVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const count = new Int32Array(workerData);
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end();
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
// Ends a test that would never end; it is not a condition.
const STUCK_MS = 120_000;

forEachEngine('the delivery thread', (engine) => {
  it('delivers while the thread that started it is held', async (t) => {
    const database = await engine.openTestDatabase();
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.1', REGISTRY_SECRET: '11'.repeat(32) };
    const { ctx } = await engine.openTestApp({ database, env });
    const count = new Int32Array(new SharedArrayBuffer(4));
    const receiver = new Worker(RECEIVER, { eval: true, workerData: count.buffer });
    t.after(() => receiver.terminate());
    const [port] = await once(receiver, 'message');
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    const url = `http://127.0.0.1:${port}/`;
    const { id } = await createSubscription(ctx, { owner: 'operator', input: { orgId: org.id, url } });
    const delivery = startDelivery({
      env: { ...database, ...env, REGISTRY_LOG_LEVEL: 'error' },
      log: pino({ level: 'silent' }),
    });
    await delivery.begun;

    await postReleases(ctx, source.id, [releaseRow('1.0.0')]);
    const woken = Atomics.wait(count, 0, 0, STUCK_MS);
    await delivery.stop('SIGTERM');

    assert.notEqual(woken, 'timed-out');
    assert.equal(Atomics.load(count, 0), 1);
    const attempts = await ctx.store.read
      .selectFrom('webhook_attempts')
      .select('outcome')
      .where('subscription_id', '=', id)
      .execute();
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ['success'],
    );
  });

  it('logs in the format of its process', async () => {
    const database = await engine.openTestDatabase();
    const { ctx } = await engine.openTestApp({ database });
    await transact(ctx, ({ tx }) => sql`DROP TABLE webhook_deliveries`.execute(tx));
    const env = { ...database, REGISTRY_LOG_FORMAT: 'pretty', REGISTRY_LOG_LEVEL: 'error' };
    const registry = startRegistry(['worker', '--no-migrate'], env);

    const printed = await registry.printed(/background pass failed[^\n]*\n/, 'stderr');
    registry.child.kill('SIGTERM');
    await registry.ended;

    assert.match(printed, /^\d\d:\d\d:\d\d ERROR +background pass failed .*loop=/m);
    assert.doesNotMatch(printed, /^\{/m);
  });
});
