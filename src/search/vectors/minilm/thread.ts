// A thread that embeds one text after another. The native library can be loaded once in a process, in one thread.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../../threads/calls.ts';
import { openEngine } from './engine.ts';

const BACKGROUND_PRIORITY = 10;

const { modelFolder, background }: { modelFolder: string; background: boolean } = workerData;
const port = parentPort;
if (!port) throw new Error('runs as a thread');

if (background) yieldToOthers();

let reason: string | null = null;
const opening = openEngine(modelFolder, (error) => {
  reason = String(error);
});
opening.then(
  ({ name }) => port.postMessage({ notice: { engine: name, reason } }),
  // The rejected promise is handled by each waiting text.
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

// Lowers the priority of this thread, because requests and deliveries on the same cores must not wait for documents. On Linux
// the id 0 means the calling thread; elsewhere it would mean the whole process.
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, BACKGROUND_PRIORITY);
  } catch {
    // A sandbox may forbid it; then the thread keeps its priority.
  }
}
