import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../test/support/clock.ts';
import { forEachEngine } from '../../test/support/engines.ts';
import { forgetOldRows } from '../accounts/retention.ts';
import { countSearch, writeSearchLog } from './search.ts';

const DAY_MS = 86_400_000;

forEachEngine('search log', (engine) => {
  it('counts in memory, writes later, keeps 30 days', async () => {
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const queries = async () => {
      const rows = await ctx.store.read.selectFrom('search_log').select('query').orderBy('at').execute();
      return rows.map((row) => row.query);
    };
    const count = (query: string) => countSearch(ctx, { query, mode: 'hybrid', hits: 1, took_ms: 2 });

    count('first\u0000\u0007!');
    assert.deepEqual(await queries(), []);
    assert.equal(await writeSearchLog(ctx), 1);
    clock.move(DAY_MS);
    count('second');
    await writeSearchLog(ctx);
    assert.deepEqual(await queries(), ['first !', 'second']);

    clock.move(29 * DAY_MS + 1);
    await forgetOldRows(ctx);
    assert.deepEqual(await queries(), ['second']);
  });

  it('a flood does not fill the memory', async () => {
    const { ctx } = await engine.openTestApp();
    for (let turn = 0; turn < 12_000; turn += 1) countSearch(ctx, { query: 'q', mode: 'lexical', hits: 0, took_ms: 0 });
    assert.equal(await writeSearchLog(ctx), 10_000);
  });
});
