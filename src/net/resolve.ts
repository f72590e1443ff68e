// Names to addresses. Every answer is only a proposal: the guard decides which may be connected to.
import { promises as dns } from 'node:dns';
import { sleep, systemTimers, type Timers } from './timers.ts';

interface LookupHint {
  signal: AbortSignal;
  // The operator named this host, so the machine's own ways to find it (hosts file, search domains) count.
  local: boolean;
}

// The A or AAAA records of a name; rejects, or answers none, when there are none.
export type Lookup = (name: string, family: 4 | 6, hint: LookupHint) => Promise<readonly string[]>;

type Resolution = { ok: true; addresses: string[] } | { ok: false; detail: 'no address' | 'no answer' };

export type Resolve = (name: string, options: { local: boolean; limitMs?: number }) => Promise<Resolution>;

const LIMIT_MS = 3_000;

export function createResolve({
  lookup = createSystemLookup(),
  timers = systemTimers,
}: {
  lookup?: Lookup;
  timers?: Timers;
} = {}): Resolve {
  return async (name, { local, limitMs = LIMIT_MS }) => {
    const late = new AbortController();
    const done = new AbortController();
    const limit = sleep(timers, Math.min(limitMs, LIMIT_MS), done.signal).then(() => null);
    const query = (family: 4 | 6) =>
      Promise.race([answerOf(lookup(name, family, { signal: late.signal, local })), limit]);
    // Both families are asked at once, so that a server that ignores one does not delay the other.
    const answers = await Promise.all([query(4), query(6)]);
    late.abort();
    done.abort();
    const addresses = [...new Set(answers.flatMap((answer) => answer ?? []))];
    if (addresses.length > 0) return { ok: true, addresses };
    return { ok: false, detail: answers.includes(null) ? 'no answer' : 'no address' };
  };
}

// Empty for a name without such records, null for a resolver that failed.
function answerOf(lookup: Promise<readonly string[]>): Promise<readonly string[] | null> {
  return lookup.catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : null,
  );
}

// The machine's resolver. The usual `dns.lookup` runs on the few threads that files and compression share, where one
// name server that never answers would stop them all; strangers' names therefore take the asynchronous way.
export function createSystemLookup(servers?: readonly string[]): Lookup {
  return async (name, family, { signal, local }) => {
    if (name === 'localhost' || name.endsWith('.localhost')) return family === 4 ? ['127.0.0.1'] : ['::1'];
    if (local) return (await dns.lookup(name, { family, all: true })).map(({ address }) => address);
    // A new resolver each time uses the current network configuration of the machine.
    const resolver = new dns.Resolver({ timeout: LIMIT_MS / 3, tries: 2 });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    return family === 4 ? resolver.resolve4(name) : resolver.resolve6(name);
  };
}
