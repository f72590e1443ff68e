import { sql } from 'kysely';
import { errorCode, errorMessage } from '../domain/records.ts';
import type { Dialect } from './dialect.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Queries } from './schema/index.ts';

interface MigrationState {
  applied: { number: number; name: string }[];
  pending: { number: number; name: string }[];
}

export interface Migrator {
  dialect: Dialect;
  writer: Queries;
  now: () => Date;
}

// Each migration is one transaction under a lock, so that two processes that start at once apply it once. `only`
// restricts it to these numbers, for the tables of a backup.
export async function migrate(migrator: Migrator, only?: ReadonlySet<number>): Promise<string[]> {
  const { dialect, writer, now } = migrator;
  const done: string[] = [];
  // Usually there is nothing to do, which needs no lock to find out.
  if ((await migrationState(writer)).pending.length === 0) return done;
  await prepareBookkeeping(migrator);
  for (const { number, name, load } of MIGRATIONS) {
    if (only && !only.has(number)) continue;
    const { up, rows } = await load();
    await writer.transaction().execute(async (tx) => {
      await dialect.lock(tx, 'migrations');
      const known = await tx
        .selectFrom('schema_migrations')
        .select('number')
        .where('number', '=', number)
        .executeTakeFirst();
      if (known) return;
      for (const statement of up(dialect)) await sql.raw(statement).execute(tx);
      await rows?.(tx);
      await tx.insertInto('schema_migrations').values({ number, name, applied_at: now().toISOString() }).execute();
      done.push(name);
    });
  }
  return done;
}

async function prepareBookkeeping({ dialect, writer }: Migrator): Promise<void> {
  const { text, int } = dialect.types;
  await writer.transaction().execute(async (tx) => {
    await dialect.lock(tx, 'migrations');
    await sql
      .raw(
        `CREATE TABLE IF NOT EXISTS schema_migrations (number ${int} PRIMARY KEY, name ${text} NOT NULL, applied_at ${text} NOT NULL)`,
      )
      .execute(tx);
    await sql.raw(`CREATE TABLE IF NOT EXISTS counters (name ${text} PRIMARY KEY, value ${int} NOT NULL)`).execute(tx);
    await sql`INSERT INTO counters (name, value) VALUES ('catalog', 0) ON CONFLICT (name) DO NOTHING`.execute(tx);
  });
}

// Only a missing table means that no migration has run; other errors are thrown.
function isMissingTable(error: unknown): boolean {
  const code = errorCode(error);
  return code === '42P01' || (code === 'ERR_SQLITE_ERROR' && errorMessage(error).startsWith('no such table'));
}

export async function migrationState(db: Queries): Promise<MigrationState> {
  const rows = await db
    .selectFrom('schema_migrations')
    .select(['number', 'name'])
    .orderBy('number')
    .execute()
    .catch((error) => {
      if (isMissingTable(error)) return [];
      throw error;
    });
  const known = new Set(rows.map((row) => row.number));
  const pending = MIGRATIONS.filter((migration) => !known.has(migration.number));
  return { applied: rows, pending: pending.map(({ number, name }) => ({ number, name })) };
}
