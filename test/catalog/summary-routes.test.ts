import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { summaryRoutes } from '../../src/http/routes/summaries.ts';
import { sourceSummaries } from '../../src/releases/summaries/list.ts';
import { upsertSummary } from '../../src/releases/summaries/upsert.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const DAY = 86_400_000;

async function open(engine: TestEngine) {
  const clock = movableClock('2026-03-10T12:00:00.000Z');
  const app = await engine.openTestApp({ clock });
  const { ctx } = app;
  const org = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
  const source = await createSource(ctx, { name: 'Engine', url: 'https://acme.dev/1', orgId: org.id });
  const service = await startService(app, { routes: summaryRoutes });
  return { ctx, clock, org, source, path: `/v1/sources/${source.id}/summaries`, ...service };
}

forEachEngine('summary routes', (engine) => {
  it('a text is written once for each window and month, and replaced under its id', async () => {
    const { clock, org, source, path, root } = await open(engine);

    const rolling = await root.post(path, { type: 'rolling', summary: 'Busy.', releaseCount: 3, year: 1999, month: 1 });
    clock.move(DAY);
    const again = await root.post('/v1/orgs/acme/sources/engine/summaries', {
      type: 'rolling',
      summary: 'Calm.',
      releaseCount: 0,
    });
    const week = await root.post(path, { type: 'rolling', summary: 'Week.', releaseCount: 1, windowDays: 7 });
    const month = await root.post(path, { type: 'monthly', summary: 'May.', releaseCount: 2, year: 2025, month: 5 });
    const sameMonth = await root.post(path, {
      type: 'monthly',
      summary: 'May!',
      releaseCount: 2,
      year: 2025,
      month: 5,
    });

    assert.deepEqual(rolling.body, {
      id: rolling.body.id,
      sourceId: source.id,
      orgId: org.id,
      type: 'rolling',
      year: 2026,
      month: 3,
      windowDays: 30,
      summary: 'Busy.',
      releaseCount: 3,
      generatedAt: '2026-03-10T12:00:00.000Z',
    });
    assert.deepEqual(
      [again.body.id, again.body.summary, again.body.generatedAt],
      [rolling.body.id, 'Calm.', '2026-03-11T12:00:00.000Z'],
    );
    assert.notEqual(week.body.id, rolling.body.id);
    assert.deepEqual([month.body.windowDays, month.body.year, month.body.month], [null, 2025, 5]);
    assert.deepEqual([sameMonth.body.id, sameMonth.body.summary], [month.body.id, 'May!']);
  });

  it('one text for 20 callers', async () => {
    const { path, root, anonymous } = await open(engine);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        root.post(path, { type: 'monthly', summary: 'x', releaseCount: 0, year: 2025, month: 5 }),
      ),
    );

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal((await anonymous.get(path)).body.length, 1);
  });

  it('rolling first, then the newest month; by id, slug and path, narrowed by filters', async () => {
    const { ctx, source, path, anonymous } = await open(engine);
    const write = (type: 'rolling' | 'monthly', year: number, month: number, windowDays = 30) =>
      upsertSummary(ctx, {
        path: { src: source.id },
        summary: { type, summary: `${type} ${year}-${month}`, releaseCount: 1, year, month, windowDays },
      });
    await write('monthly', 2025, 12);
    await write('monthly', 2026, 2);
    await write('rolling', 0, 0, 90);
    await write('rolling', 0, 0);
    await write('monthly', 2026, 1);
    const keys = async (url: string) =>
      (await anonymous.get(url)).body.map(
        (row: { year: number; month: number; windowDays: number | null }) =>
          row.windowDays ?? `${row.year}-${row.month}`,
      );

    const all = [30, 90, '2026-2', '2026-1', '2025-12'];
    assert.deepEqual(await keys(path), all);
    assert.deepEqual(await keys(`/v1/summaries?sourceId=${source.id}`), all);
    assert.deepEqual(await keys('/v1/summaries?sourceSlug=engine'), all);
    assert.deepEqual(await keys('/v1/orgs/acme/sources/engine/summaries?type=rolling'), [30, 90]);
    assert.deepEqual(await keys('/v1/summaries?sourceSlug=engine&orgSlug=acme&type=monthly&year=2026'), [
      '2026-2',
      '2026-1',
    ]);
    assert.deepEqual(await keys(`${path}?month=12`), ['2025-12']);
  });

  it('reads without a source, of one that is not there, or of a slug that several have are refused', async () => {
    const { ctx, path, anonymous } = await open(engine);
    await createSource(ctx, { name: 'Engine', url: 'https://acme.dev/2' });

    const answers = await Promise.all(
      [
        '/v1/summaries',
        `${path}?type=weekly`,
        `${path}?month=13`,
        '/v1/sources/engine/summaries',
        '/v1/summaries?sourceId=engine',
        '/v1/summaries?sourceSlug=nobody',
        '/v1/summaries?sourceSlug=engine&orgSlug=nobody',
        '/v1/summaries?sourceSlug=engine',
      ].map((url) => anonymous.get(url)),
    );

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      [
        ...Array(3).fill('400 bad_request'),
        '400 bare_slug_rejected',
        ...Array(3).fill('404 not_found'),
        '409 ambiguous_slug',
      ],
    );
    assert.equal(answers[6]?.body.error.details.parameter, 'orgSlug');
  });

  it('texts that do not fit, are too long or come from nobody are refused', async () => {
    const { path, root, anonymous } = await open(engine);
    const text = { type: 'rolling', summary: 'x', releaseCount: 0 };

    const answers = [
      await root.post(path, { ...text, type: 'monthly', year: 2025 }),
      await root.post(path, { ...text, summary: ' ' }),
      await root.post(path, { ...text, windowDays: 367 }),
      await root.post(path, { ...text, releaseCount: -1 }),
      await root.post(path, { ...text, summary: 'x'.repeat(20_001) }),
      await anonymous.post(path, text),
      await root.post(path, { ...text, summary: 'x'.repeat(1_100_000) }),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      [...Array(5).fill('400 validation_failed'), '401 unauthorized', '413 payload_too_large'],
    );
  });

  it('source detail shows the window of 30 days, else the newest, and 24 months', async () => {
    const { ctx, clock, source } = await open(engine);
    const write = (windowDays: number) =>
      upsertSummary(ctx, {
        path: { src: source.id },
        summary: { type: 'rolling', summary: 'x', releaseCount: 0, windowDays },
      });
    const shown = async () => (await sourceSummaries(ctx, source.id)).rolling?.windowDays ?? null;

    const seen = [await shown()];
    for (const windowDays of [90, 7, 30, 60]) {
      await write(windowDays);
      clock.move(DAY);
      seen.push(await shown());
    }
    for (let index = 0; index < 30; index += 1) {
      const month = { year: 2020 + Math.floor(index / 12), month: 1 + (index % 12) };
      await upsertSummary(ctx, {
        path: { src: source.id },
        summary: { type: 'monthly', summary: 'x', releaseCount: 0, windowDays: 30, ...month },
      });
    }
    const { monthly } = await sourceSummaries(ctx, source.id);

    assert.deepEqual(seen, [null, 90, 7, 30, 30]);
    assert.deepEqual([monthly.length, monthly[0]?.year, monthly[0]?.month, monthly[23]?.year], [24, 2022, 6, 2020]);
  });
});
