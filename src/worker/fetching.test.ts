import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { movableClock } from '../../test/support/clock.ts';
import { forEachEngine } from '../../test/support/engines.ts';
import { transact } from '../context.ts';
import { claim } from '../ingest/queue/claim.ts';
import { enqueue } from '../ingest/queue/enqueue.ts';
import { HEARTBEAT_MS, type JobHandler, LEASE_MS } from '../ingest/queue/job.ts';
import { complete, handBack } from '../ingest/queue/lease.ts';
import { createFakeTimers } from '../net/fake-timers.fixture.ts';
import { runDueJobs } from './fetching.ts';

const START = '2026-03-01T12:00:00.000Z';

forEachEngine('job pool', (engine) => {
  async function setUp(keys: readonly string[], { atOnce = 3 } = {}) {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const order = (...more: string[]) =>
      transact(ctx, (inner) =>
        enqueue(
          inner,
          more.map((key) => ({ key, kind: 'media' as const })),
        ),
      );
    await order(...keys);
    const open = new Map<string, () => void>();
    let most = 0;
    const media: JobHandler = async (inner, job, { signal }) => {
      await new Promise<void>((resolve) => {
        open.set(job.key, resolve);
        most = Math.max(most, open.size);
        signal.addEventListener('abort', () => resolve());
      });
      open.delete(job.key);
      if (signal.aborted) await handBack(inner, job.lease);
      else await transact(inner, (write) => complete(write, job.lease, null));
    };
    const stop = new AbortController();
    const timers = createFakeTimers();
    const running = async (count: number) => {
      while (open.size !== count) await breathe();
    };
    const pool = { handlers: { media }, atOnce, timers };
    return {
      ctx,
      clock,
      timers,
      stop,
      open,
      order,
      running,
      most: () => most,
      pass: () => runDueJobs(ctx, stop.signal, pool),
    };
  }

  it('runs jobs side by side, never more than it may, until none is left', async () => {
    const { ctx, open, pass, running, most } = await setUp(['1', '2', '3', '4', '5']);
    const ended = pass();

    await running(3);
    for (let left = 5; left > 0; left -= 1) {
      const [finish] = open.values();
      finish?.();
      await running(Math.min(3, left - 1));
    }
    await ended;

    assert.equal(most(), 3);
    assert.deepEqual(await ctx.store.read.selectFrom('jobs').selectAll().execute(), []);
  });

  it('takes what falls due while others run', async () => {
    const { open, order, pass, running, timers } = await setUp(['slow']);
    const ended = pass();
    await running(1);

    await order('new');
    await timers.set(1000);
    timers.advance(1000);
    await running(2);

    for (const finish of open.values()) finish();
    await ended;
  });

  it('gives everything back when it stops, and takes nothing more', async () => {
    const { ctx, pass, running, stop } = await setUp(['1', '2', '3', '4']);
    const ended = pass();
    await running(3);

    stop.abort();
    await ended;

    const jobs = await ctx.store.read.selectFrom('jobs').selectAll().execute();
    assert.deepEqual(
      jobs.map((job) => [job.lease_until, job.attempts]),
      [1, 2, 3, 4].map(() => [null, 0]),
    );
  });

  it('extends the leases of long jobs, and stops one that another worker has taken over', async () => {
    // With no room for a second job, the pool itself does not come for the lease that runs out.
    const { ctx, clock, pass, running, timers } = await setUp(['long'], { atOnce: 1 });
    const ended = pass();
    await running(1);

    for (let beat = 0; beat < 6; beat += 1) {
      clock.move(HEARTBEAT_MS);
      timers.advance(HEARTBEAT_MS);
      await timers.set(HEARTBEAT_MS);
    }
    const lease = async () =>
      (await ctx.store.read.selectFrom('jobs').select('lease_until').executeTakeFirst())?.lease_until;
    const expected = new Date(clock().getTime() + LEASE_MS).toISOString();
    while ((await lease()) !== expected) await breathe();

    clock.move(LEASE_MS);
    assert.equal((await claim(ctx))?.attempts, 2);
    timers.advance(HEARTBEAT_MS);
    await ended;
    assert.equal((await ctx.store.read.selectFrom('jobs').selectAll().execute()).length, 1);
  });
});
