// Workers as processes, and a receiver that records the messages.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const DOOMED = testProgram('test/webhooks/doomed-sender.ts');

export interface SenderProcess {
  child: ChildProcess;
  exited: Promise<void>;
  // Rejects when the process ends by anything but a kill.
  broken: Promise<never>;
  kill(): Promise<void>;
}

// Longer than any pending delay, so that a late message does not count as lost.
const QUIET_MS = 30_000;

type SenderMode = 'send' | 'fan-out' | 'publish';

export function startSender(
  env: Record<string, string>,
  { mode = 'send', aheadMs = 0, sourceId = '' }: { mode?: SenderMode; aheadMs?: number; sourceId?: string } = {},
): SenderProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, DOOMED, mode, String(aheadMs), sourceId], {
    env: { ...process.env, REGISTRY_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const broken = ended.then(([code, signal]) => {
    if (signal !== 'SIGKILL') throw new Error(`a worker ended with ${code ?? signal}`);
    return new Promise<never>(() => {});
  });
  broken.catch(() => {});
  const exited = ended.then(() => {});
  return {
    child,
    exited,
    broken,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

interface Receiver {
  url: string;
  // How often each message arrived, by path and event.
  seen: Map<string, number>;
  requests(): number;
  // Called with the number of each request before its response; the response waits for the returned promise.
  onRequest: (number: number) => void | Promise<void>;
  // Resolves once this many different messages have arrived, or when nothing has arrived for a long time.
  received(different: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const seen = new Map<string, number>();
  let requests = 0;
  let changed = () => {};
  const receiver: Receiver = {
    url: '',
    seen,
    requests: () => requests,
    onRequest: () => {},
    async received(different) {
      for (let isQuiet = false; seen.size < different && !isQuiet; ) {
        isQuiet = await new Promise<boolean>((resolve) => {
          const limit = setTimeout(() => resolve(true), QUIET_MS);
          changed = () => {
            clearTimeout(limit);
            resolve(false);
          };
        });
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const server = createServer((request, response) => {
    request.resume().once('end', async () => {
      const key = `${request.url} ${request.headers['x-service-event-id']}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      requests += 1;
      await receiver.onRequest(requests);
      response.writeHead(204).end();
      changed();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
