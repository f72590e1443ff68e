// Counts requests per key and window in the memory of this process.

export interface Allowance {
  allowed: boolean;
  left: number;
  // The seconds until the window ends, rounded up.
  seconds: number;
}

interface RateWindow {
  count: number;
  endsAt: number;
}

// The limit is far above the callers of one process in a minute; beyond it the oldest windows are dropped.
const MOST_KEYS = 200_000;

export class WindowCounter {
  readonly #windowMs: number;
  readonly #windows = new Map<string, RateWindow>();
  #nextSweep = 0;

  constructor(windowSeconds: number) {
    this.#windowMs = windowSeconds * 1000;
  }

  // A refused request is not counted. `cost` is the number of requests that it counts as.
  take(key: string, quota: number, now: number, cost = 1): Allowance {
    this.#sweep(now);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#windowMs };
      this.#windows.delete(key);
      this.#windows.set(key, window);
    }
    const allowed = window.count + cost <= quota;
    if (allowed) window.count += cost;
    return { allowed, left: quota - window.count, seconds: Math.ceil((window.endsAt - now) / 1000) };
  }

  giveBack(key: string, now: number): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.endsAt > now && window.count > 0) window.count -= 1;
  }

  // Windows are in the order of their ends, so the first open one ends the sweep.
  #sweep(now: number): void {
    if (now < this.#nextSweep && this.#windows.size < MOST_KEYS) return;
    this.#nextSweep = now + this.#windowMs;
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now && this.#windows.size < MOST_KEYS) break;
      this.#windows.delete(key);
    }
  }
}
