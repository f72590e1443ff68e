// Cached answers are never stale: after any write, by any process, the cached answer equals that of a process without a
// cache; and a commit leaves answers cached that it cannot change.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { ApiError } from '../../src/contract/errors.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { addressesOf, CACHE_WRITES, type CacheWorld, isAnswer, makeCacheWorld, type Writer } from './cache-world.ts';

const NOW = new Date('2026-01-06T12:00:00.000Z');
const STEPS = 6;

async function startProcesses(engine: TestEngine) {
  const database = await engine.openTestDatabase();
  const open = async (env: Record<string, string> = {}): Promise<Writer> => {
    const app = await engine.openTestApp({ database, env, clock: () => NOW });
    return { ctx: app.ctx, service: await startService(app, { verifyAnswers: false }) };
  };
  const cached = await open();
  const other = await open();
  const fresh = await open({ REGISTRY_CACHE: 'off' });
  // A process learns of the commits of others within milliseconds.
  const settled = async () => {
    const versions = () => [cached, other, fresh].map(({ ctx }) => ctx.store.dataVersion());
    while (new Set(versions()).size > 1) await setTimeout(2);
  };
  const hits = async () => {
    const { text } = await cached.service.root.get('/metrics');
    return Number(/^registry_cache_hits_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
  };
  // The last answers of the first process, which are cached unless a write has affected them since.
  const answered = new Map<string, string>();
  return { engine: engine.name, cached, other, fresh, settled, hits, answered };
}

type Processes = Awaited<ReturnType<typeof startProcesses>>;

async function read({ service }: Writer, addresses: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const address of addresses) {
    const { status, text } = await service.anonymous.get(address);
    answers.push(`${status} ${text}`);
  }
  return answers;
}

// On which entities an answer depends is the same on both engines, so one of them asks for half of the answers.
function askedAddresses({ engine }: Processes, world: CacheWorld): string[] {
  const all = addressesOf(world);
  return engine === 'sqlite' ? all : all.filter((_, at) => at % 2 === 0);
}

// Fills the cache, writes, and compares every answer with one that is made without a cache; returns what the write
// affected.
async function writeAndCompare(
  processes: Processes,
  { name, pick, here, world }: { name: string; pick: number; here: boolean; world: CacheWorld },
) {
  const { cached, other, fresh, settled, answered } = processes;
  world.step += 1;
  const addresses = askedAddresses(processes, world);
  // After a write that affects everything there is nothing left to compare.
  if (CACHE_WRITES[name]?.reaches !== 'everything') {
    const unread = addresses.filter((address) => !answered.has(address));
    for (const [at, answer] of (await read(cached, unread)).entries()) answered.set(unread[at] ?? '', answer);
  }
  const { changes } = cached.ctx.store;
  const mark = changes.mark();
  // A write that is refused, because of an earlier one, changes nothing.
  const reported = await CACHE_WRITES[name]?.write(here ? cached : other, world, pick).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return { status: error.status, text: error.message };
    throw error;
  });
  await settled();
  changes.mark();
  const hasReached = (ids: readonly string[] | null) => changes.changedSince(mark, ids && new Set(ids));
  const known = new Map(answered);
  answered.clear();
  if (!hasReached([])) {
    const answers = await read(cached, addresses);
    for (const [at, address] of addresses.entries()) {
      const answer = answers[at] ?? '';
      answered.set(address, answer);
      // An answer that differs was made after the write; an equal one may be the cached one.
      if (answer !== known.get(address)) continue;
      const [expected] = await read(fresh, [address]);
      assert.equal(answer, expected, `${address} after ${name}`);
    }
  }
  return { reported, hasReached };
}

forEachEngine('cached answers', (engine) => {
  let processes: Processes;
  let world: CacheWorld;
  before(async () => {
    processes = await startProcesses(engine);
    world = await makeCacheWorld(processes.cached);
    await processes.settled();
  });

  it('follow every kind of write of another process, and outlive those that do not concern them', async () => {
    const [, orgId = ''] = world.orgs;
    const [, sourceId = ''] = world.sources;
    for (const [name, { reaches }] of Object.entries(CACHE_WRITES)) {
      const { reported, hasReached } = await writeAndCompare(processes, { name, pick: 0, here: false, world });
      if (isAnswer(reported))
        assert.ok(reported.status < 300, `${name}: ${reported.status} ${reported.text.slice(0, 300)}`);
      assert.equal(hasReached([]), reaches === 'everything', `${name} reaches ${reaches}`);
      assert.equal(hasReached(null), reaches !== 'nothing', `${name} and the lists`);
      if (reaches === 'everything') continue;
      assert.equal(hasReached([orgId, sourceId]), false, `${name} and another org`);
    }
  });

  it('are sent again without a read after a release of another org', async () => {
    const [, orgId = ''] = world.orgs;
    const product = `/v1/products/${world.products[1]}`;
    const untouched = [`/v1/orgs/${orgId}`, `/v1/orgs/${orgId}/releases`, `/v1/sources/${world.sources[1]}`, product];
    world.step += 1;
    await read(processes.cached, untouched);
    await CACHE_WRITES['a new release']?.write(processes.other, world, 2);
    await processes.settled();
    const before = await processes.hits();
    await read(processes.cached, untouched);
    assert.equal((await processes.hits()) - before, untouched.length);
  });

  it('equal fresh ones after random writes of two processes', async () => {
    const names = Object.entries(CACHE_WRITES).flatMap(([name, { reaches }]) =>
      reaches === 'org' ? [name, name] : name,
    );
    const step = fc.record({ name: fc.constantFrom(...names), pick: fc.nat(12), here: fc.boolean() });
    const seed = Number(process.env.REGISTRY_TEST_SEED ?? Date.now() % 1_000_000);
    const [steps = []] = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), { numRuns: 1, seed });
    for (const [at, { name, pick, here }] of steps.entries()) {
      // A write that conflicts with earlier steps is refused, which changes nothing.
      await writeAndCompare(processes, { name, pick, here, world }).catch((error) => {
        throw new Error(`REGISTRY_TEST_SEED=${seed}, step ${at}: ${name}`, { cause: error });
      });
    }
  });
});
