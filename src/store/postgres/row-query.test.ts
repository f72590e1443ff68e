import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createLimitedPool } from './pool.ts';

forEachEngine('rows of statements', (engine) => {
  if (engine.name !== 'postgres') return;

  async function connect() {
    const { REGISTRY_DATABASE_URL: url = '' } = await engine.openTestDatabase();
    const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError: () => {} });
    const client = await pool.connect();
    let descriptions = 0;
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('rowDescription', () => {
      descriptions += 1;
    });
    return {
      ask: async (text: string, values: unknown[]) => (await client.query(text, values)).rows,
      described: () => descriptions,
      async close() {
        client.release();
        await pool.end();
      },
    };
  }

  const values: [expression: string, value: unknown][] = [
    ["'text'::text", 'text'],
    ["''::text", ''],
    ['NULL::text', null],
    ['NULL::bigint', null],
    ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
    ['0.5::double precision', 0.5],
    ['12.50::numeric', '12.50'],
    ['true', true],
    [`'{"a":[1]}'::json`, { a: [1] }],
    ["'{a,b}'::text[]", ['a', 'b']],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
  ];

  it('hold the values of every type, described or not', async () => {
    const { ask, described, close } = await connect();
    const columns = values.map(([expression], at) => `${expression} AS "v ${at}"`);
    const answers: unknown[] = [];
    for (let use = 0; use < 4; use += 1) {
      answers.push(await ask(`SELECT ${columns} FROM generate_series(1, $1::int)`, [2]));
    }
    const descriptions = described();
    await close();

    const row = Object.fromEntries(values.map(([, value], at) => [`v ${at}`, value]));
    assert.deepEqual(answers, Array(4).fill([row, row]));
    assert.equal(descriptions, 2, 'the first use, and the first of its name');
  });

  it('are described for each statement that is sent before the first answer', async () => {
    const { ask, described, close } = await connect();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('SELECT $1::int AS one', [1])));
    const descriptions = described();
    await close();

    assert.deepEqual(answers, Array(4).fill([{ one: 1 }]));
    assert.equal(descriptions, 4);
  });

  it('a failed statement is reported, and the next one is answered', async () => {
    const { ask, close } = await connect();
    for (let use = 0; use < 3; use += 1) await ask('SELECT 1 / $1::int AS one', [1]);

    await assert.rejects(ask('SELECT 1 / $1::int AS one', [0]), { code: '22012' });
    assert.deepEqual(await ask('SELECT 1 / $1::int AS one', [1]), [{ one: 1 }]);
    await close();
  });
});
