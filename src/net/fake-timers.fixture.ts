import type { Timers } from './timers.ts';

interface FakeTimers extends Timers {
  // Moves time and runs what falls due, in order.
  advance(ms: number): void;
  // Resolves once something is set to run in exactly `ms` from now.
  set(ms: number): Promise<void>;
  // Resolves once nothing is.
  unset(ms: number): Promise<void>;
}

// Timers that only a test moves; sockets in the same test stay real.
export function createFakeTimers(): FakeTimers {
  let time = 0;
  const due = new Set<{ at: number; run: () => void }>();
  const isSet = (ms: number) => [...due].some(({ at }) => at === time + ms);
  return {
    now: () => time,
    after: (ms, run) => {
      const entry = { at: time + ms, run };
      due.add(entry);
      return () => due.delete(entry);
    },
    advance: (ms) => {
      const end = time + ms;
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        time = Math.max(time, next.at);
        due.delete(next);
        next.run();
      }
      time = end;
    },
    set: async (ms) => {
      while (!isSet(ms)) await turn();
    },
    unset: async (ms) => {
      while (isSet(ms)) await turn();
    },
  };
}

// Lets pending callbacks run.
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
