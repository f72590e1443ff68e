// Asks a site's robots.txt before its pages are read.
import { parseRobots, ROBOTS_MAX_BYTES, robotsAllow, robotsText } from '../domain/net/robots.ts';
import { readDocument } from '../threads/documents.ts';
import { threadTask } from '../threads/task.ts';
import type { GuardedFetch } from './fetch.ts';
import type { HostGate } from './host-gate.ts';
import type { FetchFailure, FetchResult } from './result.ts';
import { createRobotsMemory, type RobotsEntry, type RobotsMemory } from './robots-memory.ts';

export interface RobotsVerdict {
  allowed: boolean;
  // `no_answer`: the file could not be read, so nothing is allowed for now; that is no word of the site.
  because: 'rules' | 'no_answer';
  crawlDelayMs: number | null;
  // Why there was no answer; absent when the reason is not known any more.
  failure?: RobotsFailure;
}

// The request for the file failed, or the server answered with a fault of its own.
type RobotsFailure = { kind: 'request'; failure: FetchFailure } | { kind: 'status'; status: number };

export interface RobotsCache {
  check(url: string | URL, signal?: AbortSignal): Promise<RobotsVerdict>;
}

interface RobotsCacheOptions {
  fetch: GuardedFetch;
  clock: () => Date;
  memory?: RobotsMemory;
  // Receives the `Crawl-delay` of hosts.
  gate?: Pick<HostGate, 'setDelay'>;
}

const RULES_TTL_MS = 24 * 3_600_000;
const FAILURE_TTL_MS = 3_600_000;
const MAX_FAILURES = 10_000;
const CLOSED: RobotsVerdict = { allowed: false, because: 'no_answer', crawlDelayMs: null };

export function createRobotsCache(options: RobotsCacheOptions): RobotsCache {
  const { fetch, clock, memory = createRobotsMemory(), gate } = options;
  const running = new Map<string, Promise<RobotsEntry>>();
  // The memory may be shared and stores no reasons; each process remembers those that it met itself.
  const failures = new RecentFailures();

  async function read(origin: string): Promise<RobotsEntry> {
    const limits = { maxBytes: ROBOTS_MAX_BYTES };
    const result = await fetch({ url: `${origin}/robots.txt`, limits, overflow: 'cut' });
    const text = textOf(result);
    const entry = { text, until: clock().getTime() + (text === null ? FAILURE_TTL_MS : RULES_TTL_MS) };
    if (text === null) failures.set(origin, failureOf(result));
    else failures.delete(origin);
    // A refusal by our own rules says nothing about the host and is not cached.
    if (result.ok || (result.failure !== 'refused' && result.failure !== 'aborted')) await memory.set(origin, entry);
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
      if (entry === null) return CLOSED;
      if (entry.text === null) return { ...CLOSED, failure: failures.get(url.origin) };
      const { allowed, crawlDelayMs } = await readDocument(
        RULE_READING,
        { text: entry.text, url: url.href },
        entry.text.length,
      );
      if (crawlDelayMs !== null) gate?.setDelay(url.host, crawlDelayMs);
      return { allowed, because: 'rules', crawlDelayMs };
    },
  };
}

// What the file says about one address.
export function readRules({ text, url }: { text: string; url: string }): Omit<RobotsVerdict, 'because'> {
  const rules = parseRobots(text);
  return { allowed: robotsAllow(rules, url), crawlDelayMs: rules.crawlDelayMs };
}

const RULE_READING = threadTask(import.meta.url, readRules);

class RecentFailures {
  readonly #failures = new Map<string, RobotsFailure>();

  get(origin: string): RobotsFailure | undefined {
    return this.#failures.get(origin);
  }

  set(origin: string, failure: RobotsFailure): void {
    this.#failures.delete(origin);
    this.#failures.set(origin, failure);
    if (this.#failures.size > MAX_FAILURES) this.delete(this.#failures.keys().next().value as string);
  }

  delete(origin: string): void {
    this.#failures.delete(origin);
  }
}

function failureOf(result: FetchResult): RobotsFailure {
  return result.ok ? { kind: 'status', status: result.status } : { kind: 'request', failure: result };
}

// A missing file forbids nothing; a broken server may be hiding one that does.
function textOf(result: FetchResult): string | null {
  if (!result.ok) return null;
  if (result.status >= 400 && result.status < 500) return '';
  return result.status >= 200 && result.status < 300 ? robotsText(result.body) : null;
}

// Only the wait is aborted: other callers may wait for the same file.
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return work;
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
