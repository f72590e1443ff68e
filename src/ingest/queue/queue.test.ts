import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { type Context, transact } from '../../context.ts';
import { claim, claimKey } from './claim.ts';
import { enqueue } from './enqueue.ts';
import { slotsOf } from './host-state.ts';
import { type ClaimedJob, type JobOrder, LEASE_LIMIT_MS, LEASE_MS, LeaseLost } from './job.ts';
import { complete, handBack, heartbeat, putOff } from './lease.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;

function later(ms: number): string {
  return new Date(Date.parse(START) + ms).toISOString();
}

forEachEngine('queue', (engine) => {
  async function setUp({ delay = '0' } = {}) {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock, env: { REGISTRY_HOST_DELAY_MS: delay } });
    return { ctx, clock };
  }

  const order = (ctx: Context, ...orders: JobOrder[]) => transact(ctx, (inner) => enqueue(inner, orders));
  const finish = (ctx: Context, job: ClaimedJob | null, dueAt?: string) =>
    transact(ctx, (inner) => complete(inner, (job as ClaimedJob).lease, dueAt === undefined ? null : { dueAt }));
  const keys = async (ctx: Context, count: number) => {
    const claimed: (string | undefined)[] = [];
    for (let index = 0; index < count; index += 1) claimed.push((await claim(ctx))?.key);
    return claimed;
  };
  const jobOf = (ctx: Context, key: string) =>
    ctx.store.read.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst();

  it('has one job for each key: a second order moves it forward, never back', async () => {
    const { ctx } = await setUp();
    await order(ctx, { key: 'a', kind: 'backfill', host: 'a.dev', dueAt: later(HOUR) });
    await order(ctx, { key: 'a', kind: 'backfill', host: 'a.dev', dueAt: later(2 * HOUR) });
    assert.equal(await claim(ctx), null);

    await order(ctx, { key: 'a', kind: 'backfill', host: 'a.dev', priority: 0, payload: { page: 2 } });

    const job = await claim(ctx);
    assert.deepEqual([job?.key, job?.priority, job?.payload, job?.attempts], ['a', 0, { page: 2 }, 1]);
    assert.equal(await claim(ctx), null);
  });

  it('runs a job once more that was ordered again while it ran', async () => {
    const { ctx } = await setUp();
    await order(ctx, { key: 'a', kind: 'changelog' });
    const first = await claim(ctx);
    await order(ctx, { key: 'a', kind: 'changelog' });
    assert.equal(await claim(ctx), null);

    await finish(ctx, first);

    await finish(ctx, await claim(ctx));
    assert.equal(await jobOf(ctx, 'a'), undefined);
  });

  it('takes the lowest level first, and lets an hour of waiting count for a level', async () => {
    const { ctx } = await setUp();
    await order(
      ctx,
      { key: 'media', kind: 'media', dueAt: later(-6 * HOUR) },
      { key: 'backfill-old', kind: 'backfill', dueAt: later(-8 * HOUR) },
      { key: 'backfill', kind: 'backfill', dueAt: later(-1 * HOUR) },
      { key: 'fetch', kind: 'fetch', dueAt: START },
      { key: 'fetch-older', kind: 'fetch', dueAt: later(-1) },
      { key: 'lookup', kind: 'lookup', dueAt: START },
      { key: 'tomorrow', kind: 'lookup', dueAt: later(24 * HOUR) },
    );

    // -8 + 7 = -1 h; 0 h; just below 2 h; 2 h; -6 + 8 = 2 h, a tie that the level decides; -1 + 7 = 6 h.
    const expected = ['backfill-old', 'lookup', 'fetch-older', 'fetch', 'media', 'backfill', undefined];
    assert.deepEqual(await keys(ctx, 7), expected);
  });

  it('never runs more than two jobs of a host', async () => {
    const { ctx } = await setUp();
    await order(ctx, ...['1', '2', '3'].map((key) => ({ key, kind: 'fetch' as const, host: 'a.dev' })));

    const [one] = [await claim(ctx), await claim(ctx)];
    assert.equal(await claim(ctx), null);
    await finish(ctx, one);

    assert.ok(await claim(ctx));
    assert.equal(await claim(ctx), null);
  });

  it('gives work without a host slots of its own', async () => {
    const { ctx } = await setUp();
    const places = slotsOf('');
    await order(ctx, ...Array.from({ length: places + 1 }, (_, key) => ({ key: `${key}`, kind: 'embed' as const })));

    const claimed = await keys(ctx, places + 1);

    assert.deepEqual([claimed.filter(Boolean).length, claimed.at(-1)], [places, undefined]);
  });

  it('pauses between two starts on a host, not between hosts', async () => {
    const { ctx, clock } = await setUp({ delay: '1000' });
    await order(
      ctx,
      { key: 'a1', kind: 'fetch', host: 'a.dev' },
      { key: 'a2', kind: 'fetch', host: 'a.dev' },
      { key: 'b1', kind: 'fetch', host: 'b.dev' },
      { key: 'g1', kind: 'fetch', host: 'api.github.com' },
      { key: 'g2', kind: 'fetch', host: 'api.github.com' },
    );

    const hosts = (await keys(ctx, 4)).map((key) => key?.[0]);
    assert.deepEqual(hosts.sort(), ['a', 'b', 'g', 'g']);
    assert.equal(await claim(ctx), null);
    clock.move(999);
    assert.equal(await claim(ctx), null);
    clock.move(1);
    assert.equal((await claim(ctx))?.lease.host, 'a.dev');
  });

  it('lets hosts take turns, however many jobs one of them has', async () => {
    const { ctx } = await setUp();
    const many = Array.from({ length: 50 }, (_, index) => ({
      key: `big-${index}`,
      kind: 'fetch' as const,
      host: 'big.dev',
      dueAt: later(-10 * HOUR),
    }));
    await order(ctx, ...many, { key: 'small', kind: 'fetch', host: 'small.dev', dueAt: later(-1) });

    const first = await claim(ctx);
    await finish(ctx, first);
    const second = await claim(ctx);

    assert.deepEqual([first?.key.startsWith('big'), second?.key], [true, 'small']);
  });

  it('hands a job on when its lease has ended, and undoes what the late worker wanted to commit', async () => {
    const { ctx, clock } = await setUp();
    await order(ctx, { key: 'a', kind: 'fetch', host: 'a.dev' });
    const lost = await claim(ctx);
    clock.move(LEASE_MS - 1);
    assert.equal(await claim(ctx), null);
    clock.move(1);

    const next = await claim(ctx);
    const late = transact(ctx, async (inner) => {
      await inner.tx.insertInto('limits').values({ key: 'late', count: 1, window_ends_at: 'x' }).execute();
      await complete(inner, (lost as ClaimedJob).lease, null);
    });

    await assert.rejects(late, LeaseLost);
    assert.deepEqual(await ctx.store.read.selectFrom('limits').selectAll().execute(), []);
    assert.deepEqual([next?.key, next?.attempts], ['a', 2]);
    assert.equal(await heartbeat(ctx, (lost as ClaimedJob).lease), false);
    await handBack(ctx, (lost as ClaimedJob).lease);
    assert.equal(await claim(ctx), null, 'the late worker cannot give back what is not its own');
    await finish(ctx, next, later(HOUR));
    const stored = await jobOf(ctx, 'a');
    assert.deepEqual([stored?.attempts, stored?.due_at, stored?.lease_until], [0, later(HOUR), null]);
  });

  it('a heartbeat extends a lease, at most to fifteen minutes', async () => {
    const { ctx, clock } = await setUp();
    await order(ctx, { key: 'a', kind: 'fetch', host: 'a.dev' });
    const { lease } = (await claim(ctx)) as ClaimedJob;

    for (let minute = 0; minute < 14; minute += 1) {
      clock.move(60_000);
      assert.equal(await heartbeat(ctx, lease), true);
      assert.equal(await claim(ctx), null);
    }

    assert.equal((await jobOf(ctx, 'a'))?.lease_until, later(LEASE_LIMIT_MS));
    clock.move(60_000);
    assert.equal((await claim(ctx))?.attempts, 2);
  });

  it('hands back without a mark, and puts off with one', async () => {
    const { ctx, clock } = await setUp();
    await order(ctx, { key: 'a', kind: 'fetch', host: 'a.dev' });

    await handBack(ctx, ((await claim(ctx)) as ClaimedJob).lease);
    const again = await claim(ctx);
    assert.equal(again?.attempts, 1);
    await putOff(ctx, (again as ClaimedJob).lease, 'disk full');

    assert.equal(await claim(ctx), null);
    assert.equal((await jobOf(ctx, 'a'))?.last_error, 'disk full');
    clock.move(60_000);
    assert.equal((await claim(ctx))?.attempts, 2);
  });

  it('claims one job out of turn, unless it runs or its host has no free slot', async () => {
    const { ctx } = await setUp();
    await order(
      ctx,
      ...['1', '2', '3'].map((key) => ({ key, kind: 'fetch' as const, host: 'a.dev', dueAt: later(HOUR) })),
    );

    assert.equal(await claimKey(ctx, 'none'), 'gone');
    assert.equal(((await claimKey(ctx, '2')) as ClaimedJob).key, '2');
    assert.equal(await claimKey(ctx, '2'), 'busy');
    assert.equal(((await claimKey(ctx, '1')) as ClaimedJob).key, '1');
    assert.equal(await claimKey(ctx, '3'), 'wait');
  });

  it('finds a job that moved to another host', async () => {
    const { ctx } = await setUp();
    await order(ctx, { key: 'a', kind: 'fetch', host: 'old.dev' });
    const job = (await claim(ctx)) as ClaimedJob;

    await transact(ctx, (inner) => complete(inner, job.lease, { dueAt: START, host: 'new.dev' }));

    assert.equal((await claim(ctx))?.lease.host, 'new.dev');
  });
});
