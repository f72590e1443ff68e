// What comparisons of published packages may cost: by caller, by archive, by day, and without a question.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { DEEP_DECLARATIONS, deepPackage } from '../../src/domain/evidence/deep.fixture.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { enqueueNewestSteps } from '../../src/ingest/evidence/ahead.ts';
import { evidenceOfRanges } from '../../src/packages/evidence/evidence-of-ranges.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { as, openEvidence, publishSteps, READER, visitor } from './evidence-world.ts';
import { storeRegistry } from './npm-registry.ts';

const HOUR = 3_600_000;

// As many orders of packages that are nowhere. The database counts, because twenty thousand rows take the query builder seconds.
async function fillOrders(ctx: Context, { priority, count }: { priority: number; count: number }): Promise<void> {
  const at = '2026-03-01T00:00:00.000Z';
  const insert = sql`
    INSERT INTO evidence_orders (ecosystem, name, from_version, to_version, range_from, range_to, priority, published_at,
      anonymous, ordered_at, attempts, due_at)
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${sql.lit(count)})
    SELECT 'npm', 'waiting-' || number, '1.0.0', '1.1.0', '1.0.0', '1.1.0', ${sql.lit(priority)}, ${sql.lit(at)},
      0, ${sql.lit(at)}, 0, ${sql.lit(at)} FROM numbers`;
  await transact(ctx, ({ tx }) => insert.execute(tx), 'bookkeeping');
}

