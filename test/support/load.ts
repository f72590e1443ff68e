// Steady reads and writes against a running service, and a record of what it acknowledged.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createClient } from './client.ts';

export interface LoadTarget {
  url: string;
  rootKey: string;
  sourceId: string;
}

export interface LoadResult {
  // The versions of releases whose creation the service confirmed.
  acknowledged: string[];
  statuses: Record<string, number>;
  // Requests without a response.
  unanswered: number;
}

interface Load {
  // Resolves after this many further successful responses, to reads and to writes alike.
  succeeded(count: number): Promise<void>;
  // Resolves when a write has been sent and is not answered yet.
  writing(): Promise<void>;
  soFar(): LoadResult;
  // Resolves when the running requests have ended.
  stop(): Promise<LoadResult>;
}

const WRITERS = 2;
const READERS = 2;
const PATHS = ['/v1/orgs', '/v1/releases/latest', '/v1/stats', '/v1/search?q=thing&mode=lexical'];

let runs = 0;

interface LoadOptions {
  // The pause between two requests of one client, which leaves the machine to the restarting processes under test.
  pauseMs?: number;
}

export function startLoad({ url, rootKey, sourceId }: LoadTarget, { pauseMs = 20 }: LoadOptions = {}): Load {
  runs += 1;
  const run = runs;
  const operator = createClient(url, { Authorization: `Bearer ${rootKey}` });
  const anonymous = createClient(url);
  const result: LoadResult = { acknowledged: [], statuses: {}, unanswered: 0 };
  const successes = { read: 0, write: 0 };
  let waiting: { read: number; write: number; resolve: () => void }[] = [];
  const onWrite: (() => void)[] = [];
  let stopping = false;
  let count = 0;

  function note(kind: 'read' | 'write', status: number): void {
    result.statuses[`${kind} ${status}`] = (result.statuses[`${kind} ${status}`] ?? 0) + 1;
    if (status < 300) successes[kind] += 1;
    waiting = waiting.filter(({ read, write, resolve }) => {
      if (successes.read < read || successes.write < write) return true;
      resolve();
      return false;
    });
  }

  async function write(): Promise<void> {
    count += 1;
    const version = `${run}.${count}.0`;
    const body = { version, content: `### Added\n- Thing ${version}`, url: `https://load.example/${version}` };
    const answer = operator.post(`/v1/sources/${sourceId}/releases`, body);
    for (const resolve of onWrite.splice(0)) resolve();
    const { status } = await answer;
    if (status < 300) result.acknowledged.push(version);
    note('write', status);
  }

  // A meaningless number makes each URL unique, so that most reads reach the database.
  async function read(): Promise<void> {
    count += 1;
    const path = PATHS[count % PATHS.length] as string;
    const fresh = count % 3 === 0 ? '' : `${path.includes('?') ? '&' : '?'}n=${count}`;
    note('read', (await anonymous.get(`${path}${fresh}`)).status);
  }

  async function repeat(request: () => Promise<void>): Promise<void> {
    while (!stopping) {
      await request().catch(() => {
        result.unanswered += 1;
      });
      await setTimeout(pauseMs);
    }
  }

  const loops = [
    ...Array.from({ length: WRITERS }, () => repeat(write)),
    ...Array.from({ length: READERS }, () => repeat(read)),
  ];
  return {
    succeeded: (more) =>
      new Promise((resolve) => {
        waiting.push({ read: successes.read + more, write: successes.write + more, resolve });
      }),
    async writing() {
      await new Promise<void>((resolve) => onWrite.push(resolve));
      // The request is written to its socket in this turn of the event loop.
      await setImmediate();
    },
    soFar: () => structuredClone(result),
    async stop() {
      stopping = true;
      await Promise.all(loops);
      return result;
    },
  };
}
