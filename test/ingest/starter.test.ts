// A new registry reads well-known packages by itself, until it has them, nobody answers, or an operator ends it.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { askerPriority } from '../../src/domain/readings/reading.ts';
import { judgeShown } from '../../src/packages/shown-upgrades/judge.ts';
import { mostAskedUpgrades } from '../../src/packages/shown-upgrades/list.ts';
import { beginStarter, starterProgress, stopStarter } from '../../src/packages/starter/starter.ts';
import { STARTER } from '../../src/sample/starter.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine } from '../support/engines.ts';
import { publishSteps } from './evidence-world.ts';
import { startRegistry } from './npm-registry.ts';

const npm = (...names: string[]) => names.map((name) => ({ ecosystem: 'npm' as const, name }));

it('the list has about 120 packages of two registries, each once', () => {
  const keys = new Set(STARTER.map(({ ecosystem, name }) => `${ecosystem}:${name}`));
  assert.equal(keys.size, STARTER.length);
  assert.ok(STARTER.length >= 110 && STARTER.length <= 130, String(STARTER.length));
});

forEachEngine('the starter', (engine) => {
  async function setUp(t: TestContext, env: Record<string, string> = {}) {
    const registry = await startRegistry(t);
    const { ctx } = await engine.openTestApp({
      env: { ...registry.env, REGISTRY_ASK: 'on', REGISTRY_STARTER: 'on', ...env },
    });
    const work = async () => {
      for (let pass = 0; pass < 6; pass += 1) await createWorker(ctx, { tasks: createFetching() }).drain();
    };
    return { registry, ctx, work };
  }

  it('reads each package and compares its last two major steps, behind what anybody waits for, and lists show them', async (t) => {
    const { registry, ctx, work } = await setUp(t);
    publishSteps(registry, 'lamp', { '1.0.0': ['a', 'b', 'c'], '2.0.0': ['a', 'b'], '3.0.0': ['a'] });
    await beginStarter(ctx, npm('lamp', 'no-such-lamp'), true);
    assert.deepEqual(await starterProgress(ctx), { done: 0, total: 2, state: 'running' });
    await work();
    assert.deepEqual(await starterProgress(ctx), { done: 2, total: 2, state: 'done' });
    const readings = await ctx.store.read.selectFrom('readings').selectAll().where('name', '=', 'lamp').execute();
    assert.deepEqual(readings.map(({ from_version, to_version }) => `${from_version} ${to_version}`).sort(), [
      '1.0.0 2.0.0',
      '2.0.0 3.0.0',
      'null null',
    ]);
    assert.ok(readings.every(({ priority }) => priority === askerPriority('starter')));

    await judgeShown(ctx, new AbortController().signal);
    const [shown, ...others] = await mostAskedUpgrades(ctx, 5);
    assert.deepEqual(others, []);
    assert.deepEqual([shown?.name, shown?.from, shown?.to, shown?.level], ['lamp', '2.0.0', '3.0.0', 'major']);

    const asked = registry.seen.length;
    await beginStarter(ctx, npm('lamp', 'no-such-lamp'), false);
    await work();
    assert.equal(registry.seen.length, asked, 'the next start reads nothing again');
  });

  it('gives up where no registry answers, says so once, and the next start tries again', async (t) => {
    const { ctx, work } = await setUp(t, { REGISTRY_NPM_URL: 'http://127.0.0.1:9' });
    const told: string[] = [];
    t.mock.method(ctx.log, 'info', (...said: unknown[]) => told.push(String(said.at(-1))));
    await beginStarter(ctx, npm('a1', 'b1', 'c1', 'd1', 'e1', 'f1'), true);
    await work();
    assert.equal(await starterProgress(ctx), null);
    assert.equal(told.filter((words) => /no package registry answers/.test(words)).length, 1);
    const count = async () => (await ctx.store.read.selectFrom('readings').select('id').execute()).length;
    const before = await count();
    assert.ok(before <= 6);
    await work();
    assert.equal(await count(), before, 'nothing is tried again by itself');
    await beginStarter(ctx, [], false);
    assert.equal((await starterProgress(ctx))?.state, 'running');
  });

  it('stops for an operator, and stays stopped', async (t) => {
    const { registry, ctx, work } = await setUp(t);
    publishSteps(registry, 'lamp', { '1.0.0': ['a'], '2.0.0': [] });
    await beginStarter(ctx, npm('lamp'), true);
    assert.deepEqual(await stopStarter(ctx), { done: 0, total: 1, state: 'stopped' });
    await beginStarter(ctx, npm('lamp'), false);
    await work();
    assert.deepEqual(registry.seen, []);
    assert.equal((await starterProgress(ctx))?.state, 'stopped');
  });

  it('orders nothing where it is off', async (t) => {
    const { ctx, work } = await setUp(t, { REGISTRY_STARTER: 'off' });
    await beginStarter(ctx, npm('lamp'), true);
    await work();
    assert.deepEqual(await ctx.store.read.selectFrom('readings').select('id').execute(), []);
  });
});
