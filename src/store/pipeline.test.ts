import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../test/support/engines.ts';
import { createOrg } from '../entities/orgs/create.ts';
import { addToCounter, readCounter } from './counters.ts';
import { holdToEnd, sendHeld, together } from './pipeline.ts';

forEachEngine('statements that are left to the end', (engine) => {
  const raised = (value: number) => sql`UPDATE counters SET value = ${value} WHERE name = 'held'`;

  it('run after everything else, or when their effects are needed', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    const seen = await store.transaction(async (tx) => {
      await addToCounter(tx, 'held', 1);
      holdToEnd(tx, [raised(5).compile(tx)]);
      const before = await readCounter(tx, 'held');
      await sendHeld(tx);
      holdToEnd(tx, [raised(7).compile(tx)]);
      return [before, await readCounter(tx, 'held')];
    }, 'catalog');

    assert.deepEqual(seen, [1, 5]);
    assert.equal(await readCounter(store.read, 'held'), 7);
  });

  it('take the whole transaction back when one of them fails', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    const version = store.dataVersion();
    const failing = store.transaction(async (tx) => {
      await addToCounter(tx, 'held', 1);
      holdToEnd(tx, [sql`INSERT INTO counters (name, value) VALUES ('held', 3)`.compile(tx), raised(9).compile(tx)]);
    }, 'catalog');

    await assert.rejects(failing, (error) => store.dialect.isUniqueViolation(error));
    assert.equal(await readCounter(store.read, 'held'), 0);
    assert.equal(store.dataVersion(), version);
    await store.transaction((tx) => addToCounter(tx, 'held', 2), 'bookkeeping');
    assert.equal(await readCounter(store.read, 'held'), 2);
  });

  it('count as changes of what they write', async () => {
    const { ctx } = await engine.openTestApp();
    const { store } = ctx;
    const [one, other] = [await createOrg(ctx, { name: 'One' }), await createOrg(ctx, { name: 'Other' })];
    const mark = store.changes.mark();
    await store.transaction(async (tx) => {
      holdToEnd(tx, [sql`UPDATE orgs SET release_count = 3 WHERE id = ${one.id}`.compile(tx)]);
    }, 'catalog');
    store.changes.mark();

    assert.equal(store.changes.changedSince(mark, new Set([one.id])), true);
    assert.equal(store.changes.changedSince(mark, new Set([other.id])), false);
  });
});

forEachEngine('statements that are sent together', (engine) => {
  it('fail with the error of the first that failed', async () => {
    const { store } = (await engine.openTestApp()).ctx;
    const failing = store.transaction(
      (tx) =>
        together([
          readCounter(tx, 'one').then(() => readCounter(tx, 'other')),
          sql`INSERT INTO counters (name, value) VALUES ('twice', 1), ('twice', 2)`.execute(tx),
        ]),
      'catalog',
    );

    await assert.rejects(failing, (error) => store.dialect.isUniqueViolation(error));
  });
});
