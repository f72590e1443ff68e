import cluster from 'node:cluster';
import { ensureRootKey } from '../accounts/installation-secrets.ts';
import type { App } from '../app.ts';
import { countFlag, EXIT, type Invocation } from './command.ts';
import { fillingOf } from './fill.ts';
import { environmentFor, openService } from './service.ts';
import { startLines } from './start-lines.ts';
import { partOfStop, type StopRequest, stopRequested, stopSignal } from './stop.ts';
import { READY_MESSAGE, supervise } from './supervise.ts';

const MAX_PROCESSES = 256;

export async function web(invocation: Invocation): Promise<number> {
  const processes = countFlag(invocation.flags, 'processes', { most: MAX_PROCESSES }) ?? 1;
  const stop = stopRequested();
  const app = await openService(invocation);
  try {
    if (cluster.isWorker) return await serveQuietly(app, stop);
    return processes === 1
      ? await serveAlone(app, invocation, stop)
      : await serveTogether(app, invocation, { processes, stop });
  } finally {
    await partOfStop('database', app.close());
  }
}

async function serveAlone({ ctx }: App, { flags, terminal }: Invocation, stop: Promise<StopRequest>): Promise<number> {
  const { openWebServer } = await import('./web-server.ts');
  const server = await openWebServer(ctx);
  const stopping = stopSignal(stop);
  const fill = fillingOf(flags);
  if (fill) await server.whileLoading(() => fill(ctx, terminal, stopping));
  if (!stopping.aborted) for (const line of startLines(ctx.config, server.url, server.rootKey)) terminal.out(line);
  await server.close(await stop);
  return EXIT.ok;
}

// Only the first process prints the address of the service; the processes that it starts just serve.
async function serveQuietly({ ctx }: App, stop: Promise<StopRequest>): Promise<number> {
  const { openWebServer } = await import('./web-server.ts');
  const server = await openWebServer(ctx);
  process.send?.(READY_MESSAGE);
  await server.close(await stop);
  return EXIT.ok;
}

async function serveTogether(
  { ctx }: App,
  invocation: Invocation,
  { processes, stop }: { processes: number; stop: Promise<StopRequest> },
): Promise<number> {
  // The root key is created once here, before the other processes need it.
  const rootKey = ensureRootKey(ctx);
  const stopping = stopSignal(stop);
  // No process serves an empty registry: each would have to be told when the data is there.
  await fillingOf(invocation.flags)?.(ctx, invocation.terminal, stopping);
  // The processes accept connections themselves: a connection that this process passes on while the receiver is killed
  // would stay open without a response.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const opened = allListening(processes);
  const servers = Array.from({ length: processes }, (_, index) =>
    supervise({
      name: `web ${index + 1}`,
      start: () => cluster.fork(environmentFor(invocation)).process,
      log: ctx.log,
    }),
  );
  const url = await Promise.race([opened, stop.then(() => null)]);
  if (url && !stopping.aborted) for (const line of startLines(ctx.config, url, rootKey)) invocation.terminal.out(line);
  const signal = url === false ? 'SIGTERM' : (await stop).signal;
  await Promise.all(servers.map((server, index) => partOfStop(`web ${index + 1}`, server.stop(signal))));
  return url === false ? EXIT.failure : EXIT.ok;
}

// The URL, or false when a process ended before it could listen: it has logged why, and a restart would not help.
function allListening(processes: number): Promise<string | false> {
  return new Promise((resolve) => {
    let waiting = processes;
    cluster.on('listening', (_, { address, port }) => {
      waiting -= 1;
      if (waiting === 0) resolve(`http://${address.includes(':') ? `[${address}]` : address}:${port}`);
    });
    cluster.on('exit', () => resolve(false));
  });
}
