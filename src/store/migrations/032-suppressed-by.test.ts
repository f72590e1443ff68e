import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { suppressRelease } from '../../releases/write/suppress.ts';

// Puts the database back to where the migration finds it.
async function undo(ctx: Context): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    await sql`ALTER TABLE releases DROP COLUMN suppressed_by`.execute(tx);
    await tx.deleteFrom('schema_migrations').where('number', '=', 32).execute();
  }, 'catalog');
}

forEachEngine('migration 32, who suppressed a release', (engine) => {
  it('tells what sources withdrew from what operators suppressed, even for the same reason', async () => {
    const { ctx } = await engine.openTestApp();
    const { id: sourceId } = await createSource(ctx);
    const versions = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'];
    const { insertedIds } = await postReleases(
      ctx,
      sourceId,
      versions.map((version) => releaseRow(version)),
    );
    const [, yanked = '', byOperator = '', shownAgain = '', noReason = ''] = insertedIds;
    const operator: Context = { ...ctx, caller: { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' } };
    await suppressRelease(operator, byOperator, { suppressed: true, reason: 'yanked' });
    await suppressRelease(operator, noReason, { suppressed: true });
    await suppressRelease(operator, shownAgain, { suppressed: true, reason: 'wrong' });
    await suppressRelease(operator, shownAgain, { suppressed: false });
    await undo(ctx);
    await ctx.store.transaction(async (tx) => {
      for (const [id, reason] of Object.entries({ [yanked]: 'yanked', [shownAgain]: 'withdrawn' })) {
        await sql`UPDATE releases SET suppressed = 1, suppressed_reason = ${reason} WHERE id = ${id}`.execute(tx);
      }
    }, 'catalog');

    const done = await ctx.store.migrate();

    assert.deepEqual(done, ['suppressed-by']);
    const rows = await ctx.store.read.selectFrom('releases').select(['version', 'suppressed_by']).execute();
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row.version, row.suppressed_by])), {
      '1.0.0': null,
      '1.1.0': 'source',
      '1.2.0': 'operator',
      '1.3.0': 'source',
      '1.4.0': 'operator',
    });
  });
});
