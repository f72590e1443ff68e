// The service behind a pooler that gives each transaction another connection of the server.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import { startTransactionPooler } from '../../../test/support/transaction-pooler.ts';
import { LISTENER_NAME } from './data-version.ts';
import { openPostgres } from './open.ts';
import { createLimitedPool } from './pool.ts';

const STATEMENT_MS = 30_000;

forEachEngine('behind a transaction pooler', (engine) => {
  if (engine.name !== 'postgres') return;

  async function open(t: TestContext) {
    const { REGISTRY_DATABASE_URL: directUrl = '' } = await engine.openTestDatabase();
    const pooler = await startTransactionPooler(directUrl);
    t.after(() => pooler.close());
    return { directUrl, pooler };
  }

  function openStore(t: TestContext, urls: { url: string; directUrl?: string; statementMs?: number }) {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    return openPostgres({ poolSize: 3, statementMs: STATEMENT_MS, now: () => new Date(), ...urls, onError }).then(
      async (store) => {
        t.after(() => store.close());
        await store.migrate();
        return { store, errors };
      },
    );
  }

  it('with both addresses, transactions and reads go through it and sessions do not', async (t) => {
    const { directUrl, pooler } = await open(t);
    const { store, errors } = await openStore(t, { url: pooler.url, directUrl });
    const write = (slug: string) =>
      store.transaction(async (tx) => {
        await store.dialect.lock(tx, 'sample');
        await sql`INSERT INTO settings (key, value, updated_at) VALUES (${slug}, ${slug}, '')`.execute(tx);
        const { rows } = await sql<{ value: string }>`SELECT value FROM settings WHERE key = ${slug}`.execute(tx);
        return rows[0]?.value;
      }, 'catalog');
    const slugs = Array.from({ length: 40 }, (_, index) => `sample ${index}`);
    const written = await Promise.all(slugs.map(write));
    const read = await Promise.all(
      slugs.map(async (slug) => {
        const { rows } = await sql<{ value: string }>`SELECT value FROM settings WHERE key = ${slug}`.execute(
          store.read,
        );
        return rows[0]?.value;
      }),
    );
    const { rows: listeners } = await sql<{ state: string }>`SELECT state FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${LISTENER_NAME}`.execute(store.read);
    const { rows: prepared } = await sql`SELECT name FROM pg_prepared_statements`.execute(store.read);

    assert.deepEqual([written, read], [slugs, slugs]);
    assert.ok(pooler.handed() > slugs.length);
    assert.equal(listeners.length, 1, 'the one that listens is a client of the server itself');
    assert.deepEqual(prepared, []);
    assert.deepEqual(errors, []);
  });

  it('with both addresses, a process hears of the commits of another one', async (t) => {
    const { directUrl, pooler } = await open(t);
    const [one, other] = [
      await openStore(t, { url: pooler.url, directUrl }),
      await openStore(t, { url: pooler.url, directUrl }),
    ];
    const before = one.store.dataVersion();
    await other.store.transaction(async () => {}, 'catalog');
    while (one.store.dataVersion() === before) await sleep(5);

    assert.equal(one.store.dataVersion(), before + 1);
  });

  it('with one address, it notices that it hears nothing, says so once, and caches nothing', async (t) => {
    const { pooler } = await open(t);
    const { store, errors } = await openStore(t, { url: pooler.url, statementMs: 0 });
    while (errors.length === 0) {
      await store.transaction(async () => {}, 'catalog');
      await sleep(100);
    }
    const versions = [store.dataVersion(), store.dataVersion()];
    await sleep(2_500);

    assert.match(String(errors[0]), /REGISTRY_DATABASE_DIRECT_URL/);
    assert.equal(errors.length, 1);
    assert.notEqual(versions[0], versions[1]);
  });

  it('with one address, no statement is taken for that of another client', async (t) => {
    const { directUrl } = await open(t);
    const pooler = await startTransactionPooler(directUrl, 2);
    t.after(() => pooler.close());
    const connect = async (factor: number) => {
      const { pool } = createLimitedPool({ url: pooler.url, poolSize: 1, statementMs: 0, onError: () => {} });
      const client = await pool.connect();
      t.after(async () => {
        client.release();
        await pool.end();
      });
      return async () => (await client.query(`SELECT $1::int * ${factor} AS value`, [7])).rows[0]?.value;
    };
    const [one, other, third] = [await connect(1), await connect(2), await connect(3)];
    // Two connections in turn: each client prepares its statement on one of them, and then they change places.
    const answers: number[] = [];
    for (const ask of [one, other, one, other, third, one, other, third, third]) answers.push(await ask());

    assert.deepEqual(answers, [7, 14, 7, 14, 21, 7, 14, 21, 21]);
  });

  it('a limit of statements is not asked of it at the start, which it would refuse', async (t) => {
    const { pooler } = await open(t);
    const ask = (isPooler: boolean) => {
      const { pool } = createLimitedPool({
        url: pooler.url,
        isPooler,
        poolSize: 1,
        statementMs: 1000,
        onError: () => {},
      });
      return pool.query('SELECT 1').finally(() => pool.end());
    };

    await ask(true);
    await assert.rejects(ask(false), /unsupported startup parameter: statement_timeout/);
  });
});
