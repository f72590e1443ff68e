import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { rowsByKeys } from './pipeline.ts';

forEachEngine('rowsByKeys', (engine) => {
  it('reads the rows of any keys with one statement, in a transaction too', async () => {
    const { ctx } = await engine.openTestApp();
    const { store } = ctx;
    let built = 0;
    const counters = rowsByKeys((db, among) => {
      built += 1;
      return db.selectFrom('counters').select(['name', 'value']).where(among('value'));
    });
    await store.transaction(async (tx) => {
      const rows = [3, 5, 9_007_199_254_740_991].map((value) => ({ name: `counter ${value}`, value }));
      await tx.insertInto('counters').values(rows).execute();
      const inside = await counters(tx, store.dialect, [5]);
      assert.deepEqual(
        inside.map(({ name }) => name),
        ['counter 5'],
      );
    }, 'bookkeeping');
    built = 0;

    const named = async (keys: number[]) => {
      const rows = await counters(store.read, store.dialect, keys);
      return rows.map(({ name }) => name).sort();
    };
    assert.deepEqual(await named([5, 3, 4]), ['counter 3', 'counter 5']);
    assert.deepEqual(await named([9_007_199_254_740_991]), ['counter 9007199254740991']);
    assert.deepEqual(await named([]), []);
    assert.equal(built, 1);
  });

  it('refuses a statement with another value in it, which would be lost', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    const named = rowsByKeys((db, among) =>
      db.selectFrom('counters').select('value').where('name', '=', 'catalog').where(among('value')),
    );

    await assert.rejects(named(store.read, store.dialect, [1]), /nothing but keys/);
  });
});
