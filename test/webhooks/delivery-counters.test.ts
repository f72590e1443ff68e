// How failures are counted, and that a subscription is disabled exactly once.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDeliveryEngine } from '../../src/webhooks/delivery/engine.ts';
import type { DisabledSubscription } from '../../src/webhooks/delivery/notify-owner.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { attemptsOf, NEVER, openDelivering, publish, send, subscribeTo } from './delivery-fixture.ts';
import { newAccount, setRow, storedRow, subscribe } from './fixture.ts';

const HOUR = 3_600_000;

forEachEngine('counters', (engine) => {
  it('one event that fails again and again counts once; others add to it; a success ends it', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, clock, world } = delivering;
    world.route('/hook', { status: 500 });
    const id = await subscribeTo(delivering, '/hook');
    const counts = async () => {
      const row = await storedRow(ctx, id);
      return [row.consecutive_failures, row.consecutive_lost_events, row.failure_streak_started_at];
    };
    const began = clock().toISOString();
    await publish(delivering);
    await send(delivering);
    clock.move(11_000);
    await send(delivering);
    assert.deepEqual(await counts(), [1, 0, began]);

    await publish(delivering);
    await send(delivering);
    assert.deepEqual(await counts(), [2, 0, began]);

    world.route('/hook', { status: 400 });
    await publish(delivering);
    await send(delivering);
    assert.deepEqual(await counts(), [3, 1, began]);

    world.route('/hook', { status: 200 });
    await publish(delivering);
    await send(delivering);
    assert.deepEqual(await counts(), [0, 0, null]);
  });

  it('ten lost events disable an account’s own, once, although two workers send them at the same time', async (t) => {
    const database = await engine.openTestDatabase();
    const delivering = await openDelivering(t, engine, { database });
    const { ctx, world, clock } = delivering;
    const { userId, ctx: mine } = await newAccount(ctx);
    world.route('/hook', { status: 404 });
    const { id } = await subscribe(mine, { orgId: delivering.orgId, url: `${world.url}/hook` });
    await publish(delivering, 30);
    const env = { REGISTRY_EGRESS_ALLOW: '127.0.0.1' };
    const other = await engine.openTestApp({ database, clock, env });
    const reported: DisabledSubscription[] = [];
    const tell = {
      onSettled: (_: unknown, { disabled }: { disabled: DisabledSubscription[] }) => void reported.push(...disabled),
    };

    await Promise.all([ctx, as(other.ctx, 'admin')].map((context) => createDeliveryEngine(tell).run(context, NEVER)));

    const rows = await attemptsOf(ctx, id);
    const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
    const lost = count('perm_fail');
    assert.equal(count('auto_disabled'), 1);
    assert.ok(lost >= 10 && lost <= 13, `${lost} were sent`);
    assert.equal(lost + count('skipped'), 30);
    const row = await storedRow(ctx, id);
    assert.deepEqual([row.enabled, row.disabled_reason], [0, 'auto-disabled after 10 consecutive lost events']);
    assert.deepEqual(
      reported.map(({ subscription, reason }) => [subscription.user_id, reason]),
      [[userId, 'auto-disabled after 10 consecutive lost events']],
    );
    const [disabling] = rows.filter((one) => one.outcome === 'auto_disabled');
    assert.deepEqual([disabling?.error_code, disabling?.error_message], ['lost_events', row.disabled_reason]);
  });

  it('an operator’s own is more patient', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    world.route('/hook', { status: 404 });
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering, 49);
    await send(delivering);
    assert.deepEqual([(await storedRow(ctx, id)).enabled, (await storedRow(ctx, id)).consecutive_lost_events], [1, 49]);

    await publish(delivering);
    await send(delivering);
    assert.equal((await storedRow(ctx, id)).disabled_reason, 'auto-disabled after 50 consecutive lost events');
  });

  it('two days of failures disable an account’s own', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world, clock } = delivering;
    const { ctx: mine } = await newAccount(ctx);
    world.route('/hook', { status: 500 });
    const { id } = await subscribe(mine, { orgId: delivering.orgId, url: `${world.url}/hook` });
    await publish(delivering, 2);
    await send(delivering);
    const began = new Date(clock().getTime() - 48 * HOUR).toISOString();
    await setRow(ctx, id, { failure_streak_started_at: began });
    clock.move(11_000);
    await send(delivering);
    assert.equal((await storedRow(ctx, id)).enabled, 1, 'two events are too few');

    await publish(delivering);
    await send(delivering);

    const row = await storedRow(ctx, id);
    assert.equal(row.disabled_reason, 'auto-disabled after 3 failing events over 48 hours');
    const [last] = (await attemptsOf(ctx, id)).filter((one) => one.outcome === 'auto_disabled');
    assert.equal(last?.error_code, 'failing_events');
  });
});
