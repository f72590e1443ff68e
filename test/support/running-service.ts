// The real program on a database of its own, ready to be put under load, and the proof that nothing was lost.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
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

/** Kills a supervised part of the service and waits until another process has taken its place. */
export async function killPart({ registry }: RunningService, part: RegExp): Promise<void> {
  const starts = () =>
    registry
      .logged()
      .filter(({ msg, process: name }) => msg === 'process started' && part.test(String(name)))
      .map(({ pid }) => Number(pid));
  const before = starts();
  process.kill(before.at(-1) as number, 'SIGKILL');
  while (starts().length === before.length) {
    assert.equal(registry.child.exitCode, null, 'the supervisor lives');
    await setImmediate();
  }
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

/** Every acknowledged release is stored, and there is one event for each stored one, numbered without gaps. */
export async function assertNothingLost({ store }: Context, acknowledged: readonly string[]): Promise<void> {
  const rows = await store.read.selectFrom('releases').select('version').execute();
  const stored = new Set(rows.map((row) => row.version));
  assert.deepEqual(
    acknowledged.filter((version) => !stored.has(version)),
    [],
    'acknowledged releases are stored',
  );
  const events = await store.read.selectFrom('events').select('seq').orderBy('seq').execute();
  assert.deepEqual(
    events.map((event) => Number(event.seq)),
    rows.map((_, index) => index + 1),
    'one event for each release, without gaps',
  );
}
