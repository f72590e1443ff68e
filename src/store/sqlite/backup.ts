// A backup of the embedded database is a database file, copied from one snapshot while others write.
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { backup as copyPages, DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../../domain/records.ts';
import type { BackupContents } from '../dialect.ts';
import { LineFileError, moveWhole } from '../line-file.ts';

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
  await moveWhole(part, target);
}

export function verifySqlite(file: string): BackupContents {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const [first] = database.prepare('PRAGMA integrity_check(5)').all();
    if (first?.integrity_check !== 'ok') throw new LineFileError(`the file is damaged: ${first?.integrity_check}`);
    const [orphan] = database.prepare('PRAGMA foreign_key_check').all();
    if (orphan) throw new LineFileError('the file is damaged: rows refer to others that are not there');
    const applied = database.prepare('SELECT number FROM schema_migrations ORDER BY number').all();
    const counts = COUNTED.map((table) => {
      const row = database.prepare(`SELECT COUNT(*) AS count FROM ${table}`).get();
      return [table, Number(row?.count)] as const;
    });
    return {
      engine: 'sqlite',
      migrations: applied.map((row) => Number(row.number)),
      counts: Object.fromEntries(counts),
    };
  } catch (error) {
    if (error instanceof LineFileError) throw error;
    throw new LineFileError(`the file cannot be read as a database: ${errorMessage(error)}`, { cause: error });
  } finally {
    database.close();
  }
}

// Written through the engine and not by copying the file, so that a process with the empty database open sees it too.
export async function restoreSqlite(database: string, file: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    await copyPages(source, database);
  } finally {
    source.close();
  }
}
