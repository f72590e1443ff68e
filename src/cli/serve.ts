import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { EXIT, type Invocation, type Terminal } from './command.ts';
import { fillingOf } from './fill.ts';
import { environmentFor, openService } from './service.ts';
import { startLines } from './start-lines.ts';
import { partOfStop, stopRequested, stopSignal } from './stop.ts';
import { supervise } from './supervise.ts';

export async function serve({ env, flags, terminal }: Invocation): Promise<number> {
  const fill = fillingOf(flags);
  const stop = stopRequested();
  const app = await openService({ env, flags });
  try {
    const { openWebServer } = await import('./web-server.ts');
    const server = await openWebServer(app.ctx);
    const stopping = stopSignal(stop);
    if (fill) await server.whileLoading(() => fill(app.ctx, terminal, stopping));
    if (stopping.aborted) {
      await server.close(await stop);
      return EXIT.ok;
    }
    // The worker is a process of its own, so that background work never delays a request.
    const worker = flags['no-worker']
      ? null
      : supervise({
          name: 'worker',
          start: () => fork(launcher(), ['worker'], { env: environmentFor({ env, flags }) }),
          log: app.ctx.log,
        });
    for (const line of startLines(app.ctx.config, server.url, server.rootKey)) terminal.out(line);
    const told = worker ? tellWhenMeaningIsReady(app.ctx, terminal, stopping) : null;
    const request = await stop;
    await Promise.all([server.close(request), worker && partOfStop('worker', worker.stop(request.signal)), told]);
  } finally {
    await partOfStop('database', app.close());
  }
  return EXIT.ok;
}

function launcher(): string {
  return process.argv[1] ?? '';
}

// Search by words answers from the first moment; search by meaning follows when the worker has embedded what is stored.

const CHECK_MS = 2000;

async function tellWhenMeaningIsReady(ctx: Context, terminal: Terminal, signal: AbortSignal): Promise<void> {
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
