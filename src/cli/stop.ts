// When a server command has to stop: after a signal, or when its parent process has ended.

const WITHIN_MS = 10_000;
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
        setTimeout(() => process.exit(1), WITHIN_MS - 100).unref();
        resolve({ signal, drain: signal !== 'SIGINT' });
      } else if (performance.now() - requestedAt > ECHO_MS) {
        process.exit(EXIT_CODES[signal] ?? 1);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => requestStop(signal));
    process.on('disconnect', () => requestStop('SIGTERM'));
  });
}
