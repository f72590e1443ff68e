// Copies of the whole database: taken while it is in use, checked, and read back into an empty one.
import { join } from 'node:path';
import { sql } from 'kysely';
import type { BackupContents } from './dialect.ts';
import { firstBytes, LineFileError } from './line-file.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { DATABASE_FILE } from './open.ts';
import { backupPostgres, verifyPostgres } from './postgres/backup.ts';
import { restorePostgres } from './postgres/restore.ts';
import type { Queries } from './schema/index.ts';
import { backupSqlite, restoreSqlite, verifySqlite } from './sqlite/backup.ts';

interface Database {
  databaseUrl: string | null;
  dataDir: string;
  now: () => Date;
}

// The file extension names the engine of the backup.
export function backupEnding({ databaseUrl }: Pick<Database, 'databaseUrl'>): string {
  return databaseUrl ? '.pg.ndjson.gz' : '.db';
}

export async function writeBackup({ databaseUrl, dataDir, now }: Database, target: string): Promise<void> {
  if (databaseUrl) await backupPostgres({ url: databaseUrl, now }, target);
  else await backupSqlite(join(dataDir, DATABASE_FILE), target);
}

// Throws when the file is damaged, is not a backup, or comes from a later version of this program.
export async function verifyBackup(file: string, { withoutChecksum = false } = {}): Promise<BackupContents> {
  const contents = (await isSqlite(file)) ? await verifySqlite(file, { withoutChecksum }) : await verifyPostgres(file);
  const known = new Set(MIGRATIONS.map(({ number }) => number));
  if (contents.migrations.some((number) => !known.has(number))) {
    throw new LineFileError('the backup was made by a later version of this program');
  }
  return contents;
}

// The backup must be verified and the database empty; see `filledTable`.
export async function restoreBackup(
  { databaseUrl, dataDir, now }: Database,
  { file, engine }: { file: string; engine: BackupContents['engine'] },
): Promise<void> {
  if ((engine === 'postgres') !== (databaseUrl !== null)) {
    const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    throw new LineFileError(
      `this is a backup of ${name}; to change the engine use \`registry export\` and \`registry import\``,
    );
  }
  if (databaseUrl) await restorePostgres({ url: databaseUrl, now }, file);
  else await restoreSqlite(join(dataDir, DATABASE_FILE), file);
}

async function isSqlite(file: string): Promise<boolean> {
  return Buffer.from(await firstBytes(file, 15)).toString('latin1') === 'SQLite format 3';
}

// Rows of a new database before its first use.
const OWN_TABLES = new Set(['schema_migrations', 'counters', 'sqlite_stat1', 'settings', 'limits', 'hosts']);

// The name of a table that has rows, or null.
export async function filledTable(db: Queries): Promise<string | null> {
  const tables = await db.introspection.getTables();
  for (const { name, isView } of tables) {
    // The search index of SQLite has internal rows.
    if (isView || OWN_TABLES.has(name) || /_(?:fts|search)(?:_|$)/.test(name)) continue;
    const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(db);
    if (rows.length > 0) return name;
  }
  return null;
}
