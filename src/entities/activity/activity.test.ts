import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import { type Context, transact } from '../../context.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { orgSparklines } from '../orgs/sparklines.ts';
import { updateOrg } from '../orgs/update.ts';
import { recordFetch } from '../registry/record-fetch.ts';
import { orgHeatmap, productHeatmap, sourceHeatmap } from './counts.ts';
import { orgActivity, productActivity, sourceActivity } from './weekly.ts';

forEachEngine('activity', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine
      .openTestApp({ clock: () => new Date('2026-03-31T12:00:00.000Z') })
      .then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };
  const at = (day: string) => `${day}T09:30:00.000Z`;
  // Releases in the weeks of Monday 2 and 9 March, on a day two years ago and tomorrow, and a hidden source.
  const makeOrg = async (ctx: Context) => {
    const org = await createOrg(ctx, { name: 'Acme' });
    const product = await createProduct(ctx, org.id, { name: 'Engine' });
    const engineSource = await createSource(ctx, { orgId: org.id, productId: product.id, name: 'Engine' });
    const docs = await createSource(ctx, { orgId: org.id, name: 'Docs' });
    const hidden = await createSource(ctx, { orgId: org.id, name: 'Hidden', isHidden: true });
    await postReleases(ctx, engineSource.id, [
      releaseRow('1.9.0', { publishedAt: at('2026-03-02') }),
      releaseRow('1.10.0', { publishedAt: at('2026-03-08') }),
      releaseRow('1.8.1', { publishedAt: at('2026-03-07') }),
      releaseRow('2.0.0-beta.1', { publishedAt: at('2026-03-09') }),
      releaseRow('3.0.0', { publishedAt: at('2026-04-01') }),
      releaseRow('0.0.1', { publishedAt: undefined }),
    ]);
    await postReleases(ctx, docs.id, [
      releaseRow('Spring', { publishedAt: at('2026-03-04') }),
      releaseRow('Autumn', { publishedAt: at('2024-03-15') }),
    ]);
    await postReleases(ctx, hidden.id, [releaseRow('7.0.0', { publishedAt: at('2026-03-03') })]);
    return { org, product, engineSource, docs };
  };

  it('counts an org by week and source, with lowest and highest stable versions', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);

    const activity = await orgActivity(as(ctx, null), { org: org.slug, range: {} });

    assert.deepEqual(activity.range, { from: '2024-03-15', to: '2026-03-09' });
    assert.deepEqual(activity.aggregateWeekly, [
      { weekStart: '2024-03-11', count: 1 },
      { weekStart: '2026-03-02', count: 4 },
      { weekStart: '2026-03-09', count: 1, breaking: true, worst: 'major' },
    ]);
    const [docs, engineRow] = activity.sources;
    assert.deepEqual(docs, {
      slug: docs?.slug,
      name: 'Docs',
      releaseCount: 2,
      avgReleasesPerWeek: 0.1,
      earliestVersion: 'Autumn',
      latestVersion: 'Spring',
      latestDate: at('2026-03-04'),
      weeklyBuckets: [
        { weekStart: '2024-03-11', count: 1, earliestVersion: 'Autumn', latestVersion: 'Autumn' },
        { weekStart: '2026-03-02', count: 1, earliestVersion: 'Spring', latestVersion: 'Spring' },
      ],
    });
    assert.deepEqual(
      [engineRow?.releaseCount, engineRow?.earliestVersion, engineRow?.latestVersion, engineRow?.latestDate],
      [4, '1.8.1', '1.10.0', at('2026-03-09')],
    );
    assert.deepEqual(engineRow?.weeklyBuckets, [
      {
        weekStart: '2026-03-02',
        count: 3,
        earliestVersion: '1.8.1',
        latestVersion: '1.10.0',
      },
      { weekStart: '2026-03-09', count: 1, earliestVersion: null, latestVersion: null, breaking: true, worst: 'major' },
    ]);
  });

  const ranges: [string, { from?: string; to?: string }, { from: string; to: string } | 'bad_request'][] = [
    ['both ends', { from: '2026-03-01', to: '2026-03-05' }, { from: '2026-03-01', to: '2026-03-05' }],
    ['the end alone', { to: '2026-03-04' }, { from: '2024-03-15', to: '2026-03-04' }],
    ['the beginning alone', { from: '2026-03-04' }, { from: '2026-03-04', to: '2026-03-09' }],
    ['a beginning after the last release', { from: '2026-05-01' }, { from: '2026-05-01', to: '2026-05-01' }],
    ['an end before the first one', { to: '2020-01-01' }, { from: '2020-01-01', to: '2020-01-01' }],
    ['the wrong order', { from: '2026-03-05', to: '2026-03-01' }, 'bad_request'],
    ['no calendar date', { from: '2026-02-30' }, 'bad_request'],
    ['a span', { from: '7d' }, 'bad_request'],
    ['a date-time', { to: '2026-03-01T00:00:00Z' }, 'bad_request'],
  ];
  it('takes a range of days, the last one included', async () => {
    const ctx = await open();
    const { org, product, engineSource } = await makeOrg(ctx);
    for (const [title, range, expected] of ranges) {
      const work = orgActivity(ctx, { org: org.id, range });
      if (expected === 'bad_request') assert.equal((await refused(work))?.code, expected, title);
      else assert.deepEqual((await work).range, expected, title);
    }
    const range = { from: '2026-03-03', to: '2026-03-08' };
    const { product: named, sources } = await productActivity(ctx, { path: { prod: product.id }, range });
    assert.deepEqual([named.name, sources.map((source) => source.releaseCount)], ['Engine', [2]]);
    const one = await sourceActivity(ctx, { path: { org: org.id, source: engineSource.slug }, range });
    assert.deepEqual(one, {
      source: { slug: engineSource.slug, name: 'Engine', orgSlug: org.slug, orgName: 'Acme' },
      range,
      weeklyBuckets: [
        {
          weekStart: '2026-03-02',
          count: 2,
          earliestVersion: '1.8.1',
          latestVersion: '1.10.0',
        },
      ],
    });
  });

  it('marks weeks with a breaking release and weeks that could not be read', async () => {
    const ctx = await open();
    const { org, product, engineSource, docs } = await makeOrg(ctx);
    const fetchAt = (day: string, result: FetchOutcome) =>
      transact({ ...ctx, clock: () => new Date(at(day)) }, (inner) =>
        recordFetch(inner, {
          sourceId: engineSource.id,
          trigger: 'schedule',
          result,
          releasesFound: 0,
          releasesInserted: 0,
        }),
      );
    await fetchAt('2026-02-18', 'success');
    await fetchAt('2026-02-25', 'no_change');
    await fetchAt('2026-03-03', 'timeout');
    await fetchAt('2026-03-08', 'success');
    await fetchAt('2026-03-11', 'blocked');
    await fetchAt('2026-03-17', 'blocked');
    await postReleases(ctx, engineSource.id, [
      releaseRow('4.0.0', { publishedAt: at('2026-03-12'), breaking: 'major' }),
    ]);
    const range = { from: '2026-02-02', to: '2026-03-31' };
    const unreadWeeks = ['2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'];
    const marked = { weekStart: '2026-03-09', count: 2, breaking: true, worst: 'major', unread: true };

    const one = await sourceActivity(as(ctx, null), { path: { src: engineSource.id }, range });
    assert.deepEqual(one.unreadWeeks, unreadWeeks);
    assert.deepEqual(one.weeklyBuckets, [
      {
        weekStart: '2026-03-02',
        count: 3,
        earliestVersion: '1.8.1',
        latestVersion: '1.10.0',
      },
      { ...marked, earliestVersion: '4.0.0', latestVersion: '4.0.0' },
    ]);
    const { aggregateWeekly, unreadWeeks: ofProduct } = await productActivity(ctx, {
      path: { prod: product.id },
      range,
    });
    assert.deepEqual([aggregateWeekly.at(-1), ofProduct], [marked, unreadWeeks]);
    const whole = await orgActivity(ctx, { org: org.id, range: { from: '2026-03-09', to: '2026-03-22' } });
    assert.deepEqual(whole.unreadWeeks, ['2026-03-09', '2026-03-16']);
    assert.equal(whole.sources.find(({ slug }) => slug === docs.slug)?.unreadWeeks, undefined);
  });

  it('answers an org without releases with today', async () => {
    const ctx = await open();
    const org = await createOrg(ctx);

    const activity = await orgActivity(ctx, { org: org.id, range: {} });

    assert.deepEqual(activity, {
      org: { slug: org.slug, name: org.name },
      range: { from: '2026-03-31', to: '2026-03-31' },
      sources: [],
      aggregateWeekly: [],
    });
  });

  it('maps a year of days, of orgs, products and sources', async () => {
    const ctx = await open();
    const { org, product, docs } = await makeOrg(ctx);

    const map = await orgHeatmap(as(ctx, null), { org: org.id });

    assert.deepEqual(map.range, { from: '2025-04-01', to: '2026-03-31' });
    assert.deepEqual(map.dailyCounts, [
      { date: '2026-03-02', count: 1 },
      { date: '2026-03-04', count: 1 },
      { date: '2026-03-07', count: 1 },
      { date: '2026-03-08', count: 1 },
      { date: '2026-03-09', count: 1 },
    ]);
    assert.equal(map.total, 5);
    assert.equal((await productHeatmap(ctx, { org: org.slug, product: product.slug })).total, 4);
    assert.equal((await sourceHeatmap(ctx, { src: docs.id })).total, 1);
  });

  it('draws 30 days for the org, its sources and its products', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);

    const lines = await orgSparklines(as(ctx, null), { org: org.id });

    const sum = (line: readonly number[]) => line.reduce((total, count) => total + count, 0);
    assert.deepEqual([lines.range.from, lines.aggregate.length, sum(lines.aggregate)], ['2026-03-02', 30, 5]);
    assert.deepEqual(
      [...lines.sources, ...lines.products].map(({ name, sparkline }) => [name, sum(sparkline)]),
      [
        ['Docs', 1],
        ['Engine', 4],
        ['Engine', 4],
      ],
    );
  });

  it('is the same for writers while the org is hidden, and gone for everybody else', async () => {
    const ctx = await open();
    const { org, docs } = await makeOrg(ctx);
    const read = async (reader: Context) => [
      await orgActivity(reader, { org: org.id, range: {} }),
      await orgHeatmap(reader, { org: org.id }),
      await orgSparklines(reader, { org: org.id }),
      await sourceActivity(reader, { path: { src: docs.id }, range: {} }),
    ];
    const before = await read(as(ctx, null));
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });

    assert.deepEqual(await read(ctx), before);
    assert.equal((await refused(read(as(ctx, null))))?.code, 'not_found');
    assert.equal((await refused(sourceHeatmap(as(ctx, null), { src: docs.id })))?.code, 'not_found');
  });
});
