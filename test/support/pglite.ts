// PostgreSQL with the extension `vector` inside the test process: the server that tests start has no extensions. The driver
// and its protocol are the real ones, on a single connection.
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { vector } from '@electric-sql/pglite-pgvector';
import { PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrate } from '../../src/store/migrate.ts';
import { postgres } from '../../src/store/postgres/dialect.ts';
import { clientOptions } from '../../src/store/postgres/pool.ts';
import { kyselyOf } from '../../src/store/query-builder.ts';
import type { Queries, Schema } from '../../src/store/schema/index.ts';

export interface EmbeddedDatabase {
  db: Queries;
  close(): Promise<void>;
}

// A migrated database without rows, in memory.
export async function openPglite(): Promise<EmbeddedDatabase> {
  const server = await PGlite.create({ extensions: { vector } });
  const { types } = clientOptions({ url: '', statementMs: 0 });
  const pool = new pg.Pool({ ...createPgConfig(server), types, max: 1 } as pg.PoolConfig);
  const db = kyselyOf(new PostgresDialect({ pool }));
  await migrate({ dialect: postgres, writer: db, now: () => new Date(0) });
  return {
    db,
    async close() {
      await db.destroy();
      await server.close();
    },
  };
}

const ROWS = 200;

// Copies the rows of tables, those first that others refer to.
export async function copyRows(from: Queries, to: Queries, tables: readonly (keyof Schema)[]): Promise<void> {
  for (const table of tables) {
    await sql`DELETE FROM ${sql.table(table)}`.execute(to);
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(from);
    for (let at = 0; at < rows.length; at += ROWS) {
      const part = rows.slice(at, at + ROWS);
      const columns = Object.keys(part[0] ?? {});
      const values = part.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`);
      await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        VALUES ${sql.join(values)}`.execute(to);
    }
  }
}
