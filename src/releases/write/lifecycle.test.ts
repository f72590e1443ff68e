import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { type Context, plainAnswer, transact } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { releaseDetail } from '../detail.ts';
import { readFeed } from '../feeds/feed.ts';
import { clearSource } from './clear-source.ts';
import { linkCoverage, readCoverage, unlinkCoverage } from './coverage.ts';
import { deleteRelease, deleteReleases } from './delete.ts';
import { patchRelease } from './patch.ts';
import { surfaceDueReleases } from './pending.ts';
import { suppressRelease } from './suppress.ts';

async function seen(ctx: Context, sourceId: string, filter = {}): Promise<(string | null)[]> {
  const feed = await readFeed(ctx, {
    branches: [{ column: 'source_id', value: sourceId }],
    filter,
    page: { limit: 50 },
  });
  return feed.releases.map((item) => item.version);
}

async function counted(ctx: Context, sourceId: string): Promise<number> {
  const row = await ctx.store.read
    .selectFrom('source_figures')
    .selectAll()
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const days = await ctx.store.read.selectFrom('release_days').selectAll().where('source_id', '=', sourceId).execute();
  const byDay = days.reduce((sum, entry) => sum + entry.count, 0);
  assert.equal(byDay, row?.release_count ?? 0, 'day counts add up to the release count');
  let through = 0;
  for (const entry of days.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    through += entry.count;
    assert.equal(entry.through, through, `releases up to ${entry.day}`);
  }
  return row?.release_count ?? 0;
}

const anonymous = (ctx: Context): Context => ({ ...ctx, caller: ANONYMOUS, answer: plainAnswer() });

