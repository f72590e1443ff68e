// The index thread: it holds the indexes of the space in use, with a read connection of its own, and answers searches.
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer } from '../../../threads/calls.ts';
import { createIndexes } from './indexes.ts';
import type { IndexOrder, IndexSettings, Notice } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('runs as a thread');

const settings: IndexSettings = workerData;
const indexes = await createIndexes(settings, (notice: Notice) => port.postMessage({ notice }));

port.on('message', async ({ id, ...order }: IndexOrder & { id?: number }) => {
  try {
    const answer = await answerTo(order);
    if (id !== undefined) port.postMessage({ id, answer } satisfies ThreadAnswer);
  } catch (error) {
    if (id !== undefined) port.postMessage({ id, error: String(error) } satisfies ThreadAnswer);
  }
  if (order.order === 'close') port.close();
});

async function answerTo(order: IndexOrder): Promise<unknown> {
  switch (order.order) {
    case 'follow':
      return indexes.follow(new Date(order.now));
    case 'search':
      return indexes.search(order.question);
    case 'close':
      return indexes.close();
  }
}
