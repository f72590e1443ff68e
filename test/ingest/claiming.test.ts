// Several processes on one queue, and what a claim costs when the queue is long.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { claim, nextHost } from '../../src/ingest/queue/claim.ts';
import { enqueue } from '../../src/ingest/queue/enqueue.ts';
import { levelHeads } from '../../src/ingest/queue/host-state.ts';
import { complete } from '../../src/ingest/queue/lease.ts';
import { forEachEngine } from '../support/engines.ts';

const env = { REGISTRY_HOST_DELAY_MS: '0' };

function ordersFor(hosts: number, each: number, dueAt: string) {
  return Array.from({ length: hosts * each }, (_, index) => ({
    key: `job-${index}`,
    kind: 'fetch' as const,
    host: `host-${index % hosts}.dev`,
    dueAt,
  }));
}

forEachEngine('two processes on one queue', (engine) => {
  it('do 300 jobs of 10 hosts, none twice, no host above two at once, every host in its turn', async () => {
    const database = await engine.openTestDatabase();
    const apps = [await engine.openTestApp({ database, env }), await engine.openTestApp({ database, env })];
    const [first] = apps.map(({ ctx }) => ctx) as [Context, Context];
    await transact(first, (inner) => enqueue(inner, ordersFor(10, 30, '2026-01-01T00:00:00.000Z')));

    const running = new Map<string, number>();
    const done: string[] = [];
    const started: string[] = [];
    let most = 0;
    const work = async (ctx: Context) => {
      for (let job = await claim(ctx); job; job = await claim(ctx)) {
        const { host } = job.lease;
        running.set(host, (running.get(host) ?? 0) + 1);
        most = Math.max(most, running.get(host) ?? 0);
        started.push(host);
        for (let turn = 0; turn < 60; turn += 1) await breathe();
        running.set(host, (running.get(host) ?? 0) - 1);
        const { lease, key } = job;
        await transact(ctx, (inner) => complete(inner, lease, null));
        done.push(key);
      }
    };
    // More lanes than places; a lane that finds every place taken ends, so the loop starts them again.
    while (done.length < 300) await Promise.all(apps.flatMap(({ ctx }) => Array.from({ length: 12 }, () => work(ctx))));

    assert.deepEqual([done.length, new Set(done).size], [300, 300]);
    assert.equal(most, 2);
    assert.deepEqual(await first.store.read.selectFrom('jobs').selectAll().execute(), []);
    const firstHalf = started.slice(0, 150);
    for (let host = 0; host < 10; host += 1) {
      const share = firstHalf.filter((name) => name === `host-${host}.dev`).length;
      assert.ok(share >= 10 && share <= 20, `host ${host} had ${share} of the first 150 turns`);
    }
  });
});

forEachEngine('a claim on a long queue', (engine) => {
  it('steps into indexes and reads no list', async () => {
    const { ctx } = await engine.openTestApp({ env });
    await transact(ctx, (inner) => enqueue(inner, ordersFor(400, 5, '2026-01-01T00:00:00.000Z')));
    await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
    const { dialect, read } = ctx.store;

    const hostPlan = await dialect.explain(read, nextHost(dialect, '2026-03-01T00:00:00.000Z'));
    const headPlan = await dialect.explain(read, levelHeads('host-7.dev'));
    const leasePlan = await dialect.explain(
      read,
      sql`SELECT lease_until FROM jobs WHERE host = 'host-7.dev' AND lease_until IS NOT NULL ORDER BY lease_until`,
    );

    assert.match(hostPlan, /hosts_ready/);
    assert.match(headPlan, /jobs_waiting/);
    assert.match(leasePlan, /jobs_leased/);
    for (const plan of [hostPlan, headPlan, leasePlan]) {
      assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b|SCAN (?:jobs|hosts|h|j)\b(?! USING)|Seq Scan/, plan);
    }
  });
});
