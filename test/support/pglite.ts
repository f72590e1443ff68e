// PostgreSQL with the extension `vector` inside the test process: the server that tests start has no extensions. The driver
// and its protocol are the real ones, on a single connection.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { templateName } from './postgres.ts';

export interface EmbeddedDatabase {
  db: Queries;
  close(): Promise<void>;
}

// A migrated database without rows, in memory.
export async function openPglite(): Promise<EmbeddedDatabase> {
  const template = await readTemplate();
  const server = await PGlite.create({ extensions: { vector }, ...(template ? { loadDataDir: template } : {}) });
  const { types } = clientOptions({ url: '', statementMs: 0 });
  const pool = new pg.Pool({ ...createPgConfig(server), types, max: 1 } as pg.PoolConfig);
  const db = kyselyOf(new PostgresDialect({ pool }));
  if (!template) {
    await migrate({ dialect: postgres, writer: db, now: () => new Date(0) });
    await writeTemplate(await server.dumpDataDir('gzip'));
  }
  return {
    db,
    async close() {
      await db.destroy();
      await server.close();
    },
  };
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/release-registry/pglite', import.meta.url));
const PACKAGES = new URL('../../package.json', import.meta.url);

// A migrated database of an earlier run, because making one takes seconds; null without one of this schema and version.
async function readTemplate(): Promise<Blob | null> {
  return readFile(await templatePath()).then(
    (bytes) => new Blob([bytes]),
    () => null,
  );
}

// Written beside and renamed, so that no other process reads a part of it.
async function writeTemplate(content: Blob): Promise<void> {
  const path = await templatePath();
  const part = `${path}.${randomUUID()}`;
  await mkdir(CACHE, { recursive: true });
  await writeFile(part, await content.bytes());
  await rename(part, path);
}

async function templatePath(): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(PACKAGES, 'utf8'));
  return join(CACHE, `${await templateName()}-${devDependencies['@electric-sql/pglite']}.tar.gz`);
}

// Copies the rows of tables, those first that others refer to.
export async function copyRows(from: Queries, to: Queries, tables: readonly (keyof Schema)[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(from);
    const text = JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? bytesText(value) : value));
    await sql`DELETE FROM ${sql.table(table)}`.execute(to);
    await sql`INSERT INTO ${sql.table(table)}
      SELECT * FROM json_populate_recordset(NULL::${sql.table(table)}, ${text}::json)`.execute(to);
  }
}

function bytesText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