forEachEngine('limits of evidence', (engine) => {
  const setUp = (t: TestContext, env?: Record<string, string>) => openEvidence(engine, t, env);

  it('anonymous callers order 20 pairs an hour an address, and crawlers nothing', async (t) => {
    const { registry, ctx, clock, orders } = await setUp(t);
    for (let at = 0; at < 25; at += 1) publishSteps(registry, `p${at}`, { '1.0.0': ['a'], '1.1.0': ['a'] });
    for (let at = 0; at < 25; at += 1) await storeRegistry(ctx, registry, `p${at}`);
    const batch = Array.from({ length: 25 }, (_, at) => ({
      ecosystem: 'npm' as const,
      name: `p${at}`,
      from: '1.0.0',
      to: '1.1.0',
    }));
    const statuses = async (caller: Caller) => {
      const theirs = as(ctx, caller);
      const found = (await evidenceOfRanges(theirs, batch)).map(({ evidence }) => evidence);
      const pending = found.filter(({ status }) => status === 'pending').length;
      const refused = found.filter(({ status }) => status === 'not_ordered').length;
      return { pending, refused, isCacheable: !theirs.answer.degraded };
    };

    assert.deepEqual(await statuses({ ...visitor(1), passive: true }), { pending: 0, refused: 25, isCacheable: false });
    assert.equal((await orders()).length, 0);
    assert.deepEqual(await statuses(visitor(1)), { pending: 20, refused: 5, isCacheable: false });
    assert.deepEqual(await statuses(visitor(1)), { pending: 20, refused: 5, isCacheable: false });
    assert.ok(
      (await orders()).every(({ anonymous, payer }) => anonymous === 1 && payer === 'evidence:ip:198.51.100.1'),
    );
    assert.deepEqual(await statuses(visitor(2)), { pending: 25, refused: 0, isCacheable: false });
    clock.move(HOUR);
    await statuses(READER);
    assert.equal((await orders()).length, 25);
  });

  it('no more is downloaded than a day allows, and half of it without a credential', async (t) => {
    const { registry, ctx, clock, work, ask } = await setUp(t, { REGISTRY_EVIDENCE_DAILY_MB: '1' });
    for (const name of ['one', 'two', 'three']) {
      publishSteps(registry, name, { '1.0.0': ['a'], '1.1.0': [] });
      await storeRegistry(ctx, registry, name);
    }
    const day = { day: '2026-03-01', bytes: 550_000, anonymous_bytes: 500_000, pairs: 0 };
    await ctx.store.transaction((tx) => tx.insertInto('evidence_days').values(day).execute(), 'bookkeeping');
    await ask('one', '1.0.0', '1.1.0', visitor(1));
    await ask('two', '1.0.0', '1.1.0');
    await work();
    assert.equal((await ask('one', '1.0.0', '1.1.0')).status, 'pending');
    assert.equal((await ask('two', '1.0.0', '1.1.0')).status, 'compared');
    await ctx.store.transaction(
      (tx) => tx.updateTable('evidence_days').set({ bytes: 1_000_000 }).execute(),
      'bookkeeping',
    );
    await ask('three', '1.0.0', '1.1.0');
    await work();
    assert.equal((await ask('three', '1.0.0', '1.1.0')).status, 'pending');
    clock.move(24 * HOUR);
    await work();
    assert.equal((await ask('one', '1.0.0', '1.1.0')).status, 'compared');
    assert.equal((await ask('three', '1.0.0', '1.1.0')).status, 'compared');
  });

  it('the newest step of every tracked package is compared before anybody asks', async (t) => {
    const { registry, ctx, work, orders, ask } = await setUp(t);
    publishSteps(registry, 'tracked', { '1.0.0': ['a'], '1.1.0': ['a'], '1.2.0-beta.1': [], '1.2.0': [] });
    publishSteps(registry, 'mapless', { '1.0.0': ['a'], '1.1.0': ['a'] });
    for (const name of ['tracked', 'mapless']) await storeRegistry(ctx, registry, name);
    const { id: sourceId } = await createSource(ctx, { fetchPriority: 'paused' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'tracked', sourceId });
    assert.equal(await enqueueNewestSteps(ctx), 1);
    assert.equal(await enqueueNewestSteps(ctx), 0);
    const [order] = await orders();
    assert.deepEqual(
      [order?.name, order?.from_version, order?.to_version, order?.priority],
      ['tracked', '1.1.0', '1.2.0', 3],
    );
    await work();
    assert.equal((await ask('tracked', '1.1.0', '1.2.0', { ...visitor(1), passive: true })).status, 'compared');
  });

  it('what nobody asked for takes no room of those who ask, and has a limit of its own', async (t) => {
    const { registry, ctx, ask, orders } = await setUp(t);
    for (const name of ['tracked', 'asked']) publishSteps(registry, name, { '1.0.0': ['a'], '1.1.0': ['a'] });
    for (const name of ['tracked', 'asked']) await storeRegistry(ctx, registry, name);
    const { id: sourceId } = await createSource(ctx, { fetchPriority: 'paused' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'tracked', sourceId });
    await fillOrders(ctx, { priority: 3, count: 20_000 });
    assert.equal(await enqueueNewestSteps(ctx), 0);
    assert.equal((await ask('asked', '1.0.0', '1.1.0')).status, 'pending');
    await transact(ctx, (ctx) => ctx.tx.deleteFrom('evidence_orders').execute(), 'bookkeeping');
    await fillOrders(ctx, { priority: 0, count: 20_000 });
    assert.equal((await ask('asked', '1.0.0', '1.1.0')).status, 'not_ordered');
    assert.equal(await enqueueNewestSteps(ctx), 1);
    assert.equal((await orders()).filter(({ name }) => name === 'tracked').length, 1);
  });

  it('declarations that overflow the compiler are too large at once, and the next package is compared', async (t) => {
    const { registry, ctx, work, ask, orders, pairs } = await setUp(t);
    for (const version of ['1.0.0', '1.1.0'])
      registry.publish('deep', version, deepPackage(DEEP_DECLARATIONS.brackets ?? {}, version));
    publishSteps(registry, 'plain', { '1.0.0': ['a'], '1.1.0': [] });
    for (const name of ['deep', 'plain']) {
      await storeRegistry(ctx, registry, name);
      await ask(name, '1.0.0', '1.1.0');
    }
    await work();
    assert.deepEqual(await orders(), []);
    assert.equal((await ask('deep', '1.0.0', '1.1.0')).status, 'too_large');
    assert.equal((await ask('plain', '1.0.0', '1.1.0')).status, 'compared');
    assert.deepEqual((await pairs()).map(({ reason }) => reason).toSorted(), ['1.0.0: is nested too deeply', null]);
  });

  // The last one, because it ends the thread, and the next one loads the compiler again.
  it('what is above the limits is too large: an archive by its size, a comparison by its processor time', async (t) => {
    const { registry, ctx, ask, pairs } = await setUp(t);
    publishSteps(registry, 'forms', { '1.0.0': ['a'], '1.1.0': ['a'] });
    registry.publish('forms', '2.0.0', { 'package.json': '{}', 'zeros.bin': '\0'.repeat(8_000_000) });
    const endless = (word: string) => ({
      'package.json': '{"types":"./index.d.ts"}',
      'index.d.ts': [
        ...Array.from({ length: 1_500 }, (_, at) => `export declare function f${at}(x: { ${word}: ${at} }): ${at};`),
        'export {};',
      ].join('\n'),
    });
    registry.publish('slow', '1.0.0', endless('a'));
    registry.publish('slow', '1.1.0', endless('b'));
    for (const name of ['forms', 'slow']) await storeRegistry(ctx, registry, name);
    await ask('forms', '1.1.0', '2.0.0');
    await ask('slow', '1.0.0', '1.1.0');
    const evidence = { ...ctx.config.evidence, limitMs: 50 };
    await createWorker({ ...ctx, config: { ...ctx.config, evidence } }, { tasks: createFetching() }).drain();
    assert.equal((await ask('forms', '1.1.0', '2.0.0')).status, 'too_large');
    assert.equal((await ask('slow', '1.0.0', '1.1.0')).status, 'too_large');
    const reasons = (await pairs()).map(({ reason }) => reason).sort();
    assert.match(reasons[0] ?? '', /^2\.0\.0: the archive /);
    assert.match(reasons[1] ?? '', /^not done within 0\.05 s/);
  });
});
