import assert from 'node:assert/strict';
import { it } from 'node:test';
import { transact } from '../../src/context.ts';
import type { DeliveryRow, WebhookCreation } from '../../src/contract/webhooks.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import type { WebhookDeliveryRow } from '../../src/store/schema/webhooks.ts';
import { enqueueDeliveries } from '../../src/webhooks/enqueue.ts';
import { listDeadLetters, removeDeadLetter } from '../../src/webhooks/log/dead-letters.ts';
import { replayDeadLetter, replayDelivery } from '../../src/webhooks/replay/one.ts';
import { replayRange } from '../../src/webhooks/replay/range.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { sendTest } from '../../src/webhooks/test-event.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { atOnce } from '../support/named.ts';
import { refused } from '../support/refused.ts';
import { logAttempt, makePlaces, newAccount, openWorld, setRow, storedRow, subscribe, type World } from './fixture.ts';

const DAY = 86_400_000;

forEachEngine('sending again', (engine) => {
  let opened: Promise<World> | null = null;
  async function setUp(input: Partial<WebhookCreation> = {}) {
    opened ??= openWorld(engine);
    const world = await opened;
    world.clock.move(1000);
    const { ctx } = world;
    const places = await makePlaces(ctx);
    const me = await newAccount(ctx);
    const { id } = await subscribe(me.ctx, { orgId: places.org.id, ...input });
    const which = { id, owner: accountOwner(me.ctx) };
    const announce = async (...versions: string[]) => {
      const rows = versions.map((version) => releaseRow(version, { url: `https://r.example/${id}/${version}` }));
      const { insertedIds } = await postReleases(ctx, places.source.id, rows);
      const events = await ctx.store.read
        .selectFrom('events')
        .selectAll()
        .where('release_id', 'in', insertedIds)
        .execute();
      return events.toSorted((a, b) => a.seq - b.seq);
    };
    const live = async (event: { id: string; seq: number }) => {
      const delivery = { eventId: event.id, eventSeq: event.seq, replay: 0, priority: 1 };
      const [deliveryId = ''] = await transact(ctx, (inner) => enqueueDeliveries(inner, id, [delivery]));
      return deliveryId;
    };
    const set = (deliveryId: string, values: Partial<WebhookDeliveryRow>) =>
      transact(ctx, ({ tx }) =>
        tx.updateTable('webhook_deliveries').set(values).where('id', '=', deliveryId).execute(),
      );
    const deliveries = () =>
      ctx.store.read
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('subscription_id', '=', id)
        .orderBy('event_seq')
        .orderBy('replay')
        .execute();
    const range = (since: string, more: { until?: string; only?: 'all' | 'failed' } = {}) =>
      replayRange(me.ctx, { ...which, range: { since, ...more } });
    return { ...world, ...places, me: me.ctx, ...which, which, announce, live, set, deliveries, range };
  }

  it('queues the same event under a new delivery, at once and behind live ones', async () => {
    const here = await setUp();
    const [event] = await here.announce('1.0.0');
    assert.ok(event);
    const deliveryId = await here.live(event);
    await here.set(deliveryId, { state: 'done', attempt: 7 });
    await setRow(here.ctx, here.id, { next_due_at: null });
    const first = await replayDelivery(here.me, { ...here.which, deliveryId });
    const second = await replayDelivery(here.me, { ...here.which, deliveryId: first.deliveryId });
    assert.equal(first.eventId, event.id);
    assert.match(first.deliveryId, /^dlv_[0-9A-Za-z]{21}$/);
    const at = here.clock().toISOString();
    assert.deepEqual(
      (await here.deliveries()).map((row) => [row.id, row.event_id, row.replay, row.attempt, row.priority, row.state]),
      [
        [deliveryId, event.id, 0, 7, 1, 'done'],
        [first.deliveryId, event.id, 1, 1, 2, 'pending'],
        [second.deliveryId, event.id, 2, 1, 2, 'pending'],
      ],
    );
    assert.equal((await storedRow(here.ctx, here.id)).next_due_at, at);
  });

  it('never gives one number twice', async () => {
    const here = await setUp();
    const [event] = await here.announce('1.0.0');
    assert.ok(event);
    const deliveryId = await here.live(event);
    const results = await atOnce(async () => (await replayDelivery(here.me, { ...here.which, deliveryId })).eventId);
    assert.deepEqual(new Set(results), new Set([event.id]));
    assert.deepEqual(
      (await here.deliveries()).map((row) => row.replay),
      Array.from({ length: 21 }, (_, index) => index),
    );
  });

  it('leaves an earlier due time alone', async () => {
    const here = await setUp();
    const earlier = new Date(here.clock().getTime() - 5000).toISOString();
    await setRow(here.ctx, here.id, { next_due_at: earlier });
    await sendTest(here.me, here.which);
    assert.equal((await storedRow(here.ctx, here.id)).next_due_at, earlier);
    await setRow(here.ctx, here.id, { next_due_at: '2099-01-01T00:00:00.000Z' });
    await sendTest(here.me, here.which);
    assert.equal((await storedRow(here.ctx, here.id)).next_due_at, here.clock().toISOString());
  });

  it('is refused for strangers, tests, disabled ones and forgotten events', async () => {
    const here = await setUp();
    const [event] = await here.announce('1.0.0');
    assert.ok(event);
    const deliveryId = await here.live(event);
    const call = (id: string) => refused(replayDelivery(here.me, { ...here.which, deliveryId: id }));
    assert.deepEqual(await call('dlv_x'), { code: 'not_found', details: { entity: 'delivery', value: 'dlv_x' } });
    const other = await setUp();
    const theirs = refused(replayDelivery(other.me, { ...other.which, deliveryId }));
    assert.equal((await theirs)?.code, 'not_found');
    const test = await sendTest(here.me, here.which);
    assert.equal((await call(test.deliveryId))?.code, 'conflict');
    await setRow(here.ctx, here.id, { enabled: 0 });
    assert.equal((await call(deliveryId))?.code, 'conflict');
    assert.equal((await refused(here.range('1d')))?.code, 'conflict');
    await setRow(here.ctx, here.id, { enabled: 1 });
    await transact(here.ctx, ({ tx }) => tx.deleteFrom('events').where('id', '=', event.id).execute());
    assert.deepEqual(await call(deliveryId), { code: 'not_found', details: { entity: 'event', value: event.id } });
  });

  it('is limited: 30 a minute, ranges 6 an hour, for each subscription', async () => {
    const here = await setUp();
    for (let index = 0; index < 30; index += 1) {
      assert.equal((await refused(replayDelivery(here.me, { ...here.which, deliveryId: 'dlv_x' })))?.code, 'not_found');
    }
    const limited = () => refused(replayDelivery(here.me, { ...here.which, deliveryId: 'dlv_x' }));
    assert.equal((await limited())?.code, 'rate_limited');
    here.clock.move(60_000);
    assert.equal((await limited())?.code, 'not_found');

    for (let index = 0; index < 6; index += 1) await here.range('1d');
    assert.equal((await refused(here.range('1d')))?.code, 'rate_limited');
    here.clock.move(3_600_000);
    await here.range('1d');
  });

  it('of a range takes what matches now, oldest first, by the time of the events', async () => {
    const here = await setUp();
    const start = here.clock().toISOString();
    const [first] = await here.announce('1.0.0');
    here.clock.move(DAY);
    const middle = here.clock().toISOString();
    const batch = await here.announce('1.1.0', '1.2.0');
    here.clock.move(DAY);
    await here.announce('1.3.0');
    const reported = (matched: number, queued: number) => ({
      matched,
      queued,
      skipped: matched - queued,
      truncated: false,
      nextSince: null,
    });
    assert.deepEqual(await here.range(middle, { until: middle }), reported(2, 2));
    assert.deepEqual(await here.range(start), reported(4, 4));
    const rows = await here.deliveries();
    assert.deepEqual(
      rows.map((row) => [row.event_id, row.replay]),
      [
        [first?.id, 1],
        ...batch.flatMap((event) => [
          [event.id, 1],
          [event.id, 2],
        ]),
        [rows.at(-1)?.event_id, 1],
      ],
    );
    assert.deepEqual(await here.range('1d', { until: middle }), reported(2, 2));
    await setRow(here.ctx, here.id, { source_id: here.loose.id });
    assert.deepEqual(await here.range(start), reported(0, 0));
  });

  it('of a range leaves out withdrawn releases, and on request delivered ones', async () => {
    const here = await setUp();
    const start = here.clock().toISOString();
    const [gone, arrived, failed, waiting] = await here.announce('1.0.0', '1.1.0', '1.2.0', '1.3.0');
    assert.ok(gone && arrived && failed && waiting);
    await suppressRelease(here.ctx, gone.release_id, { suppressed: true });
    const log = (event: { id: string }, outcome: DeliveryRow['outcome']) =>
      logAttempt(here.ctx, { subscription_id: here.id, event_id: event.id, delivery_id: 'dlv_x', outcome });
    await log(arrived, 'retry');
    await log(arrived, 'success');
    await log(failed, 'dlq');
    const { truncated: _truncated, nextSince: _next, ...all } = await here.range(start);
    assert.deepEqual(all, { matched: 4, queued: 3, skipped: 1 });
    const { truncated: _, nextSince: __, ...missing } = await here.range(start, { only: 'failed' });
    assert.deepEqual(missing, { matched: 4, queued: 2, skipped: 2 });
  });

  for (const [name, since, until] of [
    ['unreadable', 'yesterday', undefined],
    ['impossible', '2026-02-30', undefined],
    ['an unreadable end', '1d', 'soon'],
    ['an end before the beginning', '2026-02-02', '2026-02-01'],
    ['a beginning in the future', '2099-01-01', undefined],
  ] as const) {
    it(`of a range is refused: ${name}`, async () => {
      const here = await setUp();
      assert.equal((await refused(here.range(since, { until })))?.code, 'bad_request');
    });
  }

  it('of a long range stops at 1000, never between events of one moment, and says where to go on', async () => {
    const here = await setUp();
    const start = here.clock().toISOString();
    const versions = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `${from + index}.0.0`);
    for (const [from, count] of [
      [1, 400],
      [401, 400],
      [801, 300],
    ] as const) {
      await here.announce(...versions(from, count));
      here.clock.move(1000);
    }
    const first = await here.range(start);
    const third = new Date(here.clock().getTime() - 1000).toISOString();
    assert.deepEqual(first, { matched: 800, queued: 800, skipped: 0, truncated: true, nextSince: third });
    const rest = await here.range(first.nextSince ?? '');
    assert.deepEqual(rest, { matched: 300, queued: 300, skipped: 0, truncated: false, nextSince: null });
    assert.deepEqual(new Set((await here.deliveries()).map((row) => row.replay)), new Set([1]));
  });

  it('of more than 1000 events of one moment takes the first 1000', async () => {
    const here = await setUp();
    const start = here.clock().toISOString();
    const versions = Array.from({ length: 1003 }, (_, index) => `${index + 1}.0.0`);
    for (let from = 0; from < versions.length; from += 500) await here.announce(...versions.slice(from, from + 500));
    const { queued, truncated, nextSince } = await here.range(start);
    assert.deepEqual([queued, truncated, nextSince], [1000, true, start]);
  });

  it('of dead letters takes them off their list; other deliveries are not on it', async () => {
    const here = await setUp();
    const events = await here.announce('1.0.0', '1.1.0', '1.2.0');
    const dead: string[] = [];
    for (const event of events) {
      here.clock.move(1000);
      const deliveryId = await here.live(event);
      await here.set(deliveryId, { state: 'done', dead_at: here.clock().toISOString(), attempt: 7 });
      const row = { subscription_id: here.id, event_id: event.id, delivery_id: deliveryId };
      await logAttempt(here.ctx, { ...row, attempt: 6, outcome: 'retry', http_status: 500 });
      await logAttempt(here.ctx, { ...row, attempt: 7, outcome: 'dlq', http_status: 500, error_code: 'http_5xx' });
      dead.unshift(deliveryId);
    }
    const mine = async () =>
      (await listDeadLetters(here.ctx, { limit: 100 })).items.filter((item) => item.subscriptionId === here.id);
    const [newest, ...others] = await mine();
    assert.deepEqual(
      [newest, ...others].map((item) => item?.delivery_id),
      dead,
    );
    assert.deepEqual(
      [newest?.outcome, newest?.attempt, newest?.host, newest?.error_code],
      ['dlq', 7, 'hooks.example', 'http_5xx'],
    );

    const page = await listDeadLetters(here.ctx, { limit: 2 });
    assert.deepEqual(
      page.items.map((item) => item.delivery_id),
      dead.slice(0, 2),
    );
    const next = await listDeadLetters(here.ctx, { limit: 2, cursor: page.pagination.nextCursor ?? '' });
    assert.equal(next.items[0]?.delivery_id, dead[2]);
    assert.equal((await refused(listDeadLetters(here.ctx, { limit: 2, cursor: 'x' })))?.code, 'invalid_cursor');

    const [first = '', second = '', third = ''] = dead;
    const again = await replayDeadLetter(here.ctx, { deliveryId: first });
    assert.equal(again.eventId, events[2]?.id);
    await removeDeadLetter(here.ctx, { deliveryId: second });
    await removeDeadLetter(here.ctx, { deliveryId: second });
    assert.deepEqual(
      (await mine()).map((item) => item.delivery_id),
      [third],
    );
    assert.equal((await refused(replayDeadLetter(here.ctx, { deliveryId: first })))?.code, 'not_found');
    assert.equal((await refused(removeDeadLetter(here.ctx, { deliveryId: 'dlv_x' })))?.code, 'not_found');
    await setRow(here.ctx, here.id, { enabled: 0 });
    assert.equal((await refused(replayDeadLetter(here.ctx, { deliveryId: third })))?.code, 'conflict');
    assert.deepEqual(
      (await mine()).map((item) => item.delivery_id),
      [third],
    );
  });

  it('a test is queued ahead of everything, with its own document, and limited', async () => {
    const here = await setUp();
    const { enqueued, eventId, deliveryId } = await sendTest(here.me, here.which);
    const [row] = await here.deliveries();
    assert.deepEqual(
      [enqueued, row?.id, row?.event_id, row?.event_seq, row?.priority, row?.attempt],
      [true, deliveryId, eventId, 0, 0, 1],
    );
    const body = JSON.parse(row?.body ?? '{}');
    assert.deepEqual([body.id, body.seq, body.ts, body.type], [eventId, 0, here.clock().getTime(), 'release.created']);
    const { id, title, version, publishedAt, sourceName, sourceSlug, media, summary } = body.release;
    assert.deepEqual(
      [id, title, version, publishedAt, sourceName, sourceSlug, media],
      ['rel_synthetic', 'Webhook test', null, null, 'synthetic', 'synthetic', []],
    );
    assert.match(summary, /test/);
    const stored = await here.ctx.store.read.selectFrom('events').select('id').where('id', '=', eventId).execute();
    assert.deepEqual(stored, [], 'it is no event');

    for (let index = 1; index < 5; index += 1) await sendTest(here.me, here.which);
    assert.equal((await refused(sendTest(here.me, here.which)))?.code, 'rate_limited');
    for (let index = 0; index < 10; index += 1) await sendTest(here.ctx, { id: here.id, owner: 'operator' });
    here.clock.move(60_000);
    await sendTest(here.me, here.which);
  });

  it('tests of one account are limited together: 20 a minute', async () => {
    const here = await setUp();
    const ids = [here.id];
    for (let index = 0; index < 4; index += 1) ids.push((await subscribe(here.me, { orgId: here.org.id })).id);
    const call = (id = '') => refused(sendTest(here.me, { ...here.which, id }));
    for (const id of ids.slice(0, 4)) for (let index = 0; index < 5; index += 1) assert.equal(await call(id), null);
    assert.equal((await call(ids[4]))?.code, 'rate_limited');
  });

  it('a disabled subscription takes tests; its log will say that they were skipped', async () => {
    const here = await setUp({ enabled: false });
    assert.equal((await sendTest(here.me, here.which)).enqueued, true);
  });
});
