import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CompiledQuery } from 'kysely';
import { SqliteConnection } from './connection.ts';

describe('a connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-test-'));
  const path = join(folder, 'registry.db');
  const writer = new SqliteConnection({ path, mode: 'write', sleep: async () => {} });
  writer.database.exec("CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('one')");
  const reader = new SqliteConnection({ path, mode: 'read', sleep: async () => {} });
  after(() => {
    for (const connection of [reader, writer]) connection.close();
    rmSync(folder, { recursive: true });
  });

  it('names the columns that a table has gained since its statement was prepared', async () => {
    const all = CompiledQuery.raw('SELECT * FROM words');
    const expected = [{ rows: [{ word: 'one' }] }, { rows: [{ word: 'one', length: 3 }] }];
    const none = CompiledQuery.raw('SELECT * FROM words WHERE word IS NULL');
    for (const [at, result] of expected.entries()) {
      if (at === 1) writer.database.exec('ALTER TABLE words ADD COLUMN length INTEGER DEFAULT 3');
      for (const connection of [reader, writer]) {
        assert.deepEqual(await connection.executeQuery(none), { rows: [] });
        assert.deepEqual(await connection.executeQuery(all), result);
        assert.deepEqual(connection.readArrays(all.sql, []).columns, Object.keys(result.rows[0] ?? {}));
      }
    }
  });

  it('waits for the disk where it was told to', () => {
    const level = () => writer.database.prepare('PRAGMA synchronous').get();
    for (const [how, expected] of [
      ['NORMAL', 1],
      ['FULL', 2],
      ['FULL', 2],
      ['NORMAL', 1],
    ] as const) {
      writer.setSynchronous(how);
      assert.deepEqual({ ...level() }, { synchronous: expected });
    }
  });

  it('that holds the lock for long lets another writer in before it takes the lock again', async () => {
    const turns: string[] = [];
    const patient = new SqliteConnection({ path, mode: 'write', sleep: async () => {} });
    const other = async () => {
      await patient.begin();
      turns.push('other');
      await patient.end('COMMIT');
    };
    const busy = new SqliteConnection({ path, mode: 'write', sleep: other });
    // A machine that stops between two transactions has let the other one in by that.
    for (let tries = 0; tries < 100 && !turns.includes('other'); tries += 1) {
      await busy.begin();
      turns.push('busy');
      for (const started = performance.now(); performance.now() - started < 12; );
      await busy.end('COMMIT');
    }
    assert.equal(turns.at(-1), 'busy');
    assert.ok(turns.includes('other'));
    for (const connection of [busy, patient]) connection.close();
  });
});
