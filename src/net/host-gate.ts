// Politeness inside one process: few requests at once to a host, and a pause between their starts. Between processes
// the job queue does the same.
import { systemTimers, type Timers } from './timers.ts';

export interface HostGate {
  // Resolves when the request may start, to the function that ends it; to null when the signal ended the wait.
  enter(host: string, signal?: AbortSignal): Promise<(() => void) | null>;
  // The host asked for a longer pause (`Crawl-delay`).
  setDelay(host: string, ms: number): void;
}

export interface HostGateOptions {
  // The pause between two starts; 0 for hosts with a quota of another kind.
  delayMs?: (host: string) => number;
  atOnce?: number;
  timers?: Timers;
}

interface Host {
  active: number;
  nextStart: number;
  waiting: Set<() => void>;
  cancelWake: (() => void) | null;
}

// Above this number idle hosts are removed.
const MAX_HOSTS = 1_000;
const MAX_DELAYS = 10_000;
const MAX_DELAY_MS = 30_000;

export function createHostGate({
  delayMs = () => 1_000,
  atOnce = 2,
  timers = systemTimers,
}: HostGateOptions = {}): HostGate {
  const hosts = new Map<string, Host>();
  const delays = new Map<string, number>();

  function startNext(name: string, host: Host): void {
    host.cancelWake?.();
    host.cancelWake = null;
    for (const start of host.waiting) {
      if (host.active >= atOnce) return;
      const wait = host.nextStart - timers.now();
      if (wait > 0) {
        host.cancelWake = timers.after(wait, () => startNext(name, host));
        return;
      }
      host.waiting.delete(start);
      host.active += 1;
      host.nextStart = timers.now() + Math.max(delayMs(name), delays.get(name) ?? 0);
      start();
    }
  }

  function leaveOnce(name: string, host: Host): () => void {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      host.active -= 1;
      startNext(name, host);
    };
  }

  function hostOf(name: string): Host {
    const known = hosts.get(name);
    if (known) return known;
    if (hosts.size >= MAX_HOSTS) forgetResting(hosts, timers.now());
    const host: Host = { active: 0, nextStart: 0, waiting: new Set(), cancelWake: null };
    hosts.set(name, host);
    return host;
  }

  return {
    enter: (name, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(null);
        const host = hostOf(name);
        const abort = () => {
          host.waiting.delete(start);
          resolve(null);
        };
        const start = () => {
          signal?.removeEventListener('abort', abort);
          resolve(leaveOnce(name, host));
        };
        signal?.addEventListener('abort', abort, { once: true });
        host.waiting.add(start);
        startNext(name, host);
      }),
    setDelay: (name, ms) => {
      delays.delete(name);
      delays.set(name, Math.min(ms, MAX_DELAY_MS));
      const [oldest] = delays.keys();
      if (delays.size > MAX_DELAYS && oldest !== undefined) delays.delete(oldest);
    },
  };
}

function forgetResting(hosts: Map<string, Host>, now: number): void {
  for (const [name, { active, waiting, nextStart }] of hosts) {
    if (active === 0 && waiting.size === 0 && nextStart <= now) hosts.delete(name);
  }
}
