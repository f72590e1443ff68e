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
  // A copy is one long transaction, which a pooler might end.
  databaseDirectUrl: string | null;
  dataDir: string;
  now: () => Date;
}

// The file extension names the engine of the backup.
export function backupEnding({ databaseDirectUrl: url }: Pick<Database, 'databaseDirectUrl'>): string {
  return url ? '.pg.ndjson.gz' : '.db';
}

export async function writeBackup({ databaseDirectUrl: url, dataDir, now }: Database, target: string): Promise<void> {
  if (url) await backupPostgres({ url, now }, target);
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
  { databaseDirectUrl: url, dataDir, now }: Database,
  { file, engine }: { file: string; engine: BackupContents['engine'] },
): Promise<void> {
  if ((engine === 'postgres') !== (url !== null)) {
    const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    throw new LineFileError(
      `this is a backup of ${name}; to change the engine use \`registry export\` and \`registry import\``,
    );
  }
  if (url) await restorePostgres({ url, now }, file);
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
