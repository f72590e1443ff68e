// Generated summaries, through the worker's task and the public API.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { reportFetch } from '../../src/entities/registry/record-fetch.ts';
import { writeDueSummaries } from '../../src/insight/summaries/due-sources.ts';
import { listSourceSummaries } from '../../src/releases/summaries/list.ts';
import { upsertSummary } from '../../src/releases/summaries/upsert.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';

const DAY = 86_400_000;

forEachEngine('summaries', (engine) => {
  async function open(start = '2026-03-20T12:00:00.000Z') {
    const clock = movableClock(start);
    const { ctx: system } = await engine.openTestApp({ clock });
    const ctx = as(system, 'write');
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    return { ctx, clock, source };
  }
  const released = (version: string, day: string, content: string) =>
    releaseRow(version, { publishedAt: `${day}T10:00:00.000Z`, content });
  // As a check of the source that found nothing.
  const check = (ctx: Context, sourceId: string) =>
    reportFetch(as(ctx, 'admin'), { sourceId, status: 'no_change', releasesFound: 0, releasesInserted: 0 });
  const texts = async (ctx: Context, src: string) =>
    (await listSourceSummaries(ctx, { path: { src }, filter: {} })).map((row) => [
      row.type === 'rolling' ? `${row.windowDays} d` : `${row.year}-${row.month}`,
      row.releaseCount,
      row.summary,
    ]);

  it('are written for the last 30 days and every past month', async () => {
    const { ctx, source } = await open();
    await postReleases(ctx, source.id, [
      released('1.0.0', '2026-01-05', '- Added hooks'),
      released('1.0.1', '2026-01-20', '- Fixed a leak in the parser'),
      released('1.1.0', '2026-03-15', '- Added dark mode'),
    ]);

    assert.equal(await writeDueSummaries(ctx), 1);
    assert.deepEqual(await texts(ctx, source.id), [
      ['30 d', 1, '1 release: 1.1.0. Added dark mode.'],
      ['2026-1', 2, '2 releases: 1.0.0 to 1.0.1. Added hooks (1.0.0); Fixed a leak in the parser (1.0.1).'],
    ]);
    assert.equal(await writeDueSummaries(ctx), 0);
  });

  it('follow additions, edits and withdrawals of their period', async () => {
    const { ctx, clock, source } = await open();
    const { insertedIds } = await postReleases(ctx, source.id, [released('1.0.0', '2026-01-05', '- Added hooks')]);
    await writeDueSummaries(ctx);
    clock.move(1000);
    await patchRelease(ctx, insertedIds[0] ?? '', { content: '- Added more hooks' });
    await writeDueSummaries(ctx);
    assert.deepEqual((await texts(ctx, source.id))[1], ['2026-1', 1, '1 release: 1.0.0. Added more hooks.']);

    clock.move(1000);
    const second = await postReleases(ctx, source.id, [released('0.9.0', '2026-02-05', '- Added the start')]);
    await writeDueSummaries(ctx);
    assert.deepEqual(
      (await texts(ctx, source.id)).map(([period]) => period),
      ['30 d', '2026-2', '2026-1'],
    );

    clock.move(1000);
    await suppressRelease(ctx, second.insertedIds[0] ?? '', { suppressed: true });
    await writeDueSummaries(ctx);
    assert.deepEqual(
      (await texts(ctx, source.id)).map(([period]) => period),
      ['30 d', '2026-1'],
    );
  });

  it('tell when nothing happened, and move with the days', async () => {
    const { ctx, clock, source } = await open();
    await postReleases(ctx, source.id, [released('1.0.0', '2026-03-05', '- Added hooks')]);
    await writeDueSummaries(ctx);
    clock.move(20 * DAY);
    await check(ctx, source.id);

    assert.equal(await writeDueSummaries(ctx), 1);
    assert.deepEqual(await texts(ctx, source.id), [
      ['30 d', 0, 'No releases in the last 30 days; the latest was 1.0.0 on 2026-03-05.'],
      ['2026-3', 1, '1 release: 1.0.0. Added hooks.'],
    ]);
  });

  it('never call a source quiet that was not checked in the period', async () => {
    const { ctx, clock, source } = await open();
    await postReleases(ctx, source.id, [released('1.0.0', '2026-01-05', '- Added hooks')]);
    await writeDueSummaries(ctx);
    assert.deepEqual((await texts(ctx, source.id))[0], [
      '30 d',
      0,
      'Never checked for new releases; the latest stored release is 1.0.0, from 2026-01-05.',
    ]);

    await check(ctx, source.id);
    clock.move(20 * DAY);
    await writeDueSummaries(ctx);
    assert.match(String((await texts(ctx, source.id))[0]), /No releases in the last 30 days/);

    clock.move(20 * DAY);
    await writeDueSummaries(ctx);
    assert.match(String((await texts(ctx, source.id))[0]), /^30 d,0,Not checked in the last 30 days;/);
  });

  it('never call a source quiet that may have released without a date, and name its highest version', async () => {
    const { ctx, clock, source } = await open();
    const undated = ['1.9.0', '1.10.0', '1.2.0'].map((version) => {
      const { publishedAt, ...rest } = releaseRow(version, {});
      return rest;
    });
    await postReleases(ctx, source.id, [...undated, released('1.0.0', '2026-01-05', '- Added hooks')]);
    await check(ctx, source.id);
    await writeDueSummaries(ctx);
    assert.deepEqual((await texts(ctx, source.id))[0], [
      '30 d',
      0,
      'Releases without a date arrived in the last 30 days; the latest stored release is 1.10.0.',
    ]);

    clock.move(31 * DAY);
    await check(ctx, source.id);
    await writeDueSummaries(ctx);
    assert.deepEqual((await texts(ctx, source.id))[0], [
      '30 d',
      0,
      'No releases in the last 30 days; the latest was 1.10.0.',
    ]);
  });

  it('follow the latest release where nothing happened, and go with the last one', async () => {
    const { ctx, clock, source } = await open();
    const { insertedIds } = await postReleases(ctx, source.id, [
      released('1.0.0', '2026-01-05', '- Added hooks'),
      released('1.1.0', '2026-01-15', '- Added dark mode'),
    ]);
    await check(ctx, source.id);
    await writeDueSummaries(ctx);
    assert.match(String((await texts(ctx, source.id))[0]), /the latest was 1\.1\.0 on 2026-01-15/);

    clock.move(1000);
    await suppressRelease(ctx, insertedIds[1] ?? '', { suppressed: true });
    await writeDueSummaries(ctx);
    assert.deepEqual(await texts(ctx, source.id), [
      ['30 d', 0, 'No releases in the last 30 days; the latest was 1.0.0 on 2026-01-05.'],
      ['2026-1', 1, '1 release: 1.0.0. Added hooks.'],
    ]);

    clock.move(1000);
    await suppressRelease(ctx, insertedIds[0] ?? '', { suppressed: true });
    await writeDueSummaries(ctx);
    assert.deepEqual(await texts(ctx, source.id), []);
  });

  it("leave a person's text alone until its releases change", async () => {
    const { ctx, clock, source } = await open();
    await postReleases(ctx, source.id, [released('1.0.0', '2026-01-05', '- Added hooks')]);
    const own = {
      type: 'monthly' as const,
      year: 2026,
      month: 1,
      summary: 'By hand.',
      releaseCount: 1,
      windowDays: 30,
    };
    await upsertSummary(ctx, { path: { src: source.id }, summary: own });
    clock.move(DAY);
    await writeDueSummaries(ctx);
    assert.deepEqual((await texts(ctx, source.id))[1], ['2026-1', 1, 'By hand.']);

    await postReleases(ctx, source.id, [released('1.0.1', '2026-01-06', '- Fixed a leak')]);
    await writeDueSummaries(ctx);
    assert.match(String((await texts(ctx, source.id))[1]), /2 releases: 1\.0\.0 to 1\.0\.1/);
  });

  it('are written once by workers that meet', async () => {
    const { ctx, source } = await open();
    await postReleases(ctx, source.id, [released('1.0.0', '2026-01-05', '- Added hooks')]);
    await Promise.all([writeDueSummaries(ctx), writeDueSummaries(ctx), writeDueSummaries(ctx)]);
    assert.equal((await texts(ctx, source.id)).length, 2);
  });
});
