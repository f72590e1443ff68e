// When a failed delivery is retried, with a clock that the test moves and a receiver that changes its responses.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { updateSubscription } from '../../src/webhooks/subscriptions/update.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  attemptsOf,
  type Delivering,
  deliveriesOf,
  openDelivering,
  publish,
  send,
  subscribeTo,
} from './delivery-fixture.ts';
import { storedRow } from './fixture.ts';

const SECOND = 1000;
const HOUR = 3_600_000;
const WAITS = [10, 60, 300, 1800, 7200, 28_800].map((seconds) => seconds * SECOND);

// Bytes of 0 draw the shortest delay, bytes of 255 the longest; ids still have to differ.
function draws(byte: number): (size: number) => Uint8Array {
  let drawn = 0;
  return (size) => {
    drawn += 1;
    if (size === 2) return new Uint8Array([byte, byte]);
    return Uint8Array.from({ length: size }, (_, index) => (drawn >> (index % 4)) + index);
  };
}

async function waitOf(ctx: Context, id: string): Promise<number> {
  const [delivery] = await deliveriesOf(ctx, id);
  return Date.parse(delivery?.due_at ?? '') - ctx.clock().getTime();
}

async function fail({ ctx, clock, ...delivering }: Delivering, id: string): Promise<number> {
  await send({ ctx, ...delivering });
  const wait = await waitOf(ctx, id);
  clock.move(wait);
  return wait;
}

forEachEngine('the schedule', (engine) => {
  for (const [name, byte, factor] of [
    ['the shortest waits', 0, 0.9],
    ['the longest waits', 255, 1.1],
  ] as const) {
    it(`${name}: seven attempts, then the dead-letter list`, async (t) => {
      const delivering = await openDelivering(t, engine, { randomBytes: draws(byte) });
      const { ctx, world } = delivering;
      world.route('/hook', { status: 500 });
      const id = await subscribeTo(delivering, '/hook');
      await publish(delivering);

      for (const planned of WAITS) {
        const wait = await fail(delivering, id);
        assert.ok(Math.abs(wait - planned * factor) <= planned * 0.0001, `${wait} is about ${planned} × ${factor}`);
      }
      await send(delivering);

      const rows = await attemptsOf(ctx, id);
      assert.deepEqual(
        rows.map((row) => [row.attempt, row.outcome, row.next_attempt_at === null]),
        [...WAITS.map((_, index) => [index + 1, 'retry', false]), [7, 'dlq', true]],
      );
      const [delivery] = await deliveriesOf(ctx, id);
      assert.deepEqual([delivery?.state, delivery?.dead_at], ['done', ctx.clock().toISOString()]);
      assert.equal(new Set(world.requests.map(({ headers }) => headers['x-service-event-id'])).size, 1);
      const stamps = world.requests.map(({ headers }) => headers['x-service-timestamp']);
      assert.equal(new Set(stamps).size, 7, 'each attempt is signed with its own time');
    });
  }

  it('nothing is sent before its time', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, clock, world } = delivering;
    world.route('/hook', { status: 500 });
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering);
    await send(delivering);

    clock.move((await waitOf(ctx, id)) - 1);
    await send(delivering);
    assert.equal(world.requests.length, 1);

    clock.move(1);
    await send(delivering);
    assert.equal(world.requests.length, 2);
  });

  it('a receiver that recovers gets it, and the counters fall', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    world.route('/hook', { status: 503, body: 'deploying' });
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering);
    await fail(delivering, id);
    await fail(delivering, id);
    const failing = await storedRow(ctx, id);
    assert.deepEqual(
      [failing.consecutive_failures, failing.consecutive_lost_events, failing.last_error_msg],
      [1, 0, 'deploying'],
    );
    assert.ok(failing.failure_streak_started_at);

    world.route('/hook', { status: 202 });
    await send(delivering);

    const rows = await attemptsOf(ctx, id);
    assert.deepEqual(
      rows.map((row) => [row.attempt, row.outcome]),
      [
        [1, 'retry'],
        [2, 'retry'],
        [3, 'success'],
      ],
    );
    const healed = await storedRow(ctx, id);
    assert.deepEqual([healed.consecutive_failures, healed.failure_streak_started_at], [0, null]);
    assert.deepEqual(
      [healed.last_success_at, healed.last_error_msg, healed.next_due_at],
      [ctx.clock().toISOString(), 'deploying', null],
    );
  });

  it('Retry-After makes the wait longer, an hour at most, and never shorter', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    const planned = [9 * SECOND, 11 * SECOND] as const;
    const cases = [
      ['40', 40 * SECOND, 40 * SECOND],
      ['Sun, 01 Mar 2026 12:02:00 GMT', 120 * SECOND, 120 * SECOND],
      ['86400', HOUR, HOUR],
      ['3', ...planned],
      ['Sun, 01 Mar 2026 11:00:00 GMT', ...planned],
      ['-30', ...planned],
      ['soon', ...planned],
    ] as const;
    const ids: string[] = [];
    for (const [index, [header]] of cases.entries()) {
      world.route(`/${index}`, { status: index % 2 ? 429 : 503, headers: { 'retry-after': header } });
      ids.push(await subscribeTo(delivering, `/${index}`));
    }
    await publish(delivering);

    await send(delivering);

    for (const [index, [header, least, most]] of cases.entries()) {
      const wait = await waitOf(ctx, ids[index] ?? '');
      assert.ok(wait >= least && wait <= most, `${header}: ${wait} ms`);
    }
  });

  it('address and format are those of the moment, for retries too', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world } = delivering;
    world.route('/old', { status: 500 });
    world.route('/new', { status: 200 });
    const id = await subscribeTo(delivering, '/old');
    await publish(delivering);
    await fail(delivering, id);

    await updateSubscription(ctx, { id, owner: 'operator', change: { url: `${world.url}/new` } });
    await send(delivering);

    assert.deepEqual([world.requested('/old').length, world.requested('/new').length], [1, 1]);
  });

  it('the throttle makes the rest wait for the next minute, without using an attempt', async (t) => {
    const delivering = await openDelivering(t, engine, { env: { REGISTRY_WEBHOOK_RATE: '3' } });
    const { ctx, clock, world } = delivering;
    world.route('/hook', { status: 204 });
    const id = await subscribeTo(delivering, '/hook');
    await publish(delivering, 8);

    const sent: number[] = [];
    for (const wait of [0, 59_999, 1, 60_000]) {
      clock.move(wait);
      await send(delivering);
      sent.push(world.requests.length);
    }

    assert.deepEqual(sent, [3, 3, 6, 8]);
    const rows = await attemptsOf(ctx, id);
    assert.deepEqual(new Set(rows.map((row) => `${row.outcome} ${row.attempt}`)), new Set(['success 1']));
  });
});
