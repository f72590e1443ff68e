import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { eventRow } from '../../test/support/event-row.ts';
import { countRoundTrips } from '../../test/support/round-trips.ts';
import { insertMany } from './insert-many.ts';

// Rows so long that writing them takes several turns of the event loop.
function longEvents(count: number) {
  return Array.from({ length: count }, (_, index) => eventRow(index, { payload: 'x'.repeat(8_000) }));
}

forEachEngine('insertMany', (engine) => {
  it('writes all rows when it takes several turns', async () => {
    const { ctx } = await engine.openTestApp();
    const rows = longEvents(1_100);

    const { trips } = await countRoundTrips(() =>
      ctx.store.transaction((tx) => insertMany(tx, 'events', rows), 'bookkeeping'),
    );

    const stored = await ctx.store.read.selectFrom('events').select('seq').orderBy('seq').execute();
    assert.deepEqual(
      stored.map(({ seq }) => seq),
      rows.map(({ seq }) => seq),
    );
    // 17 statements of 64 rows and less: two waits for answers, and what a transaction has besides.
    if (engine.name === 'postgres') assert.ok(trips <= 6, `${trips} round trips`);
  });

  it('fails as a whole with the error of its first statement', async () => {
    const { ctx } = await engine.openTestApp();
    const rows = longEvents(1_100);
    const twice = [...rows.slice(0, 1), ...rows];

    await assert.rejects(
      ctx.store.transaction((tx) => insertMany(tx, 'events', twice), 'bookkeeping'),
      /unique/i,
    );

    assert.deepEqual(await ctx.store.read.selectFrom('events').select('seq').execute(), []);
    await ctx.store.transaction((tx) => insertMany(tx, 'events', rows), 'bookkeeping');
  });
});
