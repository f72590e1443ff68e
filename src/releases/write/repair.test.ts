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

  it('finds nothing after writes, which add up less than it does', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: src } = await createSource(ctx);
    const on = (version: string, publishedAt: string | undefined) => releaseRow(version, { publishedAt });
    const writes = [
      [on('2.0.0', '2026-01-10T00:00:00.000Z'), on('2.1.0', '2026-01-12T00:00:00.000Z')],
      // Between and before the days that are known, of which later ones have to move.
      [on('1.5.0', '2026-01-11T00:00:00.000Z')],
      [on('1.0.0', '2025-12-01T00:00:00.000Z'), on('1.1.0', '2025-12-01T12:00:00.000Z')],
      // Not shown yet, and without a date.
      [on('9.0.0', '2100-01-01T00:00:00.000Z')],
      [on('3.0.0', undefined)],
      // A release moves to another day, beside a new one.
      [on('1.5.0', '2026-01-20T00:00:00.000Z'), on('2.2.0', '2026-01-13T00:00:00.000Z')],
      [on('1.0.0', '2025-12-01T00:00:00.000Z')],
    ];

    for (const rows of writes) {
      await postReleases(ctx, src, rows);
      assert.equal(await repairFigures(ctx), 0, rows.map(({ version }) => version).join(' '));
    }

    const days = await ctx.store.read.selectFrom('release_days').selectAll().orderBy('day').execute();
    assert.deepEqual(
      days.map(({ day, count, through }) => [day, Number(count), Number(through)]),
      [
        ['2025-12-01', 2, 2],
        ['2026-01-10', 1, 3],
        ['2026-01-12', 1, 4],
        ['2026-01-13', 1, 5],
        ['2026-01-20', 1, 6],
      ],
    );
  });
});
