import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { addReleases, makeDeletedOrg, makeOrg, makeProduct, makeSource, plain } from '../../../test/support/named.ts';
import { type Context, transact } from '../../context.ts';
import { suppressRelease } from '../../releases/write/suppress.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { deleteOrg } from '../orgs/delete.ts';
import { restoreOrg } from '../orgs/restore.ts';
import { updateOrg } from '../orgs/update.ts';
import { deleteProduct } from '../products/delete.ts';
import { restoreProduct } from '../products/restore.ts';
import { updateProduct } from '../products/update.ts';
import { deleteSource, restoreSource } from '../sources/delete.ts';
import { updateSource } from '../sources/update.ts';
import { visibleSource } from '../visible.ts';
import { type FetchRun, recordFetch } from './record-fetch.ts';
import { readStats, readTotals } from './stats.ts';

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

  it('counts that writes maintain equal a recount, whatever is hidden, moved, deleted or restored', async () => {
    const ctx = as(await open(), 'admin');
    const [acme, other] = [await makeOrg(ctx, { slug: 'acme' }), await makeOrg(ctx, { slug: 'other' })];
    const product = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    const [owned, plainSource, alone] = [
      await makeSource(ctx, { slug: 'owned', orgId: acme.id, productId: product.id }),
      await makeSource(ctx, { slug: 'plain', orgId: acme.id }),
      await makeSource(ctx, { slug: 'alone' }),
    ];
    const [src, path] = [{ src: owned.id }, { prod: product.id }];
    const steps: [string, () => Promise<unknown>][] = [
      ['sources without releases', async () => null],
      ['releases', () => addReleases(ctx, owned, ['1.0.0', '1.1.0', '1.2.0'])],
      ['more of them', () => addReleases(ctx, plainSource, ['2.0.0'], { publishedAt: '2025-01-01T00:00:00.000Z' })],
      ['undated', () => addReleases(ctx, plainSource, ['2.1.0'], { publishedAt: undefined })],
      ['without an org', () => addReleases(ctx, alone, ['3.0.0'])],
      ['one is suppressed', () => suppressNewest(ctx, owned.id)],
      ['the product is hidden', () => updateProduct(ctx, { path, change: { isHidden: true } })],
      ['and shown', () => updateProduct(ctx, { path, change: { isHidden: false } })],
      ['the source is hidden', () => updateSource(ctx, src, { isHidden: true })],
      ['and shown', () => updateSource(ctx, src, { isHidden: false })],
      ['the source moves', () => updateSource(ctx, src, { orgId: other.id })],
      ['its new org is hidden', () => updateOrg(ctx, { org: other.id, change: { isHidden: true } })],
      ['and shown', () => updateOrg(ctx, { org: other.id, change: { isHidden: false } })],
      ['its new org is deleted', () => deleteOrg(ctx, { org: other.id, hard: false })],
      ['and restored', () => restoreOrg(ctx, { org: other.id })],
      ['the source comes back', () => updateSource(ctx, src, { orgId: acme.id, productId: product.id })],
      ['the product is deleted', () => deleteProduct(ctx, { path, hard: false })],
      ['and restored', () => restoreProduct(ctx, path)],
      ['a source is deleted', () => deleteSource(ctx, { path: { src: plainSource.id }, hard: false })],
      ['and restored', () => restoreSource(ctx, plainSource.id)],
      ['a source leaves its org', () => updateSource(ctx, src, { orgId: null })],
      ['a new source', () => makeSource(ctx, { slug: 'late', orgId: other.id })],
    ];
    for (const [name, step] of steps) {
      await step();
      const [stats, totals, recount] = [
        await readStats(ctx, { days: 30 }),
        await readTotals(ctx, { days: 30 }),
        await recounted(ctx),
      ];
      assert.deepEqual(stats.totals, totals, name);
      const { upToDate, stale, neverFetched } = stats.sourceHealth;
      assert.equal(upToDate + stale + neverFetched, recount.sources, name);
      const { sources, releases, releasesInPeriod } = totals;
      assert.deepEqual({ sources, releases, releasesInPeriod }, recount, name);
    }
  });
});

async function suppressNewest(ctx: Context, sourceId: string): Promise<void> {
  const newest = ctx.store.read.selectFrom('releases').select('id').where('source_id', '=', sourceId);
  const { id } = await newest.orderBy('feed_at', 'desc').limit(1).executeTakeFirstOrThrow();
  await suppressRelease(ctx, id, { suppressed: true, reason: 'wrong' });
}

// Counts from the releases themselves, by the rules of visibility.
async function recounted(ctx: Context) {
  const shown = ctx.store.read
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .where(visibleSource());
  const { sources } = await shown.select(({ fn }) => fn.countAll().as('sources')).executeTakeFirstOrThrow();
  const counted = await shown
    .innerJoin('releases as r', 'r.source_id', 's.id')
    .select(({ fn }) => fn.countAll().as('releases'))
    .select(sql<number>`SUM(CASE WHEN r.published_at >= '2026-03-02' THEN 1 ELSE 0 END)`.as('recent'))
    .where('r.suppressed', '=', 0)
    .executeTakeFirstOrThrow();
  return {
    sources: Number(sources),
    releases: Number(counted.releases),
    releasesInPeriod: Number(counted.recent ?? 0),
  };
}
