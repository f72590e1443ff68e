import { fork } from 'node:child_process';
import { EXIT, type Invocation } from './command.ts';
import { fillWithDemo } from './demo.ts';
import { tellWhenMeaningIsReady } from './meaning-ready.ts';
import { environmentFor, openService } from './service.ts';
import { startLines } from './start-lines.ts';
import { stopRequested, stopSignal } from './stop.ts';
import { supervise } from './supervise.ts';

export async function serve({ env, flags, terminal }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  try {
    const { openWebServer } = await import('./web-server.ts');
    const server = await openWebServer(app.ctx);
    const stopping = stopSignal(stop);
    if (flags.demo) await server.whileLoading(() => fillWithDemo(app.ctx, terminal, stopping));
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
    await Promise.all([server.close(request), worker?.stop(request.signal), told]);
  } finally {
    await app.close();
  }
  return EXIT.ok;
}

function launcher(): string {
  return process.argv[1] ?? '';
}
