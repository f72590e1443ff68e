import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../test/support/engines.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';
import { createLimitedPool } from './pool.ts';
import { PreparedNames } from './prepared.ts';

const numberOf = (name: string | undefined) => name?.match(/^registry_[0-9a-f]{16}_(\d+)$/)?.[1];

describe('names of prepared statements', () => {
  const cases: [text: string, uses: number, name: string | undefined][] = [
    ['SELECT 1 WHERE $1', 1, undefined],
    ['SELECT 1 WHERE $1', 2, '1'],
    ['SELECT 1 WHERE $1', 3, '1'],
    [`INSERT INTO t VALUES ($1)${', ($1)'.repeat(2_000)}`, 3, undefined],
    ["SELECT 1 WHERE a @@ to_tsquery('simple', $1)", 3, undefined],
    ['SELECT a FROM t WHERE b = $1 ORDER BY a', 3, '1'],
    ['SELECT a FROM t WHERE b = $1 ORDER BY a LIMIT $2', 3, undefined],
    ['SELECT a FROM t WHERE b = $1 limit $2', 3, undefined],
    ['SELECT a FROM t WHERE b >= $1', 3, undefined],
    ['SELECT a FROM t WHERE b >= $1 ORDER BY a LIMIT 9 /* one plan */', 3, '1'],
  ];
  for (const [text, uses, name] of cases) {
    it(`use ${uses} of ${text.slice(0, 50)} has ${name ?? 'none'}`, () => {
      const names = new PreparedNames();
      for (let use = 1; use < uses; use += 1) names.of(text);
      assert.equal(numberOf(names.of(text).name), name);
    });
  }

  it('no two connections give the same name', () => {
    const all = [new PreparedNames(), new PreparedNames()].map((names) => {
      names.of('SELECT 1 WHERE $1');
      return names.of('SELECT 1 WHERE $1').name;
    });

    assert.notEqual(all[0], all[1]);
  });

  it('the one that was not used for longest makes room', () => {
    const names = new PreparedNames();
    for (const text of ['old', 'old', 'new', 'new', 'old']) names.of(text);
    const dropped = Array.from({ length: 400 }, (_, index) => names.of(`other ${index}`).dropped);
    assert.deepEqual(dropped.filter((name) => name !== null).map(numberOf), ['2', '1']);
  });
});

forEachEngine('prepared statements', (engine) => {
  if (engine.name !== 'postgres') return;

  // The server may end a connection that is closing.
  const onError = () => {};

  async function connect() {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError });
    const client = await pool.connect();
    return {
      run: (text: string) => client.query(text),
      read: (text: string) => client.query(text, []),
      ask: async (text: string) => (await client.query(text, [1])).rows,
      prepared: async () => (await client.query('SELECT name FROM pg_prepared_statements')).rows.length,
      async close() {
        client.release();
        await pool.end();
      },
    };
  }

  it('a statement is prepared at its second use, and what is not used any more is given up', async () => {
    const { ask, prepared, close } = await connect();
    const counts: number[] = [];
    for (let use = 0; use < 3; use += 1) {
      await ask('SELECT $1::int AS one');
      counts.push(await prepared());
    }
    for (let index = 0; index < 500; index += 1) {
      const text = `SELECT $1::int AS n${index}`;
      await Promise.all([ask(text), ask(text)]);
    }
    const most = await prepared();
    await close();

    assert.deepEqual(counts, [0, 1, 1]);
    assert.equal(most, 400);
  });

  it('a statement without values is prepared only when it is marked', async () => {
    const { read, prepared, close } = await connect();
    for (let use = 0; use < 3; use += 1) await read('SELECT 1');
    const before = await prepared();
    for (let use = 0; use < 3; use += 1) await read('SELECT 1 /* one plan */');
    const after = await prepared();
    await close();

    assert.deepEqual([before, after], [0, 1]);
  });

  it('a read whose columns a migration has changed is prepared again', async () => {
    const { run, ask, close } = await connect();
    await run('CREATE TABLE sample AS SELECT 1 AS id');
    const read = () => ask('SELECT * FROM sample WHERE id = $1');
    for (let use = 0; use < 3; use += 1) await read();
    await run('ALTER TABLE sample ADD COLUMN added int DEFAULT 2');
    const rows = [await read(), await read(), await read()];
    await close();

    assert.deepEqual(rows, Array(3).fill([{ id: 1, added: 2 }]));
  });

  it('a transaction that meets changed columns is retried', async () => {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const store = await openPostgres({ url, poolSize: 1, statementMs: 0, now: () => new Date(), onError });
    const attempts: number[] = [];
    const read = (id: number) =>
      store.transaction(async (tx) => {
        attempts.push(id);
        return (await sql`SELECT * FROM sample WHERE id = ${id}`.execute(tx)).rows;
      }, 'catalog');
    await runOn(store, 'CREATE TABLE sample AS SELECT 1 AS id');
    for (let use = 0; use < 3; use += 1) await read(1);
    await runOn(store, 'ALTER TABLE sample ADD COLUMN added int');
    const rows = await read(1);
    await store.close();

    assert.deepEqual(rows, [{ id: 1, added: null }]);
    assert.equal(attempts.length, 5, 'the last one ran twice');
  });

  it('behind a pooler, which knows no names, a transaction is retried and later ones send none', async () => {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const store = await openPostgres({ url, poolSize: 1, statementMs: 0, now: () => new Date(), onError });
    const read = () => store.transaction((tx) => sql<{ one: number }>`SELECT ${1}::int AS one`.execute(tx), 'catalog');
    for (let use = 0; use < 3; use += 1) await read();
    await runOn(store, 'DEALLOCATE ALL');
    const answers = [await read(), await read()];
    const { rows } = await sql`SELECT name FROM pg_prepared_statements`.execute(store.read);
    await store.close();

    assert.deepEqual(
      answers.map((answer) => answer.rows),
      [[{ one: 1 }], [{ one: 1 }]],
    );
    assert.deepEqual(rows, []);
  });

  it('behind a pooler, which knows no names, statements are sent without', async () => {
    const { run, ask, prepared, close } = await connect();
    for (let use = 0; use < 3; use += 1) await ask('SELECT $1::int AS one');
    await run('DEALLOCATE ALL');
    const rows = [await ask('SELECT $1::int AS one'), await ask('SELECT $1::int AS one')];
    const names = await prepared();
    await close();

    assert.deepEqual(rows, [[{ one: 1 }], [{ one: 1 }]]);
    assert.equal(names, 0);
  });
});

function runOn(store: Store, statement: string): Promise<unknown> {
  return sql.raw(statement).execute(store.read);
}
