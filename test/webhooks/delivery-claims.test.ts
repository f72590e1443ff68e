// The order and concurrency of deliveries. Requests are held, so that a test sees exactly what is in flight.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { transact } from '../../src/context.ts';
import { newId } from '../../src/domain/ids.ts';
import { createFakeTimers } from '../../src/net/fake-timers.fixture.ts';
import type { Lookup } from '../../src/net/resolve.ts';
import { insertMany } from '../../src/store/insert-many.ts';
import type { WebhookSubscriptionRow } from '../../src/store/schema/webhooks.ts';
import { firstOf, inTurn, leasedOf } from '../../src/webhooks/delivery/choose.ts';
import { createDeliveryEngine, nextSubscriptions } from '../../src/webhooks/delivery/engine.ts';
import { createSlots } from '../../src/webhooks/delivery/slots.ts';
import { replayRange } from '../../src/webhooks/replay/range.ts';
import { sendTest } from '../../src/webhooks/test-event.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import {
  attemptsOf,
  type Delivering,
  deliveriesOf,
  NEVER,
  openDelivering,
  publish,
  subscribeTo,
} from './delivery-fixture.ts';
import { storedRow } from './fixture.ts';
import { createHeldFetch } from './held-fetch.ts';

const LOOK_AGAIN_MS = 250;

const everywhere: Lookup = async (_, family) => (family === 4 ? ['93.184.216.34'] : []);

async function open(t: TestContext, engine: TestEngine) {
  const held = createHeldFetch();
  const timers = createFakeTimers();
  const env = { REGISTRY_WEBHOOK_RATE: '0' };
  const delivering = await openDelivering(t, engine, { fetch: held.fetch, lookup: everywhere, env });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const newEngine = () => createDeliveryEngine({ timers });
  const start = (one = newEngine()) => one.run(delivering.ctx, stop.signal);
  return { ...delivering, ...held, timers, stop, newEngine, start };
}

// Subscriptions to different hosts, without keys, because the content does not matter here.
async function subscribeMany(
  delivering: Delivering,
  { name, count, ...more }: { name: string; count: number } & Partial<WebhookSubscriptionRow>,
): Promise<string[]> {
  const { ctx } = delivering;
  const model = await storedRow(ctx, await subscribeTo(delivering, '', { url: 'https://model.example/' }));
  const rows = Array.from({ length: count }, (_, index) => ({
    ...model,
    id: newId('whk', ctx.randomBytes),
    url: `https://${name}-${index}.example/`,
    target: `${name}-${index}.example:443`,
    format: 'slack' as const,
    signing_key: null,
    ...more,
  }));
  await transact(
    ctx,
    async ({ tx }) => {
      await tx.deleteFrom('webhook_subscriptions').where('id', '=', model.id).execute();
      await insertMany(tx, 'webhook_subscriptions', rows);
    },
    'bookkeeping',
  );
  return rows.map(({ id }) => id);
}

async function otherOrg(delivering: Delivering): Promise<Delivering> {
  const { id: orgId } = await createOrg(delivering.ctx);
  const { id: sourceId } = await createSource(delivering.ctx, { orgId });
  return { ...delivering, orgId, sourceId };
}

