import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { pino } from 'pino';
import { ApiError } from '../contract/errors.ts';
import { createMcpServer } from './server.ts';
import { createTurns } from './turns.ts';

it('work runs a few at a time, in its order, also after a failure', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, index) =>
      turns(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await setImmediate();
        running -= 1;
        if (index === 3) throw new Error('three');
        return index;
      }),
    ),
  );

  assert.equal(most, 2);
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    [0, 1, 2, 'failed', 4, 5, 6],
  );
});

it('other work of the process comes between two turns', async () => {
  const turns = createTurns(1);
  const order: string[] = [];
  const all = ['a', 'b', 'c'].map((name) => turns(async () => order.push(name)));
  void (async () => {
    for (const name of ['x', 'y']) {
      await setImmediate();
      order.push(name);
    }
  })();
  await Promise.all(all);

  assert.deepEqual(order.slice(0, 3), ['a', 'x', 'b']);
});

it('calls of one connection take turns', async () => {
  let running = 0;
  let most = 0;
  const asked = async () => {
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
    throw new ApiError('service_unavailable', 'nothing is stored here');
  };
  const server = createMcpServer({ api: { get: asked, send: asked }, log: pino({ level: 'silent' }), version: '1' });
  const answered: JSONRPCMessage[] = [];
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void answered.push(message),
    close: async () => {},
  };
  await server.connect(transport);
  for (let id = 1; id <= 20; id += 1) {
    const params = { name: 'list_orgs', arguments: {} };
    transport.onmessage?.({ jsonrpc: '2.0', id, method: 'tools/call', params });
  }
  while (answered.length < 20) await setImmediate();
  await server.close();

  assert.equal(most, 4);
});
