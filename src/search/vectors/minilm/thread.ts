// A thread that embeds one text after another. The native library can be loaded once in a process, in one thread.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../thread-calls.ts';
import { openEngine } from './engine.ts';

const { modelFolder } = workerData as { modelFolder: string };
const port = parentPort;
if (!port) throw new Error('runs as a thread');

let reason: string | null = null;
const opening = openEngine(modelFolder, (error) => {
  reason = String(error);
});
opening.then(
  ({ name }) => port.postMessage({ notice: { engine: name, reason } }),
  // The texts that wait for it fail one by one.
  () => {},
);

port.on('message', async ({ id, text }: { id: number; text: string }) => {
  try {
    const answer = await (await opening).embed(text);
    port.postMessage({ id, answer } satisfies ThreadAnswer, [answer.buffer as ArrayBuffer]);
  } catch (error) {
    port.postMessage({ id, error: String(error) } satisfies ThreadAnswer);
  }
});
