// The real program on its own database, ready for load, and the check that nothing was lost.
import assert from 'node:assert/strict';
import type { Context } from '../../src/context.ts';
import { createClient } from './client.ts';
import { ROOT_KEY, SECRET } from './engines.ts';
import type { LoadTarget } from './load.ts';
import { freePort, type RegistryProcess, startRegistry } from './registry-process.ts';

export interface RunningService extends LoadTarget {
  registry: RegistryProcess;
  port: number;
}

export function loadEnvironment(database: Record<string, string>): Record<string, string> {
  return {
    REGISTRY_ROOT_KEY: ROOT_KEY,
    REGISTRY_SECRET: SECRET,
    REGISTRY_RATE_PUBLIC: '0',
    REGISTRY_LOG_LEVEL: 'silent',
    ...database,
  };
}

interface PartProcess {
  name: string;
  pid: number;
  isReady: boolean;
  // How often it was started since one of its processes was ready.
  attempts: number;
}

// A part that was started this often without success is down for good.
const MAX_ATTEMPTS = 10;

// The processes of a supervised part, from the log at level info, the oldest first.
export function partProcesses({ registry }: RunningService, part: RegExp): PartProcess[] {
  const found = new Map<string, PartProcess>();
  for (const { msg, process: name, pid } of registry.logged()) {
    if (typeof name !== 'string' || !part.test(name)) continue;
    const known = found.get(name);
    if (msg === 'process started') {
      found.delete(name);
      const attempts = known && !known.isReady ? known.attempts + 1 : 1;
      found.set(name, { name, pid: Number(pid), isReady: false, attempts });
    } else if (msg === 'process ready' && known && known.pid === pid) {
      known.isReady = true;
    }
  }
  return [...found.values()];
}

async function partIsReady(service: RunningService, part: RegExp, replaced?: PartProcess): Promise<PartProcess[]> {
  for (;;) {
    const processes = partProcesses(service, part);
    const isOld = ({ pid }: PartProcess) => pid === replaced?.pid;
    if (processes.length > 0 && processes.every((one) => one.isReady && !isOld(one))) return processes;
    const down = processes.find(({ attempts }) => attempts > MAX_ATTEMPTS);
    assert.equal(down, undefined, `${down?.name} was started ${MAX_ATTEMPTS} times and never got ready`);
    assert.ok(await service.registry.printsMore(), 'the supervisor lives');
  }
}

// Kills the oldest process of a supervised part, and waits until another one has started its work.
export async function killPart(service: RunningService, part: RegExp): Promise<void> {
  const [oldest] = await partIsReady(service, part);
  process.kill((oldest as PartProcess).pid, 'SIGKILL');
  await partIsReady(service, part, oldest);
}

export async function runService(args: string[], env: Record<string, string>): Promise<RunningService> {
  const port = await freePort();
  const registry = startRegistry([...args, '--port', String(port)], env);
  await registry.printed(/root key .*\n/);
  const url = `http://127.0.0.1:${port}`;
  return { registry, port, url, rootKey: ROOT_KEY, sourceId: await makeSource(url) };
}

async function makeSource(url: string): Promise<string> {
  const operator = createClient(url, { Authorization: `Bearer ${ROOT_KEY}` });
  const org = await operator.post('/v1/orgs', { name: 'Load' });
  const source = { name: 'Load', url: 'https://load.example/changelog', type: 'feed', orgSlug: org.body.slug };
  const created = await operator.post('/v1/sources', source);
  assert.equal(created.status, 201, created.text);
  return created.body.id;
}

export interface Losses {
  // Releases that were acknowledged and are not stored.
  lost: string[];
  // Sequence numbers below the highest one that no event has.
  gaps: number;
  // Releases without an event, or events without a release.
  unmatched: number;
}

export async function countLosses({ store }: Context, acknowledged: readonly string[]): Promise<Losses> {
  const rows = await store.read.selectFrom('releases').select('version').execute();
  const stored = new Set(rows.map((row) => row.version));
  const events = await store.read.selectFrom('events').select('seq').orderBy('seq').execute();
  const numbers = new Set(events.map((event) => Number(event.seq)));
  return {
    lost: acknowledged.filter((version) => !stored.has(version)),
    gaps: Number(events.at(-1)?.seq ?? 0) - numbers.size,
    unmatched: Math.abs(rows.length - events.length),
  };
}

// Every acknowledged release must be stored, and every stored one must have one event, numbered without gaps.
export async function assertNothingLost(ctx: Context, acknowledged: readonly string[]): Promise<void> {
  assert.deepEqual(await countLosses(ctx, acknowledged), { lost: [], gaps: 0, unmatched: 0 });
}
