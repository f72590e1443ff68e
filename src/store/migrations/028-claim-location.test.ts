import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';

// Puts the database back to where the migration finds it.
async function undo(ctx: Context): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    await sql`ALTER TABLE package_claims RENAME COLUMN location TO place`.execute(tx);
    await tx.deleteFrom('schema_migrations').where('number', '=', 28).execute();
  }, 'catalog');
}

forEachEngine('migration 28, the location of claims', (engine) => {
  it('renames the column, and claims stay what they are and one for each location', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    await undo(ctx);
    await ctx.store.transaction(async (tx) => {
      await sql`INSERT INTO package_claims (source_id, place, blob_hash, ecosystem, name, is_own, package_part)
        VALUES (${id}, 'package.json', 'abc', 'npm', 'widget', 1, NULL),
          (${id}, 'tag:@acme/kit', NULL, 'npm', '@acme/kit', 0, '@acme/kit')`.execute(tx);
    }, 'catalog');

    const done = await ctx.store.migrate();
    const again = await ctx.store.migrate();

    assert.deepEqual([done, again], [['claim-location'], []]);
    const claims = await ctx.store.read.selectFrom('package_claims').selectAll().orderBy('location').execute();
    assert.deepEqual(
      claims.map((claim) => ({ ...claim })),
      [
        {
          source_id: id,
          location: 'package.json',
          blob_hash: 'abc',
          ecosystem: 'npm',
          name: 'widget',
          is_own: 1,
          package_part: null,
        },
        {
          source_id: id,
          location: 'tag:@acme/kit',
          blob_hash: null,
          ecosystem: 'npm',
          name: '@acme/kit',
          is_own: 0,
          package_part: '@acme/kit',
        },
      ],
    );
    const [first] = claims;
    assert.ok(first);
    const repeated = ctx.store.transaction((tx) => tx.insertInto('package_claims').values(first).execute(), 'catalog');
    await assert.rejects(repeated, /unique/i);
  });
});
