// A database that refuses writes, because its disk is full or it is read-only. Reads continue, and the service recovers
// by itself.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it, mock } from 'node:test';
import { sql } from 'kysely';
import type { App } from '../../src/app.ts';
import type { Queries } from '../../src/store/schema/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

interface Fault {
  reason: 'disk_full' | 'read_only';
  break(app: App): Promise<void>;
  mend(app: App): Promise<void>;
}

// Settings of the writing connection, so that the engine itself refuses. It is the connection that begins a
// transaction, which a test can only learn by intercepting statements.
async function onWriter({ ctx }: App, pragma: string): Promise<void> {
  const begin = mock.method(DatabaseSync.prototype, 'exec');
  await ctx.store.transaction(async () => {}, 'bookkeeping').catch(() => {});
  const writer = begin.mock.calls.find((call) => call.arguments[0] === 'BEGIN IMMEDIATE')?.this as DatabaseSync;
  begin.mock.restore();
  writer.exec(`PRAGMA ${pragma}`);
}

const SQLITE: Fault[] = [
  {
    reason: 'disk_full',
    // The file may not grow beyond its present size.
    break: (app) => onWriter(app, 'max_page_count = 1'),
    mend: (app) => onWriter(app, 'max_page_count = 1000000'),
  },
  {
    reason: 'read_only',
    break: (app) => onWriter(app, 'query_only = 1'),
    mend: (app) => onWriter(app, 'query_only = 0'),
  },
];

async function inEveryTable(db: Queries, statement: (table: string) => string): Promise<void> {
  for (const table of ['releases', 'orgs', 'settings', 'counters']) await sql.raw(statement(table)).execute(db);
}

// The error of a server whose disk is full.
const FULL = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`;

async function setReadOnly({ ctx }: App, state: 'on' | 'off'): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(ctx.store.read);
  // The setting works even where the default is already read-only.
  const { read } = ctx.store;
  await read.connection().execute(async (connection) => {
    await sql`SET default_transaction_read_only = off`.execute(connection);
    await sql.raw(`ALTER DATABASE ${rows[0]?.name} SET default_transaction_read_only = ${state}`).execute(connection);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(connection);
    await sql.raw(`SET default_transaction_read_only = ${state}`).execute(connection);
  });
}

const POSTGRES: Fault[] = [
  {
    reason: 'disk_full',
    async break({ ctx }) {
      await sql.raw(FULL).execute(ctx.store.read);
      await inEveryTable(
        ctx.store.read,
        (table) => `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION refuse()`,
      );
    },
    mend: ({ ctx }) => inEveryTable(ctx.store.read, (table) => `DROP TRIGGER refuse ON ${table}`),
  },
  { reason: 'read_only', break: (app) => setReadOnly(app, 'on'), mend: (app) => setReadOnly(app, 'off') },
];

forEachEngine('a database that refuses writes', (engine) => {
  for (const fault of engine.name === 'sqlite' ? SQLITE : POSTGRES) {
    it(`503 service_unavailable, told by /ready as ${fault.reason}, while reads go on`, async () => {
      const app = await engine.openTestApp();
      const service = await startService(app);
      const { id } = await createSource(app.ctx);
      await postReleases(app.ctx, id, [releaseRow('1.0.0')]);
      const path = `/v1/sources/${id}/releases`;
      // More than the free pages of a small file can hold.
      const release = { ...releaseRow('2.0.0'), content: 'Long text. '.repeat(5000) };
      const before = await service.anonymous.get('/ready');

      await fault.break(app);
      const write = await service.root.post(path, release);
      const ready = await service.anonymous.get('/ready');
      const reads = await Promise.all(
        ['/v1/orgs', '/v1/releases/latest', `/v1/sources/${id}`, '/v1/stats', '/v1/search?q=thing', '/health'].map(
          async (address) => [(await service.anonymous.get(address)).status, (await service.root.get(address)).status],
        ),
      );
      await fault.mend(app);
      const healed = await service.anonymous.get('/ready');
      const again = await service.root.post(path, release);

      assert.equal(before.status, 200);
      assert.equal(write.status, 503, write.text);
      assert.deepEqual([write.body.error.code, write.body.error.details.reason], ['service_unavailable', fault.reason]);
      assert.ok(Number(write.headers.get('retry-after')) > 0);
      assert.equal(ready.status, 503);
      assert.deepEqual(ready.body.error.details, { reason: fault.reason, db: fault.reason, migrations: 'current' });
      assert.deepEqual(reads.flat(), reads.flat().fill(200));
      assert.deepEqual([healed.status, again.status], [200, 201]);
    });
  }
});
