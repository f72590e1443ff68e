// Asks a site's robots.txt before its pages are read.
import { parseRobots, ROBOTS_MAX_BYTES, robotsAllow, robotsText } from '../domain/net/robots.ts';
import type { GuardedFetch } from './fetch.ts';
import type { HostGate } from './host-gate.ts';
import type { FetchResult } from './result.ts';
import { createRobotsMemory, type RobotsEntry, type RobotsMemory } from './robots-memory.ts';

export interface RobotsVerdict {
  allowed: boolean;
  // `no_answer`: the file could not be read, so nothing is allowed for now.
  because: 'rules' | 'no_answer';
  crawlDelayMs: number | null;
}

export interface RobotsCache {
  check(url: string | URL, signal?: AbortSignal): Promise<RobotsVerdict>;
}

export interface RobotsCacheOptions {
  fetch: GuardedFetch;
  clock: () => Date;
  memory?: RobotsMemory;
  // Told of a `Crawl-delay`.
  gate?: Pick<HostGate, 'setDelay'>;
}

const KEEP_MS = 24 * 3_600_000;
const KEEP_CLOSED_MS = 3_600_000;
const CLOSED: RobotsVerdict = { allowed: false, because: 'no_answer', crawlDelayMs: null };

export function createRobotsCache(options: RobotsCacheOptions): RobotsCache {
  const { fetch, clock, memory = createRobotsMemory(), gate } = options;
  const running = new Map<string, Promise<RobotsEntry>>();

  async function read(origin: string): Promise<RobotsEntry> {
    const limits = { maxBytes: ROBOTS_MAX_BYTES };
    const result = await fetch({ url: `${origin}/robots.txt`, limits, overflow: 'cut' });
    const text = textOf(result);
    const entry = { text, until: clock().getTime() + (text === null ? KEEP_CLOSED_MS : KEEP_MS) };
    await memory.set(origin, entry);
    return entry;
  }

  function readOnce(origin: string): Promise<RobotsEntry> {
    const known = running.get(origin);
    if (known) return known;
    const reading = read(origin).finally(() => running.delete(origin));
    running.set(origin, reading);
    return reading;
  }

  return {
    check: async (input, signal) => {
      const url = URL.parse(String(input));
      if (url === null || url.origin === 'null') return CLOSED;
      const known = await memory.get(url.origin);
      const fresh = known !== undefined && known.until > clock().getTime();
      const entry = fresh ? known : await orAborted(readOnce(url.origin), signal);
      if (entry === null || entry.text === null) return CLOSED;
      const rules = parseRobots(entry.text);
      if (rules.crawlDelayMs !== null) gate?.setDelay(url.host, rules.crawlDelayMs);
      return { allowed: robotsAllow(rules, url), because: 'rules', crawlDelayMs: rules.crawlDelayMs };
    },
  };
}

// A missing file forbids nothing; a broken server may be hiding one that does.
function textOf(result: FetchResult): string | null {
  if (!result.ok) return null;
  if (result.status >= 400 && result.status < 500) return '';
  return result.status >= 200 && result.status < 300 ? robotsText(result.body) : null;
}

// The reading itself goes on: others may wait for the same file.
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work;
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
