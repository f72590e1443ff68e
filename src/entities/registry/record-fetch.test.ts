import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { addReleases, atOnce, makeSource } from '../../../test/support/named.ts';
import { type Context, transact } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { type FetchRun, recordFetch, reportFetch } from './record-fetch.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const found = { releasesFound: 0, releasesInserted: 0 };

function record(ctx: Context, sourceId: string, more: Partial<FetchRun>) {
  const run: FetchRun = { sourceId, trigger: 'schedule', result: 'success', ...found };
  return transact(ctx, (ctx) => recordFetch(ctx, { ...run, ...more }));
}

function stored(ctx: Context, id: string): Promise<SourceRow> {
  return ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

const hoursAfter = (hours: number) => new Date(Date.parse(NOW) + hours * HOUR).toISOString();

forEachEngine('recordFetch', (engine) => {
  const open = async (set: Partial<SourceRow> = {}) => {
    const clock = movableClock(NOW);
    const { ctx } = await engine.openTestApp({ clock });
    const { id } = await makeSource(ctx, { slug: 'a' });
    if (Object.keys(set).length > 0) {
      await transact(ctx, ({ tx }) => tx.updateTable('sources').set(set).where('id', '=', id).execute());
    }
    return { ctx, id, clock };
  };
  const failing: Partial<SourceRow> = {
    consecutive_errors: 2,
    consecutive_no_change: 3,
    failing_since: hoursAfter(-9),
    last_polled_at: hoursAfter(-4),
    last_fetched_at: hoursAfter(-24),
    change_detected_at: hoursAfter(-1),
  };

  it('success clears what was wrong and moves every time', async () => {
    const { ctx, id } = await open(failing);
    await addReleases(ctx, { id }, ['1.0.0', '1.1.0']);

    const row = await record(ctx, id, { releasesInserted: 2, httpStatus: 200, requests: 1, bytes: 77 });

    const source = await stored(ctx, id);
    assert.deepEqual(
      [source.consecutive_errors, source.consecutive_no_change, source.failing_since, source.next_fetch_after],
      [0, 0, null, null],
    );
    assert.deepEqual(
      [source.last_polled_at, source.last_fetched_at, source.change_detected_at, source.last_outcome],
      [NOW, NOW, null, 'success'],
    );
    assert.deepEqual(
      [row.status, row.error_category, row.total_releases, row.releases_inserted, row.http_status, row.bytes],
      ['success', null, 2, 2, 200, 77],
    );
  });

  it('no_change counts up and waits longer', async () => {
    const { ctx, id } = await open({ ...failing, consecutive_no_change: 4 });

    await record(ctx, id, { result: 'no_change' });

    const source = await stored(ctx, id);
    assert.deepEqual(
      [source.consecutive_errors, source.consecutive_no_change, source.next_fetch_after, source.last_fetched_at],
      [0, 5, hoursAfter(16), NOW],
    );
  });

  it('a failure is counted, dated from the first one, and leaves the last good read alone', async () => {
    const { ctx, id, clock } = await open();

    const first = await record(ctx, id, { result: 'gone', error: 'gone: HTTP 410', httpStatus: 410 });
    clock.move(HOUR);
    await record(ctx, id, { result: 'timeout' });

    const source = await stored(ctx, id);
    assert.deepEqual([first.status, first.error_category, first.error], ['error', 'gone', 'gone: HTTP 410']);
    assert.deepEqual(
      [source.consecutive_errors, source.failing_since, source.last_polled_at, source.last_fetched_at],
      [2, NOW, hoursAfter(1), null],
    );
    assert.deepEqual([source.next_fetch_after, source.last_outcome], [hoursAfter(3), 'timeout']);
  });

  it('throttled waits as asked; a shared budget is not held against the source', async () => {
    const { ctx, id } = await open();

    await record(ctx, id, { result: 'throttled', sharedBudget: true, retryAfterSeconds: 600 });
    const shared = await stored(ctx, id);
    await record(ctx, id, { result: 'throttled', retryAfterSeconds: 43_200 });
    const own = await stored(ctx, id);

    assert.deepEqual(
      [shared.consecutive_errors, shared.failing_since, shared.next_fetch_after],
      [0, null, hoursAfter(1)],
    );
    assert.deepEqual([own.consecutive_errors, own.failing_since, own.next_fetch_after], [1, NOW, hoursAfter(12)]);
  });

  it('without a model nothing was asked', async () => {
    const { ctx, id } = await open(failing);

    await record(ctx, id, { result: 'model_not_configured' });

    const source = await stored(ctx, id);
    assert.deepEqual(
      [source.consecutive_errors, source.consecutive_no_change, source.last_polled_at, source.next_fetch_after],
      [2, 3, hoursAfter(-4), hoursAfter(24)],
    );
  });

  it('a skipped run and a dry run move nothing', async () => {
    const { ctx, id } = await open(failing);
    const before = await stored(ctx, id);

    const skipped = await record(ctx, id, { result: 'skipped', error: 'x'.repeat(600) });
    const dry = await record(ctx, id, { result: 'dry_run' });

    assert.deepEqual(await stored(ctx, id), before);
    assert.deepEqual([skipped.status, skipped.error_category, skipped.error?.length], ['skipped', null, 500]);
    assert.equal(dry.status, 'dry_run');
  });

  it('20 failures at once are 20 failures', async () => {
    const { ctx, id } = await open();

    await atOnce(() => record(ctx, id, { result: 'error' }));

    assert.equal((await stored(ctx, id)).consecutive_errors, 20);
  });

  it('a report moves the source like a fetch of the service', async () => {
    const { ctx, id } = await open(failing);
    const admin = as(ctx, 'admin');

    const row = await reportFetch(admin, {
      sourceId: id,
      status: 'error',
      errorCategory: 'malformed',
      error: 'no list',
      ...found,
    });
    const source = await stored(ctx, id);
    const good = await reportFetch(admin, { sourceId: id, status: 'no_change', releasesFound: 4, releasesInserted: 0 });

    assert.deepEqual(
      [row.trigger, row.status, row.errorCategory, row.error, row.sourceSlug, row.orgSlug, row.createdAt],
      ['agent', 'error', 'malformed', 'no list', 'a', null, NOW],
    );
    assert.deepEqual([source.consecutive_errors, source.last_outcome, source.last_polled_at], [3, 'malformed', NOW]);
    assert.deepEqual([good.status, good.errorCategory, good.releasesFound], ['no_change', null, 4]);
    assert.equal((await stored(ctx, id)).last_fetched_at, NOW);
    await assert.rejects(reportFetch(admin, { sourceId: 'src_none', status: 'success', ...found }), {
      code: 'not_found',
      details: { entity: 'source', value: 'src_none', field: 'sourceId' },
    });
    const audit = await ctx.store.read.selectFrom('audit_log').select(['action', 'target_id']).execute();
    assert.deepEqual(
      audit.map((entry) => `${entry.action} ${entry.target_id}`),
      Array(2).fill(`fetch_log.create ${id}`),
    );
  });
});
