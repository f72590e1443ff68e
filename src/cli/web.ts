import cluster from 'node:cluster';
import { ensureRootKey } from '../accounts/root-key.ts';
import type { App } from '../app.ts';
import { countFlag, EXIT, type Invocation } from './command.ts';
import { fillWithDemo } from './demo.ts';
import { environmentFor, openService } from './service.ts';
import { startLines } from './start-lines.ts';
import { stopRequested } from './stop.ts';
import { supervise } from './supervise.ts';
import { openWebDoor } from './web-door.ts';

const MOST_PROCESSES = 256;

export async function web(invocation: Invocation): Promise<number> {
  const processes = countFlag(invocation.flags, 'processes', MOST_PROCESSES) ?? 1;
  const stop = stopRequested();
  const app = await openService(invocation);
  try {
    if (cluster.isWorker) return await serveQuietly(app, stop);
    if (invocation.flags.demo) await fillWithDemo(app.ctx, invocation.terminal);
    return processes === 1
      ? await serveAlone(app, invocation, stop)
      : await serveTogether(app, invocation, { processes, stop });
  } finally {
    await app.close();
  }
}

async function serveAlone({ ctx }: App, { terminal }: Invocation, stop: Promise<void>): Promise<number> {
  const door = await openWebDoor(ctx);
  for (const line of startLines(ctx.config, door.url, door.rootKey)) terminal.out(line);
  await stop;
  await door.close();
  return EXIT.ok;
}

// The first process says where the service is; the ones that it started just answer.
async function serveQuietly({ ctx }: App, stop: Promise<void>): Promise<number> {
  const door = await openWebDoor(ctx);
  await stop;
  await door.close();
  return EXIT.ok;
}

async function serveTogether(
  { ctx }: App,
  invocation: Invocation,
  { processes, stop }: { processes: number; stop: Promise<void> },
): Promise<number> {
  // Made here once, before the others look for it.
  const rootKey = ensureRootKey(ctx);
  const opened = allListening(processes);
  const doors = Array.from({ length: processes }, (_, index) =>
    supervise(`web ${index + 1}`, () => cluster.fork(environmentFor(invocation)).process, ctx.log),
  );
  const url = await Promise.race([opened, stop.then(() => null)]);
  if (url) for (const line of startLines(ctx.config, url, rootKey)) invocation.terminal.out(line);
  if (url) await stop;
  await Promise.all(doors.map((door) => door.stop()));
  return url === false ? EXIT.failure : EXIT.ok;
}

// The address, or false when a process ended before it could listen: it has told why, and trying again would not help.
function allListening(processes: number): Promise<string | false> {
  return new Promise((resolve) => {
    let waiting = processes;
    cluster.on('listening', (_, { address, port }) => {
      waiting -= 1;
      if (waiting === 0) resolve(`http://${address}:${port}`);
    });
    cluster.on('exit', () => resolve(false));
  });
}
