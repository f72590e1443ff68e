import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { item, scripted } from '../pipeline/scripted.fixture.ts';
import { claim } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import { type ClaimedJob, type JobOrder, LEASE_MS } from '../queue/job.ts';
import { scheduleFetchJobs } from '../schedule/fetch-jobs.ts';
import { CLOCKS, scheduleClocks } from './clocks.ts';
import { runJob } from './jobs.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;

forEachEngine('jobs', (engine) => {
  async function setUp() {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock, env: { REGISTRY_HOST_DELAY_MS: '0' } });
    const tools = scripted();
    const { signal } = new AbortController();
    return { ctx, clock, tools, run: async () => runJob(ctx, (await claim(ctx)) as ClaimedJob, { signal, tools }) };
  }

  const jobs = (ctx: Context) => ctx.store.read.selectFrom('jobs').selectAll().orderBy('key').execute();
  const order = (ctx: Context, given: JobOrder) => transact(ctx, (inner) => enqueue(inner, given));
  const source = (ctx: Context, id: string) =>
    ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('a fetch job that comes too early, or for a source that was paused, fetches nothing', async () => {
    const { ctx, tools, run } = await setUp();
    const [early, paused] = [await createSource(ctx), await createSource(ctx)];
    await scheduleFetchJobs(ctx);
    await updateSource(ctx, { src: early.id }, { nextFetchAfter: '2026-03-02T00:00:00.000Z' });
    await updateSource(ctx, { src: paused.id }, { fetchPriority: 'paused' });

    await run();
    await run();

    const left = await jobs(ctx);
    assert.deepEqual(
      left.map((job) => [job.source_id, job.due_at]),
      [[early.id, '2026-03-02T00:00:00.000Z']],
    );
    assert.equal(tools.seen.length, 0);
  });

  it('after five lost leases the source rests for a day, with a log row', async () => {
    const { ctx, clock, tools, run } = await setUp();
    const { id } = await createSource(ctx);
    await scheduleFetchJobs(ctx);
    for (let lost = 0; lost < 5; lost += 1) {
      assert.equal((await claim(ctx))?.attempts, lost + 1);
      clock.move(LEASE_MS);
    }

    await run();

    assert.equal(tools.seen.length, 0);
    const [log] = await ctx.store.read.selectFrom('fetch_log').selectAll().execute();
    assert.deepEqual([log?.status, log?.error_category, log?.error], ['error', 'error', 'error: worker_lost']);
    const tomorrow = new Date(clock().getTime() + 24 * HOUR).toISOString();
    const [job] = await jobs(ctx);
    assert.deepEqual([job?.due_at, job?.attempts], [tomorrow, 0]);
    const row = await source(ctx, id);
    assert.deepEqual([row.next_fetch_after, row.last_polled_at, row.consecutive_errors], [tomorrow, null, 1]);
    await scheduleFetchJobs(ctx);
    assert.equal((await jobs(ctx))[0]?.due_at, tomorrow);
  });

  it('a backfill reads page after page in silence, and ends', async () => {
    const { ctx, clock, tools, run } = await setUp();
    const repository = { type: 'github', url: 'https://github.com/acme/cli' } as const;
    const { id } = await createSource(ctx, { fetchPriority: 'paused', ...repository });
    await order(ctx, { key: `backfill:${id}`, kind: 'backfill', sourceId: id, host: 'a.dev', payload: { page: 'p2' } });
    tools.say(
      { items: [item('1.1.0', { publishedAt: START })], backfill: 'p3' },
      { outcome: 'unreachable', detail: 'http 502' },
      { items: [item('1.0.0', { publishedAt: START })] },
    );

    await run();
    await run();
    assert.equal(await claim(ctx), null, 'a page that failed waits');
    assert.equal((await source(ctx, id)).listing_completed_at, null);
    clock.move(HOUR);
    await run();
    assert.equal((await source(ctx, id)).listing_completed_at, clock().toISOString());

    assert.deepEqual(
      tools.seen.map((input) => input.backfill),
      ['p2', 'p3', 'p3'],
    );
    assert.deepEqual(await jobs(ctx), []);
    assert.equal((await ctx.store.read.selectFrom('releases').selectAll().execute()).length, 2);
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);
  });

  it('a clock strikes once, and is set for the next day', async () => {
    const { ctx, clock, run } = await setUp();
    const { id } = await createSource(ctx, { fetchPriority: 'paused' });
    await scheduleClocks(
      ctx,
      CLOCKS.filter(({ kind }) => kind === 'retier'),
    );
    clock.move(15 * HOUR);

    await run();

    assert.equal((await source(ctx, id)).last_retiered_at, clock().toISOString());
    const retier = (await jobs(ctx)).find((job) => job.key === 'clock:retier');
    assert.deepEqual([retier?.due_at, retier?.attempts], ['2026-03-03T03:00:00.000Z', 0]);
  });

  it('work of a kind that is not known here is left to others', async () => {
    const { ctx, clock } = await setUp();
    const { signal } = new AbortController();
    await order(ctx, { key: 'x', kind: 'media' });

    await runJob(ctx, (await claim(ctx)) as ClaimedJob, { signal, handlers: {} });

    const [job] = await jobs(ctx);
    assert.deepEqual([job?.due_at, job?.attempts], [new Date(clock().getTime() + HOUR).toISOString(), 0]);
  });

  it('a handler that throws puts its job off', async () => {
    const { ctx } = await setUp();
    const { signal } = new AbortController();
    await order(ctx, { key: 'x', kind: 'media' });
    const handlers = { media: () => Promise.reject(new RangeError('no')) };

    await runJob(ctx, (await claim(ctx)) as ClaimedJob, { signal, handlers });

    const [job] = await jobs(ctx);
    assert.deepEqual([job?.last_error, job?.lease_until, job?.attempts], ['RangeError', null, 1]);
    assert.equal(await claim(ctx), null);
  });
});
