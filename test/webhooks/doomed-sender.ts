// A worker that sends webhooks until it is killed, from outside or by itself; run as its own process. Its clock can run
// ahead, so that the leases of killed workers have expired when it starts.
import { randomBytes } from 'node:crypto';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import { createDelivering } from '../../src/worker/delivering.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { releaseRow } from '../support/factories.ts';

const [mode = 'send', aheadMs = '0', sourceId = ''] = process.argv.slice(2);

let drawn = 0;
const { ctx } = await createApp(readConfig(process.env), {
  clock: () => new Date(Date.now() + Number(aheadMs)),
  randomBytes: (size) => {
    drawn += 1;
    // In the middle of the transaction that turns events into deliveries.
    if (mode === 'fan-out' && drawn > 20) process.kill(process.pid, 'SIGKILL');
    return randomBytes(size);
  },
});

if (mode === 'publish') {
  await writeReleases(ctx, { path: { src: sourceId }, rows: [releaseRow('7.0.0'), releaseRow('7.1.0')] });
  process.kill(process.pid, 'SIGKILL');
}

const worker = createWorker(ctx, { tasks: createDelivering() });
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
drawn = 0;
worker.start();
