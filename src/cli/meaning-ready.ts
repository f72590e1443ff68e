// Search by words answers from the first moment; search by meaning follows when the worker has embedded what is stored.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Terminal } from './command.ts';

const CHECK_MS = 2000;

export async function tellWhenMeaningIsReady(ctx: Context, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { isEmbeddingPending } = await import('../search/vectors/embed-status.ts');
  try {
    if (!(await isEmbeddingPending(ctx))) return;
    terminal.err('Search by words is ready; search by meaning follows in the background.');
    while (await isEmbeddingPending(ctx)) await sleep(CHECK_MS, undefined, { signal });
    terminal.err('Search by meaning is ready.');
  } catch (error) {
    // A stop ends the waiting, and a database that goes away is reported by those who need it.
    if (!signal.aborted) ctx.log.debug({ err: error }, 'the state of search by meaning is not known');
  }
}
