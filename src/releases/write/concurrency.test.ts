import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { updateOrg } from '../../entities/orgs/update.ts';

forEachEngine('writes at the same time', (engine) => {
  it('ten sources of one org leave the org’s count whole', async () => {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx);
    const sources = [];
    for (let index = 0; index < 10; index += 1) sources.push(await createSource(ctx, { orgId: org.id }));

    await Promise.all(sources.map((source) => postReleases(ctx, source.id, [releaseRow('1.0.0')])));

    const row = await ctx.store.read
      .selectFrom('orgs')
      .select('release_count')
      .where('id', '=', org.id)
      .executeTakeFirst();
    assert.equal(row?.release_count, 10);
  });

  it('hiding an org during a batch hides that batch too', async () => {
    const { ctx } = await engine.openTestApp();
    for (let round = 0; round < 5; round += 1) {
      const org = await createOrg(ctx);
      const source = await createSource(ctx, { orgId: org.id });
      const rows = Array.from({ length: 40 }, (_, index) => releaseRow(`1.${index}.0`));

      await Promise.all([
        postReleases(ctx, source.id, rows),
        updateOrg(ctx, { org: org.id, change: { isHidden: true } }),
      ]);

      const shown = await ctx.store.read
        .selectFrom('releases')
        .select('id')
        .where('org_id', '=', org.id)
        .where('listing', '>', 0)
        .execute();
      assert.deepEqual(shown, []);
    }
  });

  it('the same batch from ten callers is stored once', async () => {
    const { ctx } = await engine.openTestApp();
    const source = await createSource(ctx);
    const rows = Array.from({ length: 20 }, (_, index) => releaseRow(`1.${index}.0`));

    const results = await Promise.all(Array.from({ length: 10 }, () => postReleases(ctx, source.id, rows)));

    assert.equal(
      results.reduce((sum, result) => sum + result.inserted, 0),
      20,
    );
    assert.equal((await ctx.store.read.selectFrom('events').select('id').execute()).length, 20);
  });
});
