// A worker that does nothing but fetch, as a process of its own. Its clock can run faster than the machine's, so that a
// lease which nobody holds any more ends while somebody watches.
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createFetching } from '../src/worker/fetching.ts';
import { createWorker } from '../src/worker/worker.ts';

const [begin = '0', speed = '1'] = process.argv.slice(2);
const clock = () => new Date(Number(begin) + (Date.now() - Number(begin)) * Number(speed));
const { ctx, close } = await createApp(readConfig(process.env), { clock });
const worker = createWorker(ctx, { tasks: createFetching() });
worker.start();

process.on('message', () => process.send?.(process.memoryUsage().rss));
process.on('disconnect', async () => {
  await worker.stop();
  await close();
  process.exit(0);
});
