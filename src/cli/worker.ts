import { createWorker, tasksBesideDelivery } from '../worker/worker.ts';
import { EXIT, type Invocation } from './command.ts';
import { startDelivery } from './delivery.ts';
import { environmentFor, openService } from './service.ts';
import { stopRequested } from './stop.ts';

export async function worker({ env, flags }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  const loops = createWorker(app.ctx, { tasks: tasksBesideDelivery() });
  const delivery = startDelivery({ env: environmentFor({ env, flags }), log: app.ctx.log });
  // What waits to be delivered does not wait for what the other loops begin with.
  await Promise.race([delivery.begun, stop]);
  loops.start();
  app.ctx.log.info('worker started');
  await stop;
  await Promise.all([loops.stop(), delivery.stop()]);
  await app.close();
  return EXIT.ok;
}
