import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { eventRow } from '../../test/support/event-row.ts';
import { insertMany } from './insert-many.ts';
import { updateMany } from './update-many.ts';

forEachEngine('updateMany', (engine) => {
  it('gives each row its own values, and tells which still were as expected', async () => {
    const { ctx } = await engine.openTestApp();
    const count = 87;
    const events = Array.from({ length: count }, (_, index) =>
      eventRow(index, { product_id: index % 3 === 0 ? 'changed meanwhile' : 'as expected' }),
    );
    const changed = await ctx.store.transaction(async (tx) => {
      await insertMany(tx, 'events', events);
      return updateMany(
        tx,
        'events',
        events.map(({ id, seq }) => ({
          where: { id, product_id: 'as expected' },
          set: { ts: seq * 2, org_id: seq % 2 ? `org ${seq}` : null, product_id: null },
        })),
      );
    }, 'bookkeeping');

    const expected = events.map((event) =>
      event.seq % 3 === 0
        ? event
        : { ...event, ts: event.seq * 2, org_id: event.seq % 2 ? `org ${event.seq}` : null, product_id: null },
    );
    const stored = await ctx.store.read.selectFrom('events').selectAll().orderBy('seq').execute();
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      expected,
    );
    assert.deepEqual(
      [...changed].sort(),
      expected
        .filter((row) => row.product_id === null)
        .map(({ id }) => id)
        .sort(),
    );
  });
});
