import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { createCheckpoints } from './checkpoints.ts';
import { SqliteConnection } from './connection.ts';
import { openSqlite } from './open.ts';

const DUE = 1024 * 1024;

describe('checkpoints', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-test-'));
  after(() => rmSync(folder, { recursive: true }));

  const logBytes = (path: string) => statSync(`${path}-wal`).size;
  const open = (name: string) => {
    const path = join(folder, name);
    const { database } = new SqliteConnection({ path, mode: 'write', sleep: async () => {} });
    database.exec('CREATE TABLE texts (value BLOB)');
    const write = (bytes: number) => database.prepare('INSERT INTO texts VALUES (zeroblob(?))').run(bytes);
    return { path, database, write, checkpoints: createCheckpoints(path, DUE) };
  };
  // What the file holds without its log.
  const inFile = (path: string) => {
    const copy = `${path}-copy`;
    copyFileSync(path, copy);
    const database = new DatabaseSync(copy);
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'texts'").all();
    const count = tables.length === 0 ? null : database.prepare('SELECT COUNT(*) AS rows FROM texts').get()?.rows;
    database.close();
    return count;
  };

  it('copy a long log into the file and empty it, and leave a short one alone', async () => {
    const { path, database, write, checkpoints } = open('long.db');
    write(DUE / 4);
    checkpoints.committed();
    await checkpoints.settled();
    assert.equal(inFile(path), null, 'a short log stays');

    write(DUE);
    checkpoints.committed();
    await checkpoints.settled();
    assert.equal(logBytes(path), 0);
    assert.equal(inFile(path), 2);
    database.close();
  });

  it('copy a log that a reader needs without emptying it, and try again when it has grown', async () => {
    const { path, database, write, checkpoints } = open('read.db');
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN; SELECT COUNT(*) FROM texts');
    write(DUE);
    checkpoints.committed();
    await checkpoints.settled();
    assert.ok(logBytes(path) > DUE);
    reader.exec('COMMIT');

    write(1);
    checkpoints.committed();
    await checkpoints.settled();
    assert.ok(logBytes(path) > DUE, 'not at every commit');

    write(DUE);
    checkpoints.committed();
    await checkpoints.settled();
    assert.equal(logBytes(path), 0);
    assert.equal(inFile(path), 3);
    reader.close();
    database.close();
  });

  it('wait for a transaction that is open, which loses nothing', async () => {
    const { path, database, write, checkpoints } = open('busy.db');
    write(DUE);
    database.exec('BEGIN IMMEDIATE');
    write(1);
    checkpoints.committed();
    await checkpoints.settled();
    database.exec('COMMIT');
    assert.ok(logBytes(path) > DUE);
    assert.equal(database.prepare('SELECT COUNT(*) AS rows FROM texts').get()?.rows, 2);
    database.close();
  });

  it('are never made by a commit itself', () => {
    const { path, database, write } = open('large.db');
    write(70_000_000);
    assert.equal(inFile(path), null);
    database.close();
  });

  it('are made after the commits of a store', async () => {
    const path = join(folder, 'registry.db');
    const store = openSqlite({ path, now: () => new Date(), sleep: async () => {} });
    await store.migrate();
    await store.transaction((tx) => sql`CREATE TABLE texts (value BLOB)`.execute(tx), 'bookkeeping');
    await store.transaction((tx) => sql`INSERT INTO texts VALUES (zeroblob(70000000))`.execute(tx), 'bookkeeping');
    while (logBytes(path) > 0) await setTimeout(5);
    assert.ok(statSync(path).size > 70_000_000);
    await store.close();
  });
});
