// The timers that this folder uses, so that tests can control time.
export interface Timers {
  // Milliseconds that never run backwards; only differences mean anything.
  now(): number;
  // Returns a function that cancels it.
  after(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

// Resolves to false when the signal cut the sleep short.
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const abort = () => {
      cancel();
      resolve(false);
    };
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve(true);
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
