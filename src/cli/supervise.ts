// Runs a child process or a thread, and restarts it until it is asked to stop.
import { type EventEmitter, once } from 'node:events';
import type { Logger } from 'pino';

// The message of a child that has started its work.
export const READY_MESSAGE = 'ready';

// Of the ten seconds that a stop may take: a child that is held up does not hear a signal.
const KILLED_AFTER_MS = 9450;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

export interface Supervised {
  // Passes the signal on and waits for the exit.
  stop(signal: NodeJS.Signals): Promise<void>;
}

// A process, or a thread that receives the signal as a message.
interface Supervisable extends EventEmitter {
  kill(signal: NodeJS.Signals): unknown;
  pid?: number;
}

interface SuperviseTimers {
  set(work: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

const REAL_TIMERS: SuperviseTimers = {
  set: (work, milliseconds) => setTimeout(work, milliseconds),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

interface SuperviseOptions {
  name: string;
  start(): Supervisable;
  log: Logger;
  timers?: SuperviseTimers;
}

export function supervise({ name, start, log, timers = REAL_TIMERS }: SuperviseOptions): Supervised {
  let stopping = false;
  let child: Supervisable | null = null;
  let timer: unknown = null;
  let pause = FIRST_PAUSE_MS;

  function run(): void {
    timer = null;
    const current = start();
    child = current;
    log.info({ process: name, pid: current.pid }, 'process started');
    // A child that had started its work is restarted soon; one that fails before that is restarted with growing delays.
    current.on('message', (message) => {
      if (message !== READY_MESSAGE) return;
      pause = FIRST_PAUSE_MS;
      log.info({ process: name, pid: current.pid }, 'process ready');
    });
    current.once('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      log.error({ process: name, code, signal, restartInMs: pause }, 'a process ended by itself and is started again');
      timer = timers.set(run, pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    });
  }

  run();
  return {
    async stop(signal) {
      stopping = true;
      if (timer !== null) timers.clear(timer);
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      const held = child;
      const limit = timers.set(() => {
        log.error({ process: name, pid: held.pid }, 'a process took too long to stop and is killed');
        held.kill('SIGKILL');
      }, KILLED_AFTER_MS);
      await ended;
      timers.clear(limit);
    },
  };
}
