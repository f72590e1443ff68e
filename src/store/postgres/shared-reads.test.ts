import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import type { Queries } from '../schema/index.ts';

const backend = async (db: Queries) =>
  (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)).rows[0]?.pid ?? 0;

forEachEngine('reads that start together', (engine) => {
  it('are all answered, with the rows that each asked for', async () => {
    const { read } = (await engine.openTestApp()).ctx.store;
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const ask = async (number: number) =>
      (await sql<{ number: number }>`SELECT ${sql.lit(number)} AS number`.execute(read)).rows[0]?.number;

    assert.deepEqual(await Promise.all(numbers.map(ask)), numbers);
  });

  it('fail alone', async () => {
    const { read } = (await engine.openTestApp()).ctx.store;
    const answers = await Promise.allSettled([
      sql`SELECT 1 AS one`.execute(read),
      sql`SELECT * FROM no_such_table`.execute(read),
      sql`SELECT 1 AS one`.execute(read),
    ]);

    assert.deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  if (engine.name !== 'postgres') return;

  it('share a connection, and leave a ninth to another one', async () => {
    const { read, pool } = (await engine.openTestApp()).ctx.store;
    const pids = await Promise.all(Array.from({ length: 9 }, () => backend(read)));

    assert.equal(new Set(pids.slice(0, 8)).size, 1);
    assert.notEqual(pids[8], pids[0]);
    assert.equal(pool?.().idle, pool?.().total, 'all connections are given back');
  });

  it('share no connection with searches, whose own share one', async () => {
    const { read, search } = (await engine.openTestApp()).ctx.store;
    const [plain, ...searching] = await Promise.all([backend(read), backend(search), backend(search)]);

    assert.equal(new Set(searching).size, 1);
    assert.notEqual(plain, searching[0]);
  });

  it('have no connection to themselves, so no transaction', async () => {
    const { read } = (await engine.openTestApp()).ctx.store;
    await assert.rejects(read.transaction().execute(backend), /no transactions/);
  });
});
