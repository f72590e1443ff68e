import type { Logger } from 'pino';
import { besideCaller } from '../threads/beside-caller.ts';
import { startThread } from '../threads/start.ts';
import { createWorker } from '../worker/worker.ts';
import { type Environment, EXIT, type Invocation } from './command.ts';
import { environmentFor, openService } from './service.ts';
import { partOfStop, stopRequested } from './stop.ts';
import { READY_MESSAGE, type Supervised, supervise } from './supervise.ts';

export async function worker({ env, flags }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  // Webhooks are delivered in another thread, because the tasks here can block theirs for a while: parsing, deriving,
  // embedding. Delivery starts first, so that waiting deliveries are not delayed by loading the other tasks nor by their
  // first runs.
  const delivery = startDelivery({ env: environmentFor({ env, flags }), log: app.ctx.log });
  const { backgroundTasks } = await import('../worker/tasks.ts');
  const loops = createWorker(app.ctx, { tasks: backgroundTasks() });
  await Promise.race([delivery.begun, stop]);
  loops.start();
  process.send?.(READY_MESSAGE);
  app.ctx.log.info('worker started');
  const { signal } = await stop;
  await Promise.all([loops.stop(partOfStop), partOfStop('deliveries', delivery.stop(signal))]);
  await partOfStop('database', app.close());
  return EXIT.ok;
}

// Starts the thread that delivers webhooks, and restarts it after a crash.

interface Delivery extends Supervised {
  // Resolves when the thread has opened its database and started, or has failed.
  begun: Promise<void>;
}

export function startDelivery({ env, log }: { env: Environment; log: Logger }): Delivery {
  const begun = Promise.withResolvers<void>();
  const start = () => {
    const thread = startThread('deliveries', besideCaller(import.meta.url, 'delivery-thread'), { workerData: { env } });
    thread.once('message', () => begun.resolve());
    thread.on('error', (err) => log.error({ err }, 'the delivery thread failed'));
    thread.once('exit', () => begun.resolve());
    const kill = (signal: NodeJS.Signals) => (signal === 'SIGKILL' ? thread.terminate() : thread.postMessage('stop'));
    return Object.assign(thread, { kill });
  };
  return { ...supervise({ name: 'deliveries', start, log }), begun: begun.promise };
}
