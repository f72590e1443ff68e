// Starts the thread that delivers webhooks, and starts it again when it falls over.
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { besideCaller } from '../search/vectors/thread-calls.ts';
import type { Environment } from './command.ts';
import { type Supervised, supervise } from './supervise.ts';

export interface DeliveryOptions {
  env: Environment;
  log: Logger;
  /** Whenever a thread has opened its database and begun. */
  onStart?: () => void;
}

export function startDelivery({ env, log, onStart }: DeliveryOptions): Supervised {
  const start = () => {
    const thread = new Worker(besideCaller(import.meta.url, 'delivery-thread'), { workerData: { env } });
    thread.on('message', () => onStart?.());
    thread.on('error', (err) => log.error({ err }, 'the delivery thread failed'));
    return Object.assign(thread, { kill: () => thread.postMessage('stop') });
  };
  return supervise('deliveries', start, log);
}
