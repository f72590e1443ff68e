import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { addReleases, makeDeletedOrg, makeOrg, makeProduct, makeSource, plain } from '../../../test/support/named.ts';
import { type Context, transact } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { type FetchRun, recordFetch } from './record-fetch.ts';
import { readStats } from './stats.ts';

const NOW = '2026-03-31T12:00:00.000Z';

function setSource(ctx: Context, id: string, columns: Partial<SourceRow>) {
  return transact(ctx, ({ tx }) => tx.updateTable('sources').set(columns).where('id', '=', id).execute());
}

function logRun(ctx: Context, sourceId: string, more: Partial<FetchRun> = {}) {
  const run: FetchRun = { sourceId, trigger: 'schedule', result: 'success', releasesFound: 3, releasesInserted: 1 };
  return transact(ctx, (ctx) => recordFetch(ctx, { ...run, ...more }));
}

forEachEngine('stats', (engine) => {
  const open = async () => as((await engine.openTestApp({ clock: () => new Date(NOW) })).ctx, null);

  it('an empty registry', async () => {
    const ctx = await open();

    const stats = await readStats(ctx, { days: 30 });

    assert.deepEqual(stats, {
      orgs: 0,
      sources: 0,
      products: 0,
      releases: 0,
      period: { days: 30, cutoff: '2026-03-01T12:00:00.000Z' },
      totals: { organizations: 0, sources: 0, products: 0, releases: 0, releasesInPeriod: 0 },
      sourceHealth: { upToDate: 0, stale: 0, neverFetched: 0 },
      sourceActivity: [],
      recentActivity: [],
    });
  });

  it('counts visible entities, releases of the period by UTC day, and the health of sources', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const dark = await makeOrg(ctx, { slug: 'dark', isHidden: true });
    await makeDeletedOrg(ctx, { slug: 'gone' });
    await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    await makeProduct(ctx, { slug: 'hid', orgId: acme.id, isHidden: true });
    await makeProduct(ctx, { slug: 'bur', orgId: dark.id });
    const fresh = await makeSource(ctx, { slug: 'fresh', orgId: acme.id });
    const stale = await makeSource(ctx, { slug: 'stale', name: 'Zebra', orgId: acme.id });
    const alone = await makeSource(ctx, { slug: 'alone', name: 'aardvark' });
    const buried = await makeSource(ctx, { slug: 'buried', orgId: dark.id });
    const hidden = await makeSource(ctx, { slug: 'hidden', isHidden: true });
    await addReleases(ctx, fresh, ['1.0.0', '1.1.0', '1.2.0']);
    await addReleases(ctx, stale, ['0.1.0'], { publishedAt: '2026-03-02T00:00:00.000Z' });
    await addReleases(ctx, alone, ['9.0.0'], { publishedAt: '2026-03-01T23:00:00.000Z' });
    await addReleases(ctx, alone, ['9.9.9'], { publishedAt: '2026-04-01T00:00:00.000Z' });
    for (const source of [buried, hidden]) await addReleases(ctx, source, ['5.0.0']);
    await setSource(ctx, fresh.id, { last_fetched_at: '2026-03-01T12:00:00.000Z' });
    await setSource(ctx, stale.id, { last_fetched_at: '2026-03-01T11:59:59.999Z' });

    const stats = plain(await readStats(ctx, { days: 30 }));
    const day = await readStats(ctx, { days: 1 });
    const long = await readStats(ctx, { days: 3650 });

    assert.deepEqual([stats.orgs, stats.sources, stats.products, stats.releases], [1, 3, 1, 5]);
    assert.deepEqual(stats.totals, { organizations: 1, sources: 3, products: 1, releases: 5, releasesInPeriod: 4 });
    assert.deepEqual(stats.sourceHealth, { upToDate: 1, stale: 1, neverFetched: 1 });
    assert.deepEqual(
      stats.sourceActivity.map((row) => [row.sourceSlug, row.recentReleases, row.totalReleases]),
      [
        ['fresh', 3, 3],
        ['stale', 1, 1],
        ['alone', 0, 1],
      ],
    );
    assert.deepEqual(stats.sourceActivity[2], {
      sourceName: 'aardvark',
      sourceSlug: 'alone',
      sourceType: 'feed',
      orgName: null,
      lastFetchedAt: null,
      totalReleases: 1,
      recentReleases: 0,
    });
    assert.equal(day.totals.releasesInPeriod, 1);
    assert.equal(long.totals.releasesInPeriod, 5);
    assert.deepEqual(
      long.sourceActivity.map((row) => row.sourceSlug),
      ['fresh', 'alone', 'stale'],
    );
  });

  it('shows the last 20 runs of visible sources, without what an address may hold', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const shown = await makeSource(ctx, { slug: 'shown', orgId: acme.id });
    const hidden = await makeSource(ctx, { slug: 'hidden', isHidden: true });
    for (let index = 0; index < 22; index += 1) await logRun(ctx, shown.id);
    await logRun(ctx, hidden.id);
    const later = { ...ctx, clock: () => new Date('2026-03-31T12:00:01.000Z') };
    const error = `unreachable: https://joe:pw@acme.example/feed?key=1 ${'x'.repeat(400)}`;
    await logRun(later, shown.id, { result: 'unreachable', error, durationMs: 12 });

    const { recentActivity } = plain(await readStats(later, { days: 30 }));

    assert.equal(recentActivity.length, 20);
    assert.ok(recentActivity.every((row) => row.sourceSlug === 'shown'));
    const [newest] = recentActivity;
    assert.match(newest?.error ?? '', /^unreachable: https:\/\/acme\.example\/feed x{150,}$/);
    assert.deepEqual(
      { ...newest, error: newest?.error?.length },
      {
        sourceName: 'shown',
        sourceSlug: 'shown',
        orgName: 'acme',
        releasesFound: 3,
        releasesInserted: 1,
        totalReleases: 0,
        status: 'error',
        durationMs: 12,
        error: 200,
        createdAt: '2026-03-31T12:00:01.000Z',
      },
    );
  });
});
