// The work of the delivery thread: webhooks, with its own database connection, so that a busy worker thread delays no
// delivery and no response of a receiver.
import { parentPort, workerData } from 'node:worker_threads';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createDelivering } from '../worker/delivering.ts';
import { createWorker } from '../worker/worker.ts';
import type { Environment } from './command.ts';
import { createLog, stderrWriter } from './log.ts';
import { READY_MESSAGE } from './supervise.ts';

// Claims and settlements are serialized, so more connections would only wait.
const MAX_CONNECTIONS = 4;

if (!parentPort) throw new Error('runs as a thread');
const port = parentPort;
const config = readConfig((workerData as { env: Environment }).env);
const databasePool = Math.min(config.databasePool, MAX_CONNECTIONS);
const app = await createApp(
  { ...config, databasePool },
  {
    log: createLog(config.logLevel, stderrWriter(config.logFormat)),
  },
);
const loops = createWorker(app.ctx, { tasks: createDelivering() });

port.once('message', async () => {
  await loops.stop();
  await app.close();
  process.exit(0);
});
loops.start();
port.postMessage(READY_MESSAGE);