forEachEngine('release lifecycle', (engine) => {
  it('a suppressed release leaves lists, figures and full text, and comes back', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, src, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    const id = insertedIds[0] ?? '';

    await suppressRelease(ctx, id, { suppressed: true, reason: 'wrong' });

    assert.deepEqual(await seen(ctx, src), ['1.1.0']);
    assert.deepEqual(await seen(ctx, src, { q: 'thing' }), ['1.1.0']);
    assert.equal(await counted(ctx, src), 1);
    await assert.rejects(releaseDetail(anonymous(ctx), id), { code: 'not_found' });
    assert.equal((await releaseDetail(ctx, id)).suppressedReason, 'wrong');

    await suppressRelease(ctx, id, { suppressed: false });

    assert.equal((await seen(ctx, src, { q: 'thing' })).length, 2);
    assert.equal(await counted(ctx, src), 2);
  });

  it('a coverage link hides one release behind another, moves chains and can be undone', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, src, [
      releaseRow('1.0.0'),
      releaseRow('1.1.0'),
      releaseRow('1.2.0'),
    ]);
    const [a = '', b = '', c = ''] = insertedIds;
    await linkCoverage(ctx, b, { coverageIds: [a], decidedBy: 'human:api' });

    await linkCoverage(ctx, c, { coverageIds: [b], decidedBy: 'human:api' });

    assert.deepEqual(await seen(ctx, src), ['1.2.0']);
    assert.equal((await seen(ctx, src, { includeCoverage: true })).length, 3);
    const reported = await readCoverage(ctx, c);
    assert.equal(reported.role, 'canonical');
    assert.deepEqual(reported.covers.map((row) => row.coverageId).sort(), [a, b].sort());
    assert.equal((await releaseDetail(ctx, c)).coverageCount, 2);
    await assert.rejects(linkCoverage(ctx, a, { coverageIds: [c], decidedBy: 'human:api' }), { code: 'conflict' });
    await assert.rejects(linkCoverage(ctx, c, { coverageIds: [c], decidedBy: 'human:api' }), {
      code: 'validation_failed',
    });

    await unlinkCoverage(ctx, a);

    assert.equal((await releaseDetail(ctx, c)).coverageCount, 1);
    assert.equal(await counted(ctx, src), 2);
    assert.equal((await ctx.store.read.selectFrom('coverage_denials').selectAll().execute()).length, 1);
  });

  it('a deleted release stays deleted, and what it covered is shown again', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, src, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    const [a = '', b = ''] = insertedIds;
    await linkCoverage(ctx, b, { coverageIds: [a], decidedBy: 'human:api' });

    await deleteRelease(ctx, { id: b });
    const again = await postReleases(ctx, src, [releaseRow('1.1.0')]);

    assert.deepEqual(again.items, [{ index: 0, id: null, outcome: 'skipped', reason: 'deleted' }]);
    assert.deepEqual(await seen(ctx, src), ['1.0.0']);
    assert.equal(await deleteReleases(ctx, { ids: [a, 'rel_unknown'] }), 1);
    assert.equal(await counted(ctx, src), 0);
  });

  it('a patched field is pinned: the next batch leaves it alone until the pin is lifted', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, src, [releaseRow('1.0.0')]);
    const id = insertedIds[0] ?? '';

    await patchRelease(ctx, id, { title: 'By hand', summary: 'Mine.' });
    await postReleases(ctx, src, [releaseRow('1.0.0', { content: 'A new body for the same release.' })]);

    const kept = await releaseDetail(ctx, id);
    assert.deepEqual(
      [kept.title, kept.summary, kept.content],
      ['By hand', 'Mine.', 'A new body for the same release.'],
    );

    await patchRelease(ctx, id, { pinned: [] });
    await postReleases(ctx, src, [releaseRow('1.0.0', { content: 'Yet another body of it.' })]);

    assert.equal((await releaseDetail(ctx, id)).title, '1.0.0');
  });

  it('a url patched onto another release is a conflict', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const { insertedIds } = await postReleases(ctx, src, [releaseRow('1.0.0'), releaseRow('1.1.0')]);

    const patch = patchRelease(ctx, insertedIds[0] ?? '', { url: 'https://releases.example/1.1.0' });

    await assert.rejects(patch, { code: 'conflict' });
  });

  it('a future release appears, counts and is announced when its time comes', async () => {
    let at = new Date('2026-06-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock: () => at });
    const { id: src } = await createSource(ctx);
    const rows = [releaseRow('1.0.0', { publishedAt: '2026-06-02T00:00:00.000Z' })];
    const result = await postReleases(ctx, src, rows);
    assert.deepEqual([result.announced, await counted(ctx, src), (await seen(ctx, src)).length], [0, 0, 0]);

    at = new Date('2026-06-02T00:00:30.000Z');
    await surfaceDueReleases(ctx);

    assert.deepEqual([await counted(ctx, src), await seen(ctx, src)], [1, ['1.0.0']]);
    assert.equal((await ctx.store.read.selectFrom('events').selectAll().execute()).length, 1);
    assert.equal(await surfaceDueReleases(ctx), 0);
  });

  it('hiding a source hides its releases everywhere; figures stay for those who may look', async () => {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    const orgFeed = async () =>
      (await readFeed(ctx, { branches: [{ column: 'org_id', value: org.id }], filter: {}, page: { limit: 10 } }))
        .releases.length;
    assert.equal(await orgFeed(), 2);

    await updateSource(ctx, { src: source.id }, { isHidden: true });

    assert.equal(await orgFeed(), 0);
    assert.equal((await seen(ctx, source.id, { hidden: true })).length, 2);
    assert.equal((await seen(ctx, source.id, { q: 'thing' })).length, 0);
    assert.equal(await counted(ctx, source.id), 2);
    const row = await ctx.store.read
      .selectFrom('orgs')
      .select('release_count')
      .where('id', '=', org.id)
      .executeTakeFirst();
    assert.equal(row?.release_count, 0);

    await updateSource(ctx, { src: source.id }, { isHidden: false });

    assert.equal((await seen(ctx, source.id, { q: 'thing' })).length, 2);
  });

  it('clearing a source suppresses all its releases, or forgets them for good', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    await postReleases(ctx, src, [releaseRow('1.0.0'), releaseRow('1.1.0')]);

    assert.deepEqual(await clearSource(ctx, { src }, { hard: false, reason: 'wrong page' }), { suppressed: 2 });
    assert.equal(await counted(ctx, src), 0);
    assert.deepEqual(await clearSource(ctx, { src }, { hard: true }), { deleted: 2, hard: true });
    assert.equal((await postReleases(ctx, src, [releaseRow('1.0.0')])).items[0]?.reason, 'deleted');
  });

  it('rolls back everything when a transaction fails', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);

    const failing = transact(ctx, async (ctx) => {
      await postReleases(ctx, src, [releaseRow('1.0.0')]);
      throw new Error('stop here');
    });

    await assert.rejects(failing, /stop here/);
    assert.deepEqual(
      [await counted(ctx, src), await seen(ctx, src), await seen(ctx, src, { q: 'thing' })],
      [0, [], []],
    );
    assert.equal((await ctx.store.read.selectFrom('events').selectAll().execute()).length, 0);
  });
});
