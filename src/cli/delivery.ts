// Starts the thread that delivers webhooks, and restarts it after a crash.
import type { Logger } from 'pino';
import { besideCaller } from '../threads/beside-caller.ts';
import { startThread } from '../threads/start.ts';
import type { Environment } from './command.ts';
import { type Supervised, supervise } from './supervise.ts';

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
    return Object.assign(thread, { kill: () => thread.postMessage('stop') });
  };
  return { ...supervise({ name: 'deliveries', start, log }), begun: begun.promise };
}
