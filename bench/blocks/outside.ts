import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OutsideOrder, OutsideReport, SentRequest, ServedDocument } from './outside-process.ts';

export interface Outside {
  url: string;
  serve(document: ServedDocument): Promise<void>;
  // The status of the answer.
  send(request: SentRequest): Promise<number>;
  close(): void;
}

export async function startOutside(): Promise<Outside> {
  const script = fileURLToPath(new URL('./outside-process.ts', import.meta.url));
  const child = fork(script, { serialization: 'advanced' });
  const [port] = (await once(child, 'message')) as [number];
  const ask = asker(child);
  return {
    url: `http://127.0.0.1:${port}`,
    serve: async (document) => void (await ask({ kind: 'serve', document })),
    send: async (request) => (await ask({ kind: 'send', request })).status ?? 0,
    close: () => child.disconnect(),
  };
}

type WithoutId<T> = T extends { id: number } ? Omit<T, 'id'> : never;

function asker(child: ChildProcess): (order: WithoutId<OutsideOrder>) => Promise<OutsideReport> {
  const waiting = new Map<number, (report: OutsideReport) => void>();
  let last = 0;
  child.on('message', (report: OutsideReport) => {
    waiting.get(report.id)?.(report);
    waiting.delete(report.id);
  });
  return (order) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      child.send({ ...order, id: last });
    });
}
