import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { ThreadEnded } from '../../threads/task.ts';
import type { BesideRequest } from '../beside.ts';
import { LEAVE, MULTIPLY, READ_NOWHERE } from './beside.fixture.ts';
import { openSqlite } from './open.ts';

describe('read threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-test-'));
  const store = openSqlite({ path: join(folder, 'registry.db'), now: () => new Date(), sleep: async () => {} });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('see what was committed, and give rows as the store does', async () => {
    await store.migrate();
    const query = sql<{ name: string; value: number }>`SELECT name, value, NULL AS empty FROM counters ORDER BY name`;

    const here = (await query.execute(store.read)).rows.map((row) => ({ ...row }));
    assert.deepEqual((await query.execute(store.search)).rows, here);
    await store.transaction(async (tx) => {
      await tx.insertInto('counters').values({ name: 'zebra', value: 9_007_199_254_740_991 }).execute();
      assert.ok(!(await query.execute(store.search)).rows.some(({ name }) => name === 'zebra'));
    }, 'bookkeeping');
    assert.equal((await query.execute(store.search)).rows.at(-1)?.value, 9_007_199_254_740_991);
  });

  it('take turns when many ask', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 40 },
        async (_, at) => (await sql<{ n: number }>`SELECT ${at} AS n`.execute(store.search)).rows[0]?.n,
      ),
    );

    assert.deepEqual(
      answers,
      Array.from({ length: 40 }, (_, at) => at),
    );
  });

  it('leave the thread that asks free', async () => {
    let done = false;
    const slow =
      sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT count(*) FROM n`
        .execute(store.search)
        .then(() => {
          done = true;
        });
    let turns = 0;
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await slow;

    assert.ok(turns > 100, String(turns));
  });

  it('answer a quick question while another takes long', async () => {
    const order: string[] = [];
    const ask = async (name: string, rows: number) => {
      await sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT count(*) FROM n`.execute(
        store.search,
      );
      order.push(name);
    };
    await Promise.all([ask('long', 500_000), ask('quick', 1)]);

    assert.deepEqual(order, ['quick', 'long']);
  });

  it('pass errors on and go on working', async () => {
    await assert.rejects(sql`SELECT * FROM nowhere`.execute(store.search), { errcode: 1, message: /no such table/ });
    await assert.rejects(sql`DELETE FROM counters`.execute(store.search), /readonly/);
    assert.equal((await sql<{ n: number }>`SELECT 1 AS n`.execute(store.search)).rows[0]?.n, 1);
  });

  const shared = { factor: 10 };
  const work = <Output>(
    task: BesideRequest<Output>['task'],
    input: number,
    answer: BesideRequest<Output>['answer'] = async () => 2,
  ) => store.search.runBeside?.({ task, input, shared, answer });

  it('do work that reads and asks, many at a time', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, at) => work(MULTIPLY, at)));
    assert.deepEqual(
      results,
      Array.from({ length: 20 }, (_, at) => (at + 1) * 20),
    );
  });

  it('answer other work and statements while one waits for what it asked', async () => {
    const held = Promise.withResolvers<number>();
    const waiting = [1, 2, 3].map((input) => work(MULTIPLY, input, () => held.promise));
    assert.equal(await work(MULTIPLY, 4), 100);
    assert.equal((await sql<{ n: number }>`SELECT 1 AS n`.execute(store.search)).rows[0]?.n, 1);
    held.resolve(1);
    assert.deepEqual(await Promise.all(waiting), [20, 30, 40]);
  });

  it('pass on the errors of work and of what it asked', async () => {
    await assert.rejects(async () => work(READ_NOWHERE, 1), { errcode: 1, message: /no such table/ });
    const refuse = async () => {
      throw new Error('not today');
    };
    await assert.rejects(async () => work(MULTIPLY, 1, refuse), /not today/);
    assert.equal(await work(MULTIPLY, 1), 40);
  });

  it('tell of a thread that ended, and go on with another', async () => {
    await assert.rejects(async () => work(LEAVE, 1), ThreadEnded);
    assert.equal(await work(MULTIPLY, 1), 40);
    assert.equal((await sql<{ n: number }>`SELECT 1 AS n`.execute(store.search)).rows[0]?.n, 1);
  });

  it('answer what runs when the store closes, and refuse the rest', async () => {
    const other = openSqlite({ path: join(folder, 'registry.db'), now: () => new Date(), sleep: async () => {} });
    const requested = Array.from({ length: 5 }, (_, at) => sql<{ n: number }>`SELECT ${at} AS n`.execute(other.search));
    // By now the first two have reached their threads.
    const settled = Promise.allSettled(requested);
    await new Promise((resolve) => setImmediate(resolve));
    await other.close();

    assert.deepEqual(
      (await settled).map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
    );
  });

  it('end with the store, and before that let an idle process end', async () => {
    for (const closing of [true, false]) {
      const script = `
        import { sql } from 'kysely';
        import { openSqlite } from ${JSON.stringify(fileURLToPath(new URL('./open.ts', import.meta.url)))};
        const store = openSqlite({ path: ${JSON.stringify(join(folder, 'registry.db'))}, now: () => new Date(), sleep: async () => {} });
        console.log((await sql\`SELECT 41 + 1 AS n\`.execute(store.search)).rows[0].n);
        ${closing ? 'await store.close();' : ''}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: fileURLToPath(new URL('../../../', import.meta.url)),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      const [code] = await once(child, 'close');
      assert.deepEqual([code, text], [0, '42\n']);
    }
  });
});
