import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases } from '../../../test/support/factories.ts';
import { type Context, transact } from '../../context.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { orgsToFetch } from '../../entities/orgs/overview-statuses.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { recordFetch } from '../../entities/registry/record-fetch.ts';
import { sourceItems } from '../../entities/sources/source-fields.ts';
import { updateSource } from '../../entities/sources/update.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { retierSources, scheduleClocks } from '../jobs/clocks.ts';
import { pauseAfterFailures } from '../pipeline/commit-run.ts';
import { claimKey } from '../queue/claim.ts';
import { enqueue } from '../queue/enqueue.ts';
import { fetchKey, scheduleFetchJobs } from './fetch-jobs.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

forEachEngine('schedule', (engine) => {
  async function setUp() {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    return { ctx, clock };
  }

  const jobs = (ctx: Context) => ctx.store.read.selectFrom('jobs').selectAll().orderBy('key').execute();
  const source = (ctx: Context, id: string) =>
    ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const record = (ctx: Context, sourceId: string, result: FetchOutcome) =>
    transact(ctx, async (inner) => {
      await recordFetch(inner, { sourceId, trigger: 'schedule', result, releasesFound: 0, releasesInserted: 0 });
      const row = await inner.tx.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirstOrThrow();
      return pauseAfterFailures(inner, row as SourceRow);
    });

  it('gives every polled source one job, and no job to the others', async () => {
    const { ctx } = await setUp();
    const asleep = await createOrg(ctx, { fetchPaused: true });
    const due = await createSource(ctx);
    const later = await createSource(ctx, { fetch: false });
    const hidden = await createSource(ctx, { isHidden: true });
    await createSource(ctx, { fetchPriority: 'paused' });
    await createSource(ctx, { orgId: asleep.id });
    await createSource(ctx, { isHidden: true, discovery: 'on_demand' });

    await scheduleFetchJobs(ctx);
    assert.equal(await scheduleFetchJobs(ctx), 0);

    const found = await jobs(ctx);
    assert.deepEqual(found.map((job) => job.source_id).sort(), [due.id, later.id, hidden.id].sort());
    const first = found.find((job) => job.source_id === due.id);
    assert.deepEqual([first?.key, first?.priority, first?.due_at], [fetchKey(due.id), 2, START]);
    assert.equal(first?.host, new URL(due.url).host);
    assert.equal(
      found.find((job) => job.source_id === later.id)?.due_at,
      new Date(Date.parse(START) + 4 * HOUR).toISOString(),
    );
  });

  it('follows what changes a source: a pause that ends, a patch, an org that wakes, a run that was reported', async () => {
    const { ctx } = await setUp();
    const org = await createOrg(ctx, { fetchPaused: true });
    const paused = await createSource(ctx, { fetchPriority: 'paused' });
    const sleeping = await createSource(ctx, { orgId: org.id });
    const patched = await createSource(ctx, { fetch: false });
    await scheduleFetchJobs(ctx);
    const dueOf = async (id: string) => (await jobs(ctx)).find((job) => job.source_id === id)?.due_at;
    assert.deepEqual([await dueOf(paused.id), await dueOf(sleeping.id)], [undefined, undefined]);

    await updateSource(ctx, { src: paused.id }, { fetchPriority: 'normal' });
    await updateOrg(ctx, { org: org.id, change: { fetchPaused: false } });
    await updateSource(ctx, { src: patched.id }, { nextFetchAfter: START });
    await scheduleFetchJobs(ctx);
    assert.deepEqual(
      [await dueOf(paused.id), await dueOf(sleeping.id), await dueOf(patched.id)],
      [START, START, START],
    );

    await record(ctx, paused.id, 'no_change');
    await scheduleFetchJobs(ctx);
    const wait = Date.parse((await dueOf(paused.id)) ?? '') - Date.parse(START);
    assert.ok(wait >= 3.6 * HOUR && wait <= 4.4 * HOUR);
    assert.equal((await jobs(ctx)).length, 3);
  });

  it('follows the configured intervals everywhere, and plans jobs anew when they were changed', async () => {
    const { ctx, clock } = await setUp();
    const hourly = { ...ctx, config: { ...ctx.config, pollHours: { normal: 1, low: 48 } } };
    const hoursAfterStart = (at: string | null | undefined) => (Date.parse(at ?? '') - Date.parse(START)) / HOUR;
    const org = await createOrg(ctx);
    const polled = await createSource(hourly, { orgId: org.id });
    const waiting = await createSource(hourly, { fetch: false });
    assert.equal(hoursAfterStart((await source(ctx, waiting.id)).next_fetch_after), 1);
    await record(hourly, polled.id, 'success');

    const shown = async (inner: Context) => (await sourceItems(inner, [await source(inner, polled.id)]))[0];
    assert.equal(hoursAfterStart((await shown(hourly))?.fetchState.nextCheckAt), 1);
    assert.equal(hoursAfterStart((await shown(ctx))?.fetchState.nextCheckAt), 4);

    const jobOf = async (id: string) => (await jobs(ctx)).find((job) => job.source_id === id);
    await scheduleFetchJobs(ctx);
    assert.ok(Math.abs(hoursAfterStart((await jobOf(polled.id))?.due_at) - 4) <= 0.4);
    assert.equal(await scheduleFetchJobs(hourly), 2);
    assert.equal(await scheduleFetchJobs(hourly), 0);
    assert.ok(Math.abs(hoursAfterStart((await jobOf(polled.id))?.due_at) - 1) <= 0.1);

    clock.move(2 * HOUR);
    assert.deepEqual(await orgsToFetch(hourly, { orgIds: [org.id] }), new Set([org.id]));
    assert.deepEqual(await orgsToFetch(ctx, { orgIds: [org.id] }), new Set());
  });

  it('leaves alone what runs and what a person waits for', async () => {
    const { ctx } = await setUp();
    const [runs, wanted] = [await createSource(ctx), await createSource(ctx)];
    await scheduleFetchJobs(ctx);
    await claimKey(ctx, fetchKey(runs.id));
    await transact(ctx, (inner) => enqueue(inner, { key: fetchKey(wanted.id), kind: 'fetch', priority: 0 }));
    for (const { id } of [runs, wanted]) {
      await updateSource(ctx, { src: id }, { nextFetchAfter: '2027-01-01T00:00:00.000Z' });
    }

    assert.equal(await scheduleFetchJobs(ctx), 0);
    assert.ok((await jobs(ctx)).every((job) => job.due_at === START));
  });

  it('spreads the first runs of an import over five minutes', async () => {
    const { ctx } = await setUp();
    for (let made = 0; made < 30; made += 1) await createSource(ctx);

    await scheduleFetchJobs(ctx);

    const waits = (await jobs(ctx)).map((job) => Date.parse(job.due_at) - Date.parse(START)).sort((a, b) => a - b);
    assert.deepEqual([waits.length, waits[0], waits.at(-1)], [30, 0, 290_000]);
  });

  const tiers: [string, number[], string, number | null, string][] = [
    ['0, 7, 14', [0, 7, 14], 'low', 7, 'normal'],
    ['0, 30, 60, 150', [0, 30, 60, 150], 'normal', 30, 'low'],
    ['0, 14, 42', [0, 14, 42], 'normal', 21, 'low'],
    ['0, 10', [0, 10], 'low', null, 'low'],
    ['0, 95, 175', [0, 95, 175], 'normal', 87.5, 'low'],
    ['none', [], 'normal', null, 'normal'],
    ['0, 7, 14 of a paused source', [0, 7, 14], 'paused', 7, 'paused'],
  ];
  it('sets the tier by the median gap, for all sources at once', async () => {
    const { ctx } = await setUp();
    const made: string[] = [];
    for (const [name, days, priority] of tiers) {
      const { id } = await createSource(ctx, { fetchPriority: priority as 'normal' });
      made.push(id);
      const rows = days.map((day) => ({
        title: `${name} ${day}`,
        guid: `${id}/${day}`,
        publishedAt: new Date(Date.parse(START) - 176 * DAY + day * DAY).toISOString(),
      }));
      // Neither an old one nor one to come counts.
      const outside = [-300, 400].map((day) => ({
        title: `outside ${day}`,
        guid: `${id}/${day}`,
        publishedAt: new Date(Date.parse(START) + day * DAY).toISOString(),
      }));
      await postReleases(ctx, id, [...rows, ...outside], { silent: true });
    }

    await retierSources(ctx);

    for (const [index, [name, , , median, tier]] of tiers.entries()) {
      const row = await source(ctx, made[index] ?? '');
      assert.deepEqual([row.median_gap_days, row.fetch_priority, row.last_retiered_at], [median, tier, START], name);
    }
  });

  it('does not lift an archived repository, however often it published', async () => {
    const { ctx } = await setUp();
    const { id } = await createSource(ctx, { fetchPriority: 'low' });
    const rows = [1, 2, 3].map((day) => ({
      title: `Day ${day}`,
      guid: `${day}`,
      publishedAt: new Date(Date.parse(START) - day * DAY).toISOString(),
    }));
    await postReleases(ctx, id, rows, { silent: true });
    const archive = (archived: number) =>
      ctx.store.transaction((tx) => tx.updateTable('sources').set({ archived }).execute(), 'bookkeeping');

    await archive(1);
    await retierSources(ctx);
    assert.deepEqual([(await source(ctx, id)).fetch_priority, (await source(ctx, id)).median_gap_days], ['low', 1]);

    await archive(0);
    await retierSources(ctx);
    assert.equal((await source(ctx, id)).fetch_priority, 'normal');
  });

  it('pauses after six deterministic failures in a row, not after other ones', async () => {
    const { ctx, clock } = await setUp();
    const [hopeless, flaky] = [await createSource(ctx), await createSource(ctx)];
    const outcomes: FetchOutcome[] = ['gone', 'blocked', 'malformed', 'empty', 'gone', 'gone'];
    for (const [index, outcome] of outcomes.entries()) {
      clock.move(HOUR);
      assert.equal(await record(ctx, hopeless.id, outcome), index === 5);
      assert.equal(await record(ctx, flaky.id, index === 3 ? 'timeout' : outcome), false);
    }
    assert.equal((await source(ctx, hopeless.id)).fetch_priority, 'paused');
    assert.equal((await source(ctx, flaky.id)).fetch_priority, 'normal');

    await updateSource(ctx, { src: hopeless.id }, { fetchPriority: 'normal' });
    assert.equal(await record(ctx, hopeless.id, 'gone'), false, 'a resumed source has six tries again');
  });

  it('has one job for each clock, also with several processes', async () => {
    const { ctx } = await setUp();

    await Promise.all([scheduleClocks(ctx), scheduleClocks(ctx)]);

    const found = await jobs(ctx);
    assert.deepEqual(
      found.map((job) => [job.key, job.due_at]),
      [
        ['clock:ahead', '2026-03-01T13:00:00.000Z'],
        ['clock:known-packages', '2026-03-01T12:10:00.000Z'],
        ['clock:manifest', '2026-03-02T06:00:00.000Z'],
        ['clock:mapping', '2026-03-02T05:00:00.000Z'],
        ['clock:retier', '2026-03-02T03:00:00.000Z'],
        ['clock:stubs', '2026-03-02T04:00:00.000Z'],
      ],
    );
  });
});
