import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/context.ts';
import { deleteOrg } from '../../src/entities/orgs/delete.ts';
import { orgDependents } from '../../src/entities/orgs/dependents.ts';
import { deleteProduct } from '../../src/entities/products/delete.ts';
import { deleteSource } from '../../src/entities/sources/delete.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { enqueueDeliveries } from '../../src/webhooks/enqueue.ts';
import { listDeliveries } from '../../src/webhooks/log/deliveries.ts';
import { listEvents } from '../../src/webhooks/log/events.ts';
import { forgetOldDeliveries } from '../../src/webhooks/log/retention.ts';
import { getSubscription } from '../../src/webhooks/subscriptions/list.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { plain } from '../support/named.ts';
import { refused } from '../support/refused.ts';
import { logAttempt, makePlaces, newAccount, openWorld, subscribe, type World } from './fixture.ts';

const DAY = 86_400_000;
const OUTCOMES = ['success', 'retry', 'perm_fail', 'dlq', 'auto_disabled', 'skipped'] as const;

forEachEngine('the log of a webhook', (engine) => {
  let opened: Promise<World> | null = null;
  async function setUp() {
    opened ??= openWorld(engine);
    const world = await opened;
    const places = await makePlaces(world.ctx);
    const me = await newAccount(world.ctx);
    const { id } = await subscribe(me.ctx, { orgId: places.org.id });
    return { ...world, ...places, me: me.ctx, id, owner: accountOwner(me.ctx) };
  }

  it('shows attempts with every field, newest first, narrowed and paged', async () => {
    const { ctx, clock, me, id, owner } = await setUp();
    const made: string[] = [];
    for (const [index, outcome] of OUTCOMES.entries()) {
      clock.move(1000);
      const event_id = `evt_${index % 2}`;
      made.unshift(await logAttempt(ctx, { subscription_id: id, event_id, delivery_id: 'dlv_1', outcome }));
    }
    clock.move(1000);
    const nextAt = new Date(clock().getTime() + 10_000).toISOString();
    const failed = {
      outcome: 'retry',
      http_status: 503,
      error_code: 'http_5xx',
      error_message: 'busy',
      replay: 1,
    } as const;
    const last = { subscription_id: id, event_id: 'evt_9', delivery_id: 'dlv_2', attempt: 2, next_attempt_at: nextAt };
    made.unshift(await logAttempt(ctx, { ...last, ...failed }));

    const list = (more: object = {}) => listDeliveries(me, { id, owner, limit: 20, ...more });
    const { data, rows, pagination } = await list();
    assert.deepEqual([rows, pagination], [7, { nextCursor: null, limit: 20 }]);
    assert.deepEqual(
      data.map((row) => row.id),
      made,
    );
    assert.deepEqual(plain(data[0]), {
      id: made[0],
      delivery_id: 'dlv_2',
      timestamp: clock().toISOString(),
      event_id: 'evt_9',
      outcome: 'retry',
      http_status: 503,
      latency_ms: 12,
      attempt: 2,
      error_code: 'http_5xx',
      error_message: 'busy',
      format: 'json',
      replay: true,
      next_attempt_at: nextAt,
    });
    assert.deepEqual(
      (await list({ failed: true })).data.map((row) => row.outcome),
      ['retry', 'auto_disabled', 'dlq', 'perm_fail', 'retry'],
    );
    assert.equal((await list({ eventId: 'evt_1' })).rows, 3);
    const first = await list({ limit: 4 });
    const second = await list({ limit: 4, cursor: first.pagination.nextCursor });
    assert.deepEqual([...first.data, ...second.data], data);
    assert.equal(second.pagination.nextCursor, null);
    assert.equal((await refused(list({ cursor: 'x' })))?.code, 'invalid_cursor');
    const stranger = await newAccount(ctx);
    const theirs = listDeliveries(stranger.ctx, { id, owner: accountOwner(stranger.ctx), limit: 20 });
    assert.equal((await refused(theirs))?.code, 'not_found');
  });

  it('is read from an index, whatever else is in it', async () => {
    const { ctx, id } = await setUp();
    const plan = await ctx.store.dialect.explain(
      ctx.store.read,
      sql`SELECT * FROM webhook_attempts WHERE subscription_id = ${id} ORDER BY created_at DESC, id DESC LIMIT 20`,
    );
    assert.match(plan, /webhook_attempts_by_subscription/);
    assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b/);
  });

  it('and the events behind it are kept for 90 days', async () => {
    const world = await openWorld(engine);
    const { ctx, clock, source, org } = world;
    const me = await newAccount(ctx);
    const { id } = await subscribe(me.ctx, { orgId: org.id });
    const write = async (version: string, fannedOut = true) => {
      const { insertedIds } = await postReleases(ctx, source.id, [
        releaseRow(version, { url: `https://k.example/${version}` }),
      ]);
      const event = await ctx.store.read
        .selectFrom('events')
        .selectAll()
        .where('release_id', '=', insertedIds[0] ?? '')
        .executeTakeFirstOrThrow();
      const delivery = { eventId: event.id, eventSeq: event.seq, replay: 0, priority: 1 };
      await transact(ctx, async (inner) => {
        const [deliveryId = ''] = await enqueueDeliveries(inner, id, [delivery]);
        await logAttempt(inner, { subscription_id: id, event_id: event.id, delivery_id: deliveryId });
        await inner.tx.updateTable('webhook_deliveries').set({ state: 'done' }).where('id', '=', deliveryId).execute();
        const fanned_out_at = fannedOut ? clock().toISOString() : null;
        await inner.tx.updateTable('events').set({ fanned_out_at }).where('id', '=', event.id).execute();
      });
    };
    await write('1.0.0');
    await write('1.1.0', false);
    clock.move(DAY);
    await write('1.2.0');
    clock.move(89 * DAY);
    assert.equal(await forgetOldDeliveries(ctx), false);
    const counts = async () =>
      Promise.all(
        (['events', 'webhook_deliveries', 'webhook_attempts'] as const).map(
          async (table) => (await ctx.store.read.selectFrom(table).select('id').execute()).length,
        ),
      );
    assert.deepEqual(await counts(), [3, 3, 3]);
    clock.move(1);
    await forgetOldDeliveries(ctx);
    // An event that was never fanned out can still be delivered.
    assert.deepEqual(await counts(), [2, 1, 1]);
  });

  it('events are listed by number, and a gap is said to be one', async () => {
    const { ctx, source } = await openWorld(engine);
    assert.deepEqual(await listEvents(ctx, { limit: 500 }), { events: [], head: 0 });
    const rows = ['1.0.0', '1.1.0', '1.2.0', '1.3.0'].map((version) => releaseRow(version));
    await postReleases(ctx, source.id, rows);
    const read = async (since?: string, limit = 500) => {
      const { events, ...rest } = await listEvents(ctx, { since, limit });
      return { seqs: events.map((event) => event.seq), ...rest };
    };
    assert.deepEqual(await read(), { seqs: [1, 2, 3, 4], head: 4 });
    assert.deepEqual(await read('2'), { seqs: [3, 4], head: 4 });
    assert.deepEqual(await read('0', 1), { seqs: [1], head: 4 });
    assert.deepEqual(await read('9'), { seqs: [], head: 4 });
    const [first] = (await listEvents(ctx, { limit: 1 })).events;
    assert.deepEqual([first?.type, first?.release.title], ['release.created', '1.0.0']);
    await transact(ctx, ({ tx }) => tx.deleteFrom('events').where('seq', '<=', 2).execute());
    assert.deepEqual(await read('1'), { seqs: [3, 4], head: 4, gap: { oldestSeq: 3 } });
    assert.deepEqual(await read('2'), { seqs: [3, 4], head: 4 });
    await transact(ctx, ({ tx }) => tx.deleteFrom('events').execute());
    assert.deepEqual(await read('3'), { seqs: [], head: 4, gap: { oldestSeq: 5 } });
    assert.deepEqual(await read('4'), { seqs: [], head: 4 });
    for (const since of ['-1', 'x', '1.5', '1e3']) assert.equal((await refused(read(since)))?.code, 'bad_request');
  });

  for (const hard of [false, true]) {
    it(`${hard ? 'for good' : 'softly'} deleting what a webhook names ends it`, async () => {
      const { ctx, me, owner, org, source, product, loose } = await setUp();
      const bySource = await subscribe(me, { orgId: org.id, sourceId: source.id });
      const byProduct = await subscribe(me, { orgId: org.id, productId: product.id });
      const byOther = await subscribe(me, { orgId: org.id, sourceId: loose.id });
      const paused = await subscribe(me, { orgId: org.id, sourceId: source.id, enabled: false });
      const follows = await subscribe(me, { scope: 'follows' });
      const state = async ({ id }: { id: string }) => {
        const { enabled, disabledReason } = await getSubscription(me, { id, owner });
        return [enabled, disabledReason];
      };
      const stopped = [false, 'filter target deleted'];
      assert.equal((await orgDependents(ctx, { org: org.id })).counts.webhooks, 5);

      await deleteSource(ctx, { path: { src: source.id }, hard });
      assert.deepEqual(await state(bySource), stopped);
      assert.deepEqual(await state(paused), [false, 'paused by owner']);
      assert.deepEqual(await state(byProduct), [true, null]);
      await deleteProduct(ctx, { path: { prod: product.id }, hard });
      assert.deepEqual(await state(byProduct), stopped);
      assert.deepEqual(await state(byOther), [true, null]);
      await deleteOrg(ctx, { org: org.id, hard });
      for (const { id } of [bySource, byProduct, byOther, paused]) {
        assert.equal((await refused(getSubscription(me, { id, owner })))?.code, 'not_found');
      }
      assert.deepEqual(await state(follows), [true, null]);
    });
  }

  it('a source that is filed elsewhere takes along the webhooks that name it; those that cannot follow say so', async () => {
    const { ctx, me, owner, org, source, product, clock } = await setUp();
    const { org: newOrg, product: newProduct } = await makePlaces(ctx);
    const named = await subscribe(me, { orgId: org.id, sourceId: source.id });
    const paused = await subscribe(me, { orgId: org.id, sourceId: source.id, enabled: false });
    const tied = await subscribe(me, { orgId: org.id, sourceId: source.id, productId: product.id });
    const whole = await subscribe(me, { orgId: org.id });
    const state = async ({ id }: { id: string }) => {
      const { orgId, enabled, disabledReason } = await getSubscription(me, { id, owner });
      return [orgId, enabled, disabledReason];
    };
    const reported = async ({ id }: { id: string }) => {
      const query = ctx.store.read.selectFrom('webhook_deliveries').select('id').where('subscription_id', '=', id);
      return (await query.execute()).length;
    };

    await updateSource(ctx, { src: source.id }, { orgId: newOrg.id, productId: newProduct.id });
    clock.move(1000);
    await postReleases(ctx, source.id, [releaseRow('7.0.0')]);
    await fanOut(ctx);

    assert.deepEqual(await state(named), [newOrg.id, true, null]);
    assert.deepEqual(await state(paused), [newOrg.id, false, 'paused by owner']);
    assert.deepEqual(await state(tied), [org.id, false, 'filter target moved']);
    assert.deepEqual(await state(whole), [org.id, true, null]);
    assert.deepEqual([await reported(named), await reported(tied), await reported(whole)], [1, 0, 0]);

    await updateSource(ctx, { src: source.id }, { orgId: null });
    assert.deepEqual(await state(named), [newOrg.id, false, 'filter target moved']);
  });

  it('a source that leaves a product ends only the webhooks that ask for both', async () => {
    const { ctx, me, owner, org, source, product } = await setUp();
    const both = await subscribe(me, { orgId: org.id, sourceId: source.id, productId: product.id });
    const one = await subscribe(me, { orgId: org.id, sourceId: source.id });
    const reason = async ({ id }: { id: string }) => (await getSubscription(me, { id, owner })).disabledReason;

    await updateSource(ctx, { src: source.id }, { name: 'Renamed' });
    assert.deepEqual([await reason(both), await reason(one)], [null, null]);
    await updateSource(ctx, { src: source.id }, { productId: null });
    assert.deepEqual([await reason(both), await reason(one)], ['filter target moved', null]);
  });
});
