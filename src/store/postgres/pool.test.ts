import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createLimitedPool } from './pool.ts';

forEachEngine('a pool of connections', (engine) => {
  if (engine.name !== 'postgres') return;

  it('reports a lost connection without its client, which holds keys', async () => {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const lost = Promise.withResolvers<unknown>();
    const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError: lost.resolve });
    const other = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError: () => {} }).pool;
    const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
    await other.query(`SELECT pg_terminate_backend(${Number(rows[0].pid)})`);
    const error = await lost.promise;
    await Promise.all([pool.end(), other.end()]);

    assert.ok(error instanceof Error);
    assert.equal('client' in error, false);
  });

  it('sends what starts in the same turn in one write, but nothing of a transaction later than it starts', async () => {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError: () => {} });
    const client = await pool.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const ask = async (number: number) => {
      // Later in the same turn.
      for (let step = 0; step < number; step += 1) await null;
      return (await client.query('SELECT $1::int AS number', [number])).rows[0].number;
    };
    const written = async (work: () => Promise<unknown>) => {
      let writes = 0;
      const { _writev } = stream;
      stream._writev = function counting(...args) {
        writes += 1;
        _writev?.apply(this, args);
      };
      const answer = await work();
      stream._writev = _writev;
      return { answer, writes };
    };
    const together = () => Promise.all([ask(1), ask(2), ask(3)]);
    const outside = await written(together);
    await client.query('BEGIN');
    const inside = await written(together);
    await client.query('COMMIT');
    client.release();
    await pool.end();

    assert.deepEqual(outside, { answer: [1, 2, 3], writes: 1 });
    assert.deepEqual(inside, { answer: [1, 2, 3], writes: 3 });
  });
});
