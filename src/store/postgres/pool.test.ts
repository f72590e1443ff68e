import assert from 'node:assert/strict';
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
});
