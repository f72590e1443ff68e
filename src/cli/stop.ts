// When a server command has to stop: after a signal, or when its parent process has ended.
import { besideCaller } from '../threads/beside-caller.ts';
import { startThread } from '../threads/start.ts';
import { createLog } from './log.ts';

// A stop takes ten seconds in all. A process that another one has started ends first, so that it can say itself what was left.
const IS_CHILD = process.send !== undefined;
const WITHIN_MS = IS_CHILD ? 9300 : 9700;
// After that, the process is killed by a thread of its own: nothing that holds up the main thread holds up that one.
const KILLED_AFTER_MS = 150;
// A terminal signals the whole process group, and the parent passes the signal on too: that is one request to stop, not
// two.
const ECHO_MS = 300;

const EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export interface StopRequest {
  signal: NodeJS.Signals;
  // Whether load balancers get time to notice. A person at a terminal does not wait for them.
  drain: boolean;
}

// Aborted when a stop is requested, for work that has to end early.
export function stopSignal(stop: Promise<StopRequest>): AbortSignal {
  const controller = new AbortController();
  void stop.then(() => controller.abort());
  return controller.signal;
}

// Resolves at the first signal. From then on the process has ten seconds, and a second signal ends it at once.
export function stopRequested(): Promise<StopRequest> {
  return new Promise((resolve) => {
    let requestedAt: number | null = null;
    const requestStop = (signal: NodeJS.Signals) => {
      if (requestedAt === null) {
        requestedAt = performance.now();
        limitStop({ withinMs: WITHIN_MS, killedAfterMs: KILLED_AFTER_MS });
        resolve({ signal, drain: signal !== 'SIGINT' });
      } else if (performance.now() - requestedAt > ECHO_MS) {
        process.exit(EXIT_CODES[signal] ?? 1);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal));
    process.on('disconnect', () => requestStop('SIGTERM'));
  });
}

// The names of what a stop waits for, in memory that the thread reads, too.
const MAX_BYTES = 4096;
const shared = new SharedArrayBuffer(MAX_BYTES);
const left = new Set<string>();

// Names a part of a stop while it lasts.
export async function partOfStop<T>(name: string, work: Promise<T>): Promise<T> {
  left.add(name);
  writeLeft(shared, [...left]);
  try {
    return await work;
  } finally {
    left.delete(name);
    writeLeft(shared, [...left]);
  }
}

function writeLeft(memory: SharedArrayBuffer, names: readonly string[]): void {
  const bytes = new TextEncoder().encode(names.join('\n')).subarray(0, MAX_BYTES - 4);
  new Uint8Array(memory, 4).set(bytes);
  Atomics.store(new Int32Array(memory, 0, 1), 0, bytes.length);
}

function readLeft(memory: SharedArrayBuffer): string[] {
  const length = Atomics.load(new Int32Array(memory, 0, 1), 0);
  const text = new TextDecoder().decode(new Uint8Array(memory, 4, length).slice());
  return text === '' ? [] : text.split('\n');
}

export interface StopWatch {
  memory: SharedArrayBuffer;
  withinMs: number;
}

// Ends the process when the time is over, and says what is left.
export function limitStop({ withinMs, killedAfterMs }: { withinMs: number; killedAfterMs: number }): void {
  const watch: StopWatch = { memory: shared, withinMs: withinMs + killedAfterMs };
  startThread('stop', besideCaller(import.meta.url, 'stop-thread'), { workerData: watch });
  const end = () => {
    logLeft(shared, 'stopping took too long, and the process ends');
    process.exit(1);
  };
  setTimeout(end, withinMs).unref();
}

export function logLeft(memory: SharedArrayBuffer, message: string): void {
  createLog('error').error({ left: readLeft(memory) }, message);
}
