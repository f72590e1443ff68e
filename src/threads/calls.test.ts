import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type CallOptions, ThreadCalls } from './calls.ts';

// A thread that answers, refuses, sends a message of its own, or crashes.
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage({ notice: workerData });
  parentPort.on('message', ({ id, word }) => {
    if (word === 'fall') setImmediate(() => { throw new Error('fallen'); });
    else if (word === 'no') parentPort.postMessage({ id, error: 'refused' });
    else if (word !== 'silence') parentPort.postMessage({ id, answer: word + '!' });
  });`;

function thread(t: TestContext, options: CallOptions = {}): ThreadCalls {
  const url = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(import.meta.url)});${THREAD}`)}`,
  );
  const calls = new ThreadCalls('index', url, { workerData: 'hello', ...options });
  t.after(() => calls.end());
  return calls;
}

it('answers find their questions, and refusals too', async (t) => {
  const notices: unknown[] = [];
  const calls = thread(t, { onNotice: (notice) => notices.push(notice) });

  const answers = await Promise.all(['a', 'b'].map((word) => calls.ask<string>({ word })));
  assert.deepEqual(answers, ['a!', 'b!']);
  await assert.rejects(calls.ask({ word: 'no' }), /refused/);
  assert.deepEqual(notices, ['hello']);
});

it('a thread that falls over leaves nobody waiting', async (t) => {
  const causes: unknown[] = [];
  const calls = thread(t, { onEnd: (cause) => causes.push(cause) });

  const waiting = assert.rejects(calls.ask({ word: 'silence' }), /has ended/);
  await assert.rejects(calls.ask({ word: 'fall' }), /has ended/);
  await waiting;
  assert.match(String(causes[0]), /fallen/);
  await assert.rejects(calls.ask({ word: 'a' }), /has ended/);
});
