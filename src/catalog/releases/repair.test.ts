import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { transact } from '../../context.ts';
import { repairFigures } from './repair.ts';

forEachEngine('repairFigures', (engine) => {
  it('finds nothing on a sound registry, and puts damaged copies right', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    await postReleases(ctx, src, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    assert.equal(await repairFigures(ctx), 0);
    await transact(ctx, async ({ tx }) => {
      await tx.updateTable('source_figures').set({ release_count: 7, latest_version: '9.9.9' }).execute();
      await tx.deleteFrom('release_days').execute();
      await tx.updateTable('releases').set({ listing: -2 }).where('version', '=', '1.0.0').execute();
    });

    assert.equal(await repairFigures(ctx), 1);

    const figures = await ctx.store.read.selectFrom('source_figures').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([figures.release_count, figures.latest_version], [2, '1.1.0']);
    assert.equal(await repairFigures(ctx), 0);
  });
});
