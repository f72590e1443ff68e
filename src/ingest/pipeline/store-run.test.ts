import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { transact } from '../../context.ts';
import { sourcesOfCoordinate } from '../../entities/sources/of-coordinate.ts';
import { toJson } from '../../store/json-text.ts';
import { storeLearned } from './store-run.ts';

forEachEngine('what a run has learned', (engine) => {
  it('a renamed repository is found by every name it had, and a name of today wins', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/new' });
    const learn = async (names: string[]) => {
      const source = await ctx.store.read
        .selectFrom('sources')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return transact(ctx, (inner) => storeLearned(inner, source, { former_coordinates: toJson(names) }));
    };
    const found = async (name: string) => (await sourcesOfCoordinate(ctx, name)).map(({ source }) => source.id);

    await learn(['acme/old']);
    assert.equal(await learn(['acme/old', 'acme/older']), true);
    assert.equal(await learn(['acme/old', 'acme/older']), false);

    assert.deepEqual([await found('acme/old'), await found('acme/older'), await found('acme/ol')], [[id], [id], []]);
    const other = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/old' });
    assert.deepEqual(await found('acme/old'), [other.id]);
  });
});
