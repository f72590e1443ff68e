// Keeps a child process or a thread running until it is told to stop.
import { type EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const SETTLED_MS = 60_000;

export interface Supervised {
  // Passes SIGTERM on and waits for the end.
  stop(): Promise<void>;
}

/** A process, or a thread that takes the signal as a message. */
export interface Supervisable extends EventEmitter {
  kill(signal: 'SIGTERM'): unknown;
}

export function supervise(name: string, start: () => Supervisable, log: Logger): Supervised {
  let stopping = false;
  let child: Supervisable | null = null;
  let timer: NodeJS.Timeout | null = null;
  let pause = FIRST_PAUSE_MS;

  function run(): void {
    const startedAt = performance.now();
    const current = start();
    child = current;
    current.once('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      // Quick deaths in a row are given more and more time.
      pause = performance.now() - startedAt > SETTLED_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      log.error({ process: name, code, signal, restartInMs: pause }, 'a process ended by itself and is started again');
      timer = setTimeout(run, pause);
    });
  }

  run();
  return {
    async stop() {
      stopping = true;
      if (timer) clearTimeout(timer);
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
