// A backup of the embedded database is a database file, copied from one snapshot while others write, with its checksum
// beside it.
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { backup as copyPages, DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../domain/records.ts';
import { verifyChecksum, writeChecksum } from '../checksum-file.ts';
import type { BackupContents } from '../dialect.ts';
import { LineFileError, moveWhole } from '../line-file.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { kyselyOf } from '../query-builder.ts';
import { SqliteConnection, sqliteDialect } from './connection.ts';
import { sqlite } from './dialect.ts';

const COUNTED = ['orgs', 'sources', 'releases', 'users'] as const;

export async function backupSqlite(database: string, target: string): Promise<void> {
  const part = `${target}.part`;
  await rm(part, { force: true });
  // Created first, so that only its owner can read it from the start.
  closeSync(openSync(part, 'wx', 0o600));
  const source = new DatabaseSync(database, { readOnly: true, timeout: 5000 });
  try {
    // One read transaction. Unlike a copy of the file it includes the write-ahead log, and writes do not restart it.
    source.prepare('VACUUM INTO ?').run(part);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    source.close();
  }
  // The checksum comes first, so that no backup is without one.
  await writeChecksum(part, target);
  await moveWhole(part, target);
}

// The file alone is read: a log or journal that lies beside it would change what it holds.
function openAlone(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  // Views and triggers of a strange schema call no functions.
  database.exec('PRAGMA trusted_schema = OFF');
  return database;
}

interface Verification {
  // Takes a file that has no checksum beside it.
  withoutChecksum: boolean;
}

export async function verifySqlite(file: string, { withoutChecksum }: Verification): Promise<BackupContents> {
  await verifyChecksum(file, { mayBeMissing: withoutChecksum });
  let database: DatabaseSync | null = null;
  try {
    database = openAlone(file);
    const [first] = database.prepare('PRAGMA integrity_check(5)').all();
    if (first?.integrity_check !== 'ok') throw new LineFileError(`the file is damaged: ${first?.integrity_check}`);
    const [orphan] = database.prepare('PRAGMA foreign_key_check').all();
    if (orphan) throw new LineFileError('the file is damaged: rows refer to others that are not there');
    const applied = database.prepare('SELECT number FROM schema_migrations ORDER BY number').all();
    const numbers = applied.map((row) => Number(row.number));
    // What a later version has made is refused by its number.
    const isKnown = numbers.every((number) => MIGRATIONS.some((migration) => migration.number === number));
    const strange = isKnown ? schemaDifference(schemaObjects(database), await ownSchema(numbers)) : null;
    if (strange !== null) throw new LineFileError(`the schema is not that of a registry: ${strange}`);
    const opened = database;
    const counts = COUNTED.map((table) => {
      const row = opened.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get();
      return [table, Number(row?.count)] as const;
    });
    return {
      engine: 'sqlite',
      migrations: numbers,
      counts: Object.fromEntries(counts),
    };
  } catch (error) {
    if (error instanceof LineFileError) throw error;
    throw new LineFileError(`the file cannot be read as a database: ${errorMessage(error)}`, { cause: error });
  } finally {
    database?.close();
  }
}

// Written through the engine and not by copying the file, so that a process with the empty database open sees it too.
export async function restoreSqlite(database: string, file: string): Promise<void> {
  const source = openAlone(file);
  try {
    await copyPages(source, database);
  } finally {
    source.close();
  }
}

// The schema that the migrations of this program make, to compare others with.

// The statement of each table, index, view and trigger by its kind and name.
type SchemaObjects = ReadonlyMap<string, string>;

// Made anew in memory, so that nothing but the migrations has a say.
async function ownSchema(migrations: readonly number[]): Promise<SchemaObjects> {
  const connection = new SqliteConnection({ path: ':memory:', mode: 'write', sleep: setTimeout });
  const writer = kyselyOf(sqliteDialect(connection));
  try {
    await migrate({ dialect: sqlite, writer, now: () => new Date(0) }, new Set(migrations));
    return schemaObjects(connection.database);
  } finally {
    await writer.destroy();
    connection.close();
  }
}

// Statistics that the engine keeps for itself are no part of it.
function schemaObjects(database: DatabaseSync): SchemaObjects {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  const own = rows.filter(({ name }) => !/^sqlite_stat\d$/.test(String(name)));
  return new Map(own.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${sql}`]));
}

// The first object that only one of the two has, or that differs; null when the schemas are the same.
function schemaDifference(found: SchemaObjects, own: SchemaObjects): string | null {
  for (const [name, statement] of found) if (own.get(name) !== statement) return name;
  for (const name of own.keys()) if (!found.has(name)) return name;
  return null;
}
