// Several processes on one queue, and the cost of a claim when the queue is long.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { claim, nextHost } from '../../src/ingest/queue/claim.ts';
import { enqueue } from '../../src/ingest/queue/enqueue.ts';
import { jobsOfHost } from '../../src/ingest/queue/host-state.ts';
import type { ClaimedJob } from '../../src/ingest/queue/job.ts';
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

    const claimAll = async (ctx: Context) => {
      const claimed: { ctx: Context; job: ClaimedJob }[] = [];
      for (let job = await claim(ctx); job; job = await claim(ctx)) claimed.push({ ctx, job });
      return claimed;
    };
    const done: string[] = [];
    while (done.length < 300) {
      // All lanes of both processes at once; one that finds only locked hosts ends early, so a last claim follows.
      const lanes = apps.flatMap(({ ctx }) => [claimAll(ctx), claimAll(ctx), claimAll(ctx)]);
      const claimed = [...(await Promise.all(lanes)).flat(), ...(await claimAll(first))];

      const turns = new Map<string, number>();
      for (const { job } of claimed) turns.set(job.lease.host, (turns.get(job.lease.host) ?? 0) + 1);
      assert.deepEqual([...turns.values()], Array(10).fill(2), 'every place of every host, and no more');

      await Promise.all(
        claimed.map(({ ctx, job }) => transact(ctx, (inner) => complete(inner, job.lease, null), 'bookkeeping')),
      );
      done.push(...claimed.map(({ job }) => job.key));
    }

    assert.deepEqual([done.length, new Set(done).size], [300, 300]);
    assert.deepEqual(await first.store.read.selectFrom('jobs').selectAll().execute(), []);
  });
});

forEachEngine('a claim on a long queue', (engine) => {
  it('steps into indexes and reads no list', async () => {
    const { ctx } = await engine.openTestApp({ env });
    await transact(ctx, (inner) => enqueue(inner, ordersFor(400, 5, '2026-01-01T00:00:00.000Z')));
    await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
    const { dialect, read } = ctx.store;

    const hostPlan = await dialect.explain(read, nextHost(dialect, '2026-03-01T00:00:00.000Z'));
    const jobPlan = await dialect.explain(read, jobsOfHost('host-7.dev'));

    assert.match(hostPlan, /hosts_ready/);
    assert.match(jobPlan, /jobs_waiting.*jobs_leased/s);
    for (const plan of [hostPlan, jobPlan]) {
      assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b|SCAN (?:jobs|hosts|h|r)\b(?! USING)|Seq Scan/, plan);
    }
  });
});
