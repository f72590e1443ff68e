// The same figure is equal everywhere, after any sequence of changes.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Context } from '../../src/context.ts';
import { deleteSource, restoreSource } from '../../src/entities/sources/delete.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import { clearSource } from '../../src/releases/write/clear-source.ts';
import { linkCoverage, unlinkCoverage } from '../../src/releases/write/coverage.ts';
import { deleteReleases } from '../../src/releases/write/delete.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { repairFigures } from '../../src/releases/write/repair.ts';
import { suppressReleases } from '../../src/releases/write/suppress.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const NOW = new Date('2026-06-15T12:00:00.000Z');

type Change = (ctx: Context, pick: (index: number) => { release: string; source: string }) => Promise<unknown>;

const FUTURE = '2026-12-01T00:00:00.000Z';

// Each change takes arbitrary arguments; a refused change is a change too.
const CHANGES: ((a: number, b: number) => Change)[] = [
  (a) => (ctx, pick) => suppressReleases(ctx, [pick(a).release], { suppressed: true }),
  (a) => (ctx, pick) => suppressReleases(ctx, [pick(a).release], { suppressed: false }),
  (a, b) => (ctx, pick) =>
    linkCoverage(ctx, pick(a).release, { coverageIds: [pick(b).release], decidedBy: 'human:test' }),
  (a) => (ctx, pick) => unlinkCoverage(ctx, pick(a).release),
  (a) => (ctx, pick) => deleteReleases(ctx, { ids: [pick(a).release] }),
  (a, b) => (ctx, pick) => updateSource(ctx, { src: pick(a).source }, { isHidden: b % 2 === 0 }),
  (a) => (ctx, pick) => deleteSource(ctx, { path: { src: pick(a).source }, hard: false }),
  (a) => (ctx, pick) => restoreSource(ctx, pick(a).source),
  (a) => (ctx, pick) => patchRelease(ctx, pick(a).release, { publishedAt: FUTURE }),
  (a) => (ctx, pick) => patchRelease(ctx, pick(a).release, { publishedAt: '2026-06-01T00:00:00.000Z' }),
  (a) => (ctx, pick) => patchRelease(ctx, pick(a).release, { publishedAt: null }),
  (a) => (ctx, pick) => clearSource(ctx, { src: pick(a).source }, { hard: false }),
];

const change = fc.tuple(fc.nat({ max: CHANGES.length - 1 }), fc.nat({ max: 20 }), fc.nat({ max: 20 }));

forEachEngine('figures', (engine) => {
  it('agree between stats, org list, org detail, source list, source detail and feeds', async () => {
    const app = await engine.openTestApp({ clock: () => NOW });
    const { ctx } = app;
    const org = await createOrg(ctx);
    const sources = [];
    for (let index = 0; index < 3; index += 1) sources.push((await createSource(ctx, { orgId: org.id })).id);
    const releases: { release: string; source: string }[] = [];
    for (const source of sources) {
      const rows = Array.from({ length: 7 }, (_, index) =>
        releaseRow(`1.${index}.0`, { publishedAt: `2026-06-0${index + 1}T00:00:00.000Z` }),
      );
      const { insertedIds } = await postReleases(ctx, source, rows);
      releases.push(...insertedIds.map((release) => ({ release, source })));
    }
    const service = await startService(app);
    const pick = (index: number) => releases[index % releases.length] as { release: string; source: string };

    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const [kind, a, b] of steps) await CHANGES[kind]?.(a, b)(ctx, pick).catch(onlyExpected);
        await compare(service, org.slug);
        assert.equal(await repairFigures(ctx), 0, 'derived tables equal the truth');
      }),
      { numRuns: 12 },
    );
  });
});

function onlyExpected(error: { code?: string }): void {
  if (!['not_found', 'conflict', 'validation_failed'].includes(error.code ?? '')) throw error;
}

async function compare(service: Service, slug: string): Promise<void> {
  const { anonymous } = service;
  const [stats, list, detail, sources, feed] = await Promise.all([
    anonymous.get('/v1/stats'),
    anonymous.get('/v1/orgs?includeEmpty=true'),
    anonymous.get(`/v1/orgs/${slug}`),
    anonymous.get(`/v1/sources?orgSlug=${slug}`),
    anonymous.get(`/v1/orgs/${slug}/releases?limit=100&include_prereleases=true`),
  ]);
  const listed = list.body.items.find((item: { slug: string }) => item.slug === slug);
  const counts: number[] = sources.body.items.map((item: { releaseCount: number }) => item.releaseCount);
  const shown = feed.body.releases.length;
  assert.deepEqual(
    {
      stats: stats.body.releases,
      list: listed.releaseCount,
      detail: detail.body.releaseCount,
      sources: counts.reduce((sum, count) => sum + count, 0),
      sourceCount: [stats.body.sources, listed.sourceCount, detail.body.sourceCount],
    },
    {
      stats: shown,
      list: shown,
      detail: shown,
      sources: shown,
      sourceCount: [counts.length, counts.length, counts.length],
    },
  );
  assert.equal(
    listed.sparkline.reduce((sum: number, count: number) => sum + count, 0),
    listed.recentReleaseCount,
  );
  assert.equal(detail.body.releasesLast30Days, listed.recentReleaseCount);
  for (const item of sources.body.items) {
    const { body } = await anonymous.get(`/v1/sources/${item.id}?include_prereleases=true`);
    assert.equal(body.releaseCount, item.releaseCount);
    assert.equal(body.pagination.totalItems, item.releaseCount);
  }
}
