import { createWorker, tasksBesideDelivery } from '../worker/worker.ts';
import { EXIT, type Invocation } from './command.ts';
import { startDelivery } from './delivery.ts';
import { environmentFor, openService } from './service.ts';
import { stopRequested } from './stop.ts';
import { READY_MESSAGE } from './supervise.ts';

export async function worker({ env, flags }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  const loops = createWorker(app.ctx, { tasks: tasksBesideDelivery() });
  const delivery = startDelivery({ env: environmentFor({ env, flags }), log: app.ctx.log });
  // What waits to be delivered does not wait for what the other loops begin with.
  await Promise.race([delivery.begun, stop]);
  loops.start();
  process.send?.(READY_MESSAGE);
  app.ctx.log.info('worker started');
  const { signal } = await stop;
  await Promise.all([loops.stop(), delivery.stop(signal)]);
  await app.close();
  return EXIT.ok;
}
