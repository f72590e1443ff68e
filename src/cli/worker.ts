import { createEmbeddingTasks } from '../worker/embedding.ts';
import { createFetching } from '../worker/fetching.ts';
import { MAINTENANCE } from '../worker/maintenance.ts';
import { createWorker } from '../worker/worker.ts';
import { WRITING } from '../worker/writing.ts';
import { EXIT, type Invocation } from './command.ts';
import { startDelivery } from './delivery.ts';
import { environmentFor, openService } from './service.ts';
import { stopRequested } from './stop.ts';
import { READY_MESSAGE } from './supervise.ts';

export async function worker({ env, flags }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  // These tasks can block their thread for a while: parsing, deriving, embedding. Webhooks are delivered in another
  // thread.
  const tasks = [...MAINTENANCE, ...createFetching(), ...createEmbeddingTasks(), ...WRITING];
  const loops = createWorker(app.ctx, { tasks });
  const delivery = startDelivery({ env: environmentFor({ env, flags }), log: app.ctx.log });
  // Delivery starts first, so that waiting deliveries are not delayed by the first runs of the other loops.
  await Promise.race([delivery.begun, stop]);
  loops.start();
  process.send?.(READY_MESSAGE);
  app.ctx.log.info('worker started');
  const { signal } = await stop;
  await Promise.all([loops.stop(), delivery.stop(signal)]);
  await app.close();
  return EXIT.ok;
}