forEachEngine('fairness', (engine) => {
  for (const [name, answersFirst, inFlight] of [
    ['from the start', false, 100],
    ['after having answered', true, 400],
  ] as const) {
    it(`a healthy endpoint is served at the next look, although 100 others hang ${name}`, async (t) => {
      const all = await open(t, engine);
      await subscribeMany(all, { name: 'hanging', count: 100 });
      await publish(all, 6);
      const healthy = await otherOrg(all);
      await subscribeTo(healthy, '', { url: 'https://healthy.example/' });
      const ended = all.start();
      await all.holds(100);
      if (answersFirst) for (const request of [...all.held]) request.answer(200);
      await all.holds(inFlight);

      await publish(healthy);
      await all.timers.set(LOOK_AGAIN_MS);
      all.timers.advance(LOOK_AGAIN_MS);
      await all.holds(inFlight + 1);
      assert.equal(all.held.at(-1)?.url, 'https://healthy.example/');

      // Deliveries that timed out are retried one at a time.
      all.held.at(-1)?.answer(200);
      for (const request of [...all.held]) request.timeOut();
      await all.holds(Math.min(100, inFlight));
      await publish(healthy);
      await all.timers.set(LOOK_AGAIN_MS);
      all.timers.advance(LOOK_AGAIN_MS);
      await all.holds(101);
      assert.equal(all.held.at(-1)?.url, 'https://healthy.example/');
      all.stop.abort();
      await all.timers.set(8_500);
      all.timers.advance(8_500);
      await ended;
    });
  }

  it('all that fail together take half of the places', async (t) => {
    const all = await open(t, engine);
    const streak = { failure_streak_started_at: all.clock().toISOString(), consecutive_failures: 1 };
    await subscribeMany(all, { name: 'failing', count: 260, ...streak });
    await publish(all, 2);
    const ended = all.start();

    await all.holds(256);
    await all.timers.set(LOOK_AGAIN_MS);
    all.timers.advance(LOOK_AGAIN_MS);
    await all.timers.set(LOOK_AGAIN_MS);
    assert.equal(all.held.length, 256);

    all.stop.abort();
    await all.timers.set(8_500);
    all.timers.advance(8_500);
    await ended;
  });

  it('subscriptions take turns, and a long backlog delays no other', async (t) => {
    const all = await open(t, engine);
    await subscribeMany(all, { name: 'busy', count: 3 });
    await publish(all, 4);
    const slots = createSlots();
    const places = slots.plan().free();
    const full = { id: 'x', target: 'y', format: 'slack', failure_streak_started_at: null } as const;
    // All slots but one are taken, so that each claim serves one subscription.
    for (let place = 1; place < places; place += 1) slots.take({ ...full, target: String(place) });
    const ended = createDeliveryEngine({ timers: all.timers, slots }).run(all.ctx, all.stop.signal);

    const served: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await all.holds(1);
      served.push(all.held[0]?.url ?? '');
      all.held[0]?.answer(200);
    }

    assert.equal(new Set(served.slice(0, 3)).size, 3);
    assert.deepEqual(served.slice(3), served.slice(0, 3), 'round after round');
    await all.holds(1);
    all.stop.abort();
    await all.timers.set(8_500);
    all.timers.advance(8_500);
    await ended;
  });

  it('tests go before live ones, and those before replays', async (t) => {
    const all = await open(t, engine);
    const id = await subscribeTo(all, '', { url: 'https://one.example/' });
    await publish(all, 2);
    await replayRange(all.ctx, { id, owner: 'operator', range: { since: '2026-01-01' } });
    const { eventId } = await sendTest(all.ctx, { id, owner: 'operator' });
    const ended = all.start();

    while (all.all.length < 5 || all.held.length > 0) {
      all.held[0]?.answer(200);
      await breathe();
    }
    await ended;

    const rows = await deliveriesOf(all.ctx, id);
    const replays = new Set(rows.filter((row) => row.replay > 0).map((row) => row.event_id));
    assert.equal(all.all[0]?.eventId, eventId);
    assert.deepEqual(
      all.all.slice(1).map((request) => request.eventId),
      [...rows.filter((row) => row.replay === 0 && row.priority === 1), ...rows.filter((row) => row.replay > 0)].map(
        (row) => row.event_id,
      ),
    );
    assert.equal(replays.size, 2);
  });
});

forEachEngine('limits in flight', (engine) => {
  it('one for an endpoint that nobody has seen answering, four afterwards, over all processes', async (t) => {
    const all = await open(t, engine);
    const id = await subscribeTo(all, '', { url: 'https://one.example/' });
    await publish(all, 20);
    const ended = [all.start(), all.start()];
    await all.holds(1);
    all.held[0]?.answer(200);
    await all.holds(4);
    for (let look = 0; look < 3; look += 1) {
      await all.timers.set(LOOK_AGAIN_MS);
      all.timers.advance(LOOK_AGAIN_MS);
    }
    assert.equal(all.held.length, 4);
    const leased = (await deliveriesOf(all.ctx, id)).filter((row) => row.lease_until !== null);
    assert.equal(leased.length, 4);

    while (all.all.length < 20 || all.held.length > 0) {
      assert.ok(all.held.length <= 4);
      all.held[0]?.answer(200);
      await breathe();
      all.timers.advance(LOOK_AGAIN_MS);
    }
    await Promise.all(ended);
    assert.equal((await attemptsOf(all.ctx, id)).length, 20);
  });

  for (const [name, limit, url] of [
    ['eight to one receiver', 8, (index: number) => `https://one.example/${index}`],
    ['more to one port', 16, (index: number) => `https://one.example:${8000 + (index % 2)}/${index}`],
    ['thirty-two to a chat service', 32, (index: number) => `https://hooks.slack.com/services/${index}`],
  ] as const) {
    it(name, async (t) => {
      const all = await open(t, engine);
      const format = url(0).includes('slack') ? 'slack' : 'json';
      for (let index = 0; index < limit + 4; index += 1) await subscribeTo(all, '', { url: url(index), format });
      await publish(all);
      const ended = all.start();
      await all.holds(limit);
      await all.timers.set(LOOK_AGAIN_MS);
      all.timers.advance(LOOK_AGAIN_MS);
      await all.timers.set(LOOK_AGAIN_MS);
      assert.equal(all.held.length, limit);

      while (all.all.length < limit + 4 || all.held.length > 0) {
        all.held[0]?.answer(200);
        await breathe();
      }
      await ended;
    });
  }
});

