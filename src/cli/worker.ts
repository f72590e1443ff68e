import { createWorker } from '../worker/worker.ts';
import { EXIT, type Invocation } from './command.ts';
import { openService } from './service.ts';
import { stopRequested } from './stop.ts';
import { READY_MESSAGE } from './supervise.ts';

export async function worker({ env, flags }: Invocation): Promise<number> {
  const stop = stopRequested();
  const app = await openService({ env, flags });
  const loops = createWorker(app.ctx);
  loops.start();
  process.send?.(READY_MESSAGE);
  app.ctx.log.info('worker started');
  await stop;
  await loops.stop();
  await app.close();
  return EXIT.ok;
}
