import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CompiledQuery } from 'kysely';
import { findOutage, slowStatement } from '../outage.ts';
import { SqliteConnection } from './connection.ts';
import { DeadlineConnection } from './deadline.ts';
import { sqlite } from './dialect.ts';

const ENDLESS =
  'SELECT COUNT(*) AS n FROM words a JOIN words b ON a.word || b.word <> ? JOIN words c ON c.word >= b.word';

describe('a statement with a deadline', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-test-'));
  const path = join(folder, 'registry.db');
  const sleep = async () => {};
  const writer = new SqliteConnection({ path, mode: 'write', sleep });
  writer.database.exec(`CREATE TABLE words (word TEXT PRIMARY KEY, number INTEGER);
    CREATE TABLE pairs (one TEXT, other TEXT, PRIMARY KEY (one, other)) WITHOUT ROWID;
    CREATE INDEX words_by_number ON words (number);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO words SELECT 'w' || i, i FROM n;
    INSERT INTO pairs SELECT word, 'w' || (number + 1) FROM words`);
  const quick = new SqliteConnection({ path, mode: 'read', statementMs: 5, sleep });
  const patient = new SqliteConnection({ path, mode: 'read', statementMs: 60_000, sleep });
  const plain = new SqliteConnection({ path, mode: 'read', sleep });
  after(() => {
    for (const connection of [quick, patient, plain, writer]) connection.close();
    rmSync(folder, { recursive: true });
  });

  it('is ended, and the error has the statement without its values', async () => {
    await assert.rejects(quick.executeQuery(CompiledQuery.raw(ENDLESS, ['secret'])), (error: Error) => {
      assert.equal(findOutage(error, sqlite.outageOf), 'too_long');
      assert.equal(slowStatement(error), ENDLESS);
      assert.ok(!JSON.stringify({ ...error }).includes('secret'));
      return true;
    });
    assert.throws(() => quick.readArrays(ENDLESS, ['x']), { code: 'STATEMENT_TOO_LONG' });
    const next = 'SELECT a.number FROM words a JOIN pairs p ON p.one = a.word WHERE a.word = ?';
    assert.deepEqual(await quick.executeQuery(CompiledQuery.raw(next, ['w7'])), { rows: [{ number: 7 }] });
  });

  it('leaves nothing to a statement that is run without one, however much later', () => {
    const connection = new SqliteConnection({ path, mode: 'read', statementMs: 1, sleep });
    const joined = 'SELECT COUNT(*) AS n FROM words a JOIN words b ON b.number = a.number';
    assert.throws(() => connection.readArrays(ENDLESS, ['x']), { code: 'STATEMENT_TOO_LONG' });
    assert.deepEqual({ ...connection.prepare(joined).get() }, { n: 3000 });
    connection.close();
  });

  it('leaves no log behind that a long reader made grow: what is above the limit is given back', () => {
    const { journal_size_limit: bytes } = writer.database.prepare('PRAGMA journal_size_limit').get() ?? {};
    assert.ok(Number(bytes) > 0 && Number(bytes) <= 64 * 1024 * 1024, String(bytes));
  });

  it('has the same rows', async () => {
    for (const sql of [
      'SELECT p.other FROM words w JOIN pairs p ON p.one = w.word WHERE w.number BETWEEN 10 AND 12 ORDER BY w.number',
      'SELECT w.word, (SELECT MAX(p.other) FROM pairs p WHERE p.one = w.word) AS other FROM words w WHERE w.number < 4',
      "SELECT w.word, p.other FROM words w LEFT JOIN pairs p ON p.one = w.word AND p.other > 'w5' WHERE w.number < 9",
      'SELECT COUNT(*) AS n FROM words WHERE number > (SELECT MIN(number) FROM words)',
      "SELECT * FROM (SELECT word FROM words WHERE number > 5 ORDER BY number LIMIT 2) UNION ALL SELECT one FROM pairs WHERE one = 'w1'",
    ]) {
      const query = CompiledQuery.raw(sql);
      assert.deepEqual(await patient.executeQuery(query), await plain.executeQuery(query), sql);
    }
  });

  it('runs as it is where the limit would change its plan, or it reads one table', () => {
    const deadline = new DeadlineConnection(path, 1);
    const limited = (sql: string) => deadline.prepare(sql, plain.database) !== null;
    assert.ok(limited('SELECT w.number FROM words w JOIN pairs p ON p.one = w.word'));
    assert.ok(!limited('SELECT COUNT(*) FROM words'));
    assert.ok(
      !limited('SELECT 1 FROM words w INDEXED BY words_by_number JOIN pairs p ON p.one = w.word WHERE w.number > 1'),
    );
    deadline.close();
  });

  it('reads what a table has gained meanwhile, and tables that are new', async () => {
    const all = CompiledQuery.raw('SELECT w.* FROM words w JOIN pairs p ON p.one = w.word WHERE w.number = 1');
    assert.deepEqual(await patient.executeQuery(all), { rows: [{ word: 'w1', number: 1 }] });
    writer.database.exec('ALTER TABLE words ADD COLUMN length INTEGER DEFAULT 3; CREATE TABLE others (word TEXT)');
    writer.database.exec("INSERT INTO others VALUES ('w2')");
    assert.deepEqual(await patient.executeQuery(all), { rows: [{ word: 'w1', number: 1, length: 3 }] });
    const joined = CompiledQuery.raw('SELECT w.number FROM others o JOIN words w ON w.word = o.word');
    assert.deepEqual(await patient.executeQuery(joined), { rows: [{ number: 2 }] });
  });
});