forEachEngine('leases', (engine) => {
  it('work of a process that is gone is done again with the same number, and its late news is not believed', async (t) => {
    const all = await open(t, engine);
    const id = await subscribeTo(all, '', { url: 'https://one.example/' });
    await publish(all);
    const lost = all.start();
    await all.holds(1);

    all.clock.move(59_999);
    const other = all.newEngine();
    await other.run(all.ctx, NEVER);
    assert.equal(all.held.length, 1, 'the lease holds');

    all.clock.move(1);
    const ended = other.run(all.ctx, NEVER);
    await all.holds(2);
    all.held[0]?.answer(500);
    await lost;
    assert.deepEqual(await attemptsOf(all.ctx, id), []);
    all.held[0]?.answer(200);
    await ended;

    assert.deepEqual(
      (await attemptsOf(all.ctx, id)).map((row) => [row.attempt, row.outcome]),
      [[1, 'success']],
    );
    assert.equal(new Set(all.all.map((request) => request.eventId)).size, 1);
  });

  it('a worker that stops claims nothing more, waits for answers, and hands back what does not end', async (t) => {
    const all = await open(t, engine);
    const ids = await subscribeMany(all, { name: 'slow', count: 2 });
    await publish(all, 3);
    const ended = all.start();
    await all.holds(2);

    all.stop.abort();
    await all.timers.set(8_500);
    all.held[0]?.answer(200);
    await all.holds(1);
    all.timers.advance(8_500);
    await ended;

    assert.equal(all.all.length, 2);
    const outcomes = await Promise.all(ids.map((id) => attemptsOf(all.ctx, id)));
    assert.deepEqual(
      outcomes.flat().map((row) => row.outcome),
      ['success'],
    );
    const rows = (await Promise.all(ids.map((id) => deliveriesOf(all.ctx, id)))).flat();
    assert.deepEqual(
      rows.filter((row) => row.state === 'pending').map((row) => [row.attempt, row.lease_until]),
      Array.from({ length: 5 }, () => [1, null]),
    );
    const next = all.newEngine().run(all.ctx, NEVER);
    while (all.all.length < 7 || all.held.length > 0) {
      all.held[0]?.answer(200);
      await breathe();
    }
    await next;
  });

  it('a database that fails for a moment: what was answered is written later, and not sent again', async (t) => {
    const all = await open(t, engine);
    const { ctx, held, holds } = all;
    const id = await subscribeTo(all, '', { url: 'https://one.example/' });
    await publish(all);
    let broken = false;
    const transaction: typeof ctx.store.transaction = (work, kind) =>
      broken ? Promise.reject(new Error('gone away')) : ctx.store.transaction(work, kind);
    const shaky = { ...ctx, store: { ...ctx.store, transaction } };
    const worker = all.newEngine();
    const failed = worker.run(shaky, NEVER);
    await holds(1);
    broken = true;
    held[0]?.answer(200);
    await assert.rejects(failed, /gone away/);
    assert.deepEqual(await attemptsOf(ctx, id), []);

    broken = false;
    await worker.run(shaky, NEVER);

    assert.deepEqual(
      (await attemptsOf(ctx, id)).map((row) => row.outcome),
      ['success'],
    );
    assert.equal(all.all.length, 1);
  });

  it('several workers send each delivery once', async (t) => {
    const all = await open(t, engine);
    await subscribeMany(all, { name: 'many', count: 10 });
    await publish(all, 20);
    const ended = [all.start(), all.start(), all.start()];
    while (all.all.length < 200 || all.held.length > 0) {
      for (const request of [...all.held]) request.answer(200);
      await breathe();
      all.timers.advance(LOOK_AGAIN_MS);
    }
    await Promise.all(ended);
    assert.equal(new Set(all.all.map(({ url, eventId }) => `${url} ${eventId}`)).size, 200);
    assert.equal(all.all.length, 200);
  });
});

forEachEngine('the queries of a claim', (engine) => {
  it('walk their indexes and sort nothing', async (t) => {
    const all = await open(t, engine);
    const { ctx } = all;
    const [id = ''] = await subscribeMany(all, { name: 'planned', count: 3000 });
    await publish(all, 2);
    await transact(ctx, ({ tx }) => sql`ANALYZE`.execute(tx), 'bookkeeping');
    const read = { store: { ...ctx.store, dialect: { ...ctx.store.dialect, skipLocked: sql`` } } };
    const plan = createSlots().plan();
    for (const [index, query] of [
      ['webhook_subscriptions_waiting', nextSubscriptions(read, plan, ctx.clock().toISOString())],
      ['webhook_deliveries_waiting', inTurn(5).of(sql`${id}`)],
      ['webhook_deliveries_waiting', firstOf(1, 5).of(sql`${id}`)],
      ['webhook_deliveries_leased', leasedOf([id])],
    ] as const) {
      const reported = await ctx.store.dialect.explain(ctx.store.read, query);
      assert.match(reported, new RegExp(`\\b${index}\\b`), reported);
      assert.doesNotMatch(reported, /TEMP B-TREE|\bSort\b|Seq Scan|SCAN webhook_deliveries/, reported);
    }
  });
});
