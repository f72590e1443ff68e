import { createWorker } from '../worker/worker.ts';
import { EXIT, type Invocation } from './command.ts';
import { startDelivery } from './delivery.ts';
import { environmentFor, openService } from './service.ts';
import { stopRequested } from './stop.ts';
import { READY_MESSAGE } from './supervise.ts';

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
  await Promise.all([loops.stop(), delivery.stop(signal)]);
  await app.close();
  return EXIT.ok;
}
