// Settings of a source about its releases also apply to stored ones, for as long as they are set.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

forEachEngine('a change of settings', (engine) => {
  async function setUp(versions: readonly string[]) {
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const app = await engine.openTestApp({ clock });
    const { ctx } = app;
    const service = await startService(app);
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id, fetchPriority: 'paused' });
    // An hour apart, the last one the newest.
    const rows = versions.map((version, index) =>
      releaseRow(version, { publishedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString() }),
    );
    for (let start = 0; start < rows.length; start += 500) {
      await postReleases(ctx, source.id, rows.slice(start, start + 500), { silent: true });
    }
    const set = async (metadata: object) => {
      const { status } = await service.root.patch(`/v1/sources/${source.id}/metadata`, metadata);
      assert.equal(status, 200);
      await createWorker(ctx, { tasks: createFetching() }).drain();
      assert.deepEqual(
        await ctx.store.read.selectFrom('jobs').select('key').where('kind', '=', 'reapply').execute(),
        [],
      );
    };
    const detail = async () => (await service.anonymous.get(`/v1/sources/${source.id}`)).body;
    return { ctx, set, detail };
  }

  const releases = (ctx: Context) => ctx.store.read.selectFrom('releases').selectAll().orderBy('seq').execute();
  const shown = async (ctx: Context) =>
    (await releases(ctx)).filter((row) => row.listing === 2).map((row) => row.version);

  it('filters hide and show again, and leave alone what a person has hidden', async () => {
    const { ctx, set, detail } = await setUp(['1.0.0', '1.1.0-nightly', '1.2.0', '1.3.0-nightly']);
    const hidden = (await releases(ctx)).find((row) => row.version === '1.3.0-nightly')?.id ?? '';
    await suppressRelease(ctx, hidden, { suppressed: true, reason: 'wrong' });

    await set({ itemDeny: ['nightly$'] });
    assert.deepEqual(await shown(ctx), ['1.0.0', '1.2.0']);
    assert.equal((await detail()).releaseCount, 2);
    const reasons = (await releases(ctx)).map((row) => row.suppressed_reason);
    assert.deepEqual(reasons, [null, 'filter', null, 'wrong']);

    await set({ itemDeny: null, itemAllow: ['^1\\.0'] });
    assert.deepEqual(await shown(ctx), ['1.0.0']);
    await set({ itemAllow: null });
    assert.deepEqual(await shown(ctx), ['1.0.0', '1.1.0-nightly', '1.2.0']);
    const revisions = await ctx.store.read.selectFrom('release_revisions').select(['cause', 'changed']).execute();
    assert.ok(revisions.every((row) => row.cause === 'reparse' && row.changed === '["suppressed"]'));
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);
  });

  it('an ignored version is no longer the latest, and is it again', async () => {
    const { ctx, set, detail } = await setUp(['1.0.0', '1.1.0', '99.0.0']);
    assert.equal((await detail()).latestVersion, '99.0.0');

    await set({ ignoreVersions: ['^99\\.'] });
    assert.equal((await detail()).latestVersion, '1.1.0');
    assert.equal((await releases(ctx)).at(-1)?.version_sort, null);
    await set({ ignoreVersions: null });

    assert.equal((await detail()).latestVersion, '99.0.0');
    assert.deepEqual(await ctx.store.read.selectFrom('release_revisions').selectAll().execute(), []);
  });

  it('a version becomes a pre-release by a pattern, and stable without it; one that always was stays one', async () => {
    const { ctx, set, detail } = await setUp(['1.0.0', '1.1.0', '2.0.0-rc.1', '2.0.0']);
    const flags = async () => (await releases(ctx)).map((row) => row.prerelease);

    await set({ prereleaseVersions: ['^2\\.'] });
    assert.deepEqual(await flags(), [0, 0, 1, 1]);
    assert.equal((await detail()).latestVersion, '1.1.0');
    const [revision] = await ctx.store.read.selectFrom('release_revisions').selectAll().execute();
    assert.deepEqual([revision?.cause, revision?.changed], ['reparse', '["prerelease"]']);

    await set({ prereleaseVersions: ['^nothing$'] });
    assert.deepEqual(await flags(), [0, 0, 1, 0]);
    assert.equal((await detail()).latestVersion, '2.0.0');
  });

  it('the scheme of versions decides which of them are compared', async () => {
    const { set, detail } = await setUp(['2024.1.0', '5.0.0']);
    assert.equal((await detail()).latestVersion, '5.0.0', 'a date is not compared with a number');

    await set({ versionScheme: 'numeric' });
    assert.equal((await detail()).latestVersion, '2024.1.0');
    await set({ versionScheme: null });

    assert.equal((await detail()).latestVersion, '5.0.0');
  });

  it('reaches every release of a large source', async () => {
    const { ctx, set } = await setUp(Array.from({ length: 1100 }, (_, index) => `1.${index}.0`));

    await set({ itemDeny: ['0\\.0$'] });

    assert.equal((await shown(ctx)).length, 990);
  });
});
