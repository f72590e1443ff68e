// A process that computes for longer than a receiver may take, with the receiver's answer waiting in its socket.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { turn } from './fake-timers.fixture.ts';
import { openFetch } from './loopback.fixture.ts';

const LIMIT_MS = 1_000;
// Numbers that a blocked thread can watch, too.
const [REQUESTED, HELD, ANSWERED] = [0, 1, 2] as const;
// Answers once the other thread is held.
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const state = new Int32Array(workerData);
  const server = createServer((request, response) => {
    Atomics.store(state, ${REQUESTED}, 1);
    Atomics.wait(state, ${HELD}, 0);
    response.end('ok', () => {
      Atomics.store(state, ${ANSWERED}, 1);
      Atomics.notify(state, ${ANSWERED});
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

it('an answer that came while the loop was held is in time', async (t) => {
  const state = new Int32Array(new SharedArrayBuffer(12));
  const server = new Worker(SERVER, { eval: true, workerData: state.buffer });
  t.after(() => server.terminate());
  const [port] = await once(server, 'message');
  const limits = { connectMs: LIMIT_MS, firstByteMs: LIMIT_MS, totalMs: LIMIT_MS };
  const fetched = openFetch()({ url: `http://127.0.0.1:${port}/`, retry: false, limits });

  while (Atomics.load(state, REQUESTED) === 0) await turn();
  Atomics.store(state, HELD, 1);
  Atomics.notify(state, HELD);
  Atomics.wait(state, ANSWERED, 0);
  // Nothing wakes the wait early, so it takes the full time.
  Atomics.wait(state, ANSWERED, 1, 3 * LIMIT_MS);

  const result = await fetched;
  assert.equal(result.ok ? result.status : result.detail, 200);
});
