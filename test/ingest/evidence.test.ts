// Comparisons of published packages from the question to the stored result.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { enqueueNewestSteps } from '../../src/ingest/evidence/ahead.ts';
import { scheduleEvidence } from '../../src/ingest/evidence/orders.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { evidenceOfRanges } from '../../src/packages/evidence/evidence-of-ranges.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { as, openEvidence, publishSteps, READER } from './evidence-world.ts';
import { startRegistry, storeRegistry } from './npm-registry.ts';

const HOUR = 3_600_000;

async function ranges(ctx: Context, asked: { name: string; from: string; to: string }[]) {
  return (
    await evidenceOfRanges(
      as(ctx, READER),
      asked.map((one) => ({ ecosystem: 'npm' as const, ...one })),
    )
  ).map(({ evidence }) => evidence);
}

forEachEngine('evidence', (engine) => {
  const setUp = (t: TestContext, env?: Record<string, string>) => openEvidence(engine, t, env);

  it('a question orders, a job compares, and the next answer has it', async (t) => {
    const { registry, ctx, work, ask, pairs } = await setUp(t);
    publishSteps(registry, 'forms', { '1.0.0': ['open', 'close'], '1.1.0': ['open'] });
    await storeRegistry(ctx, registry, 'forms');

    const first = await ask('forms', '1.0.0', '1.1.0');
    assert.deepEqual([first.status, first.findings, first.comparedAt], ['pending', [], null]);
    assert.deepEqual(registry.seen, [], 'a question downloads nothing');
    await work();

    const second = await ask('forms', 'v1.0.0', '1.1.0');
    assert.deepEqual([second.status, second.types, second.counts], ['compared', 'own', { proven: 1, likely: 0 }]);
    assert.deepEqual(
      second.findings.map(({ kind, name }) => [kind, name]),
      [['export_removed', 'close']],
    );
    assert.equal(second.comparedAt, '2026-03-01T12:00:00.000Z');
    assert.deepEqual(registry.seen, ['/forms/-/1.0.0.tgz', '/forms/-/1.1.0.tgz']);

    await ask('forms', '1.0.0', '1.1.0');
    await work();
    assert.equal(registry.seen.length, 2, 'a pair is never compared twice');
    const [row] = await pairs();
    assert.ok(row && row.bytes > 0 && row.from_integrity.startsWith('sha512-'));
    const [day] = await ctx.store.read.selectFrom('evidence_days').selectAll().execute();
    assert.deepEqual([day?.day, day?.pairs, Number(day?.bytes)], ['2026-03-01', 1, row.bytes]);
  });

  it('a range is compared as a whole, then by major steps, then halved to locate a finding', async (t) => {
    const { registry, ctx, work, orders } = await setUp(t);
    const all = ['a', 'b', 'c'];
    publishSteps(registry, 'steps', {
      '1.0.0': all,
      '1.1.0': all,
      '1.2.0': ['a', 'b'],
      '1.3.0': ['a', 'b'],
      '2.0.0': ['a'],
      '2.1.0': ['a'],
    });
    await storeRegistry(ctx, registry, 'steps');
    const asked = [{ name: 'steps', from: '1.0.0', to: '2.1.0' }];

    const [first] = await ranges(ctx, asked);
    assert.deepEqual(first, { status: 'pending', pairs: [], counts: { proven: 0, likely: 0 } });
    assert.deepEqual(
      (await orders()).map((order) => [order.from_version, order.to_version, order.priority]),
      [
        ['1.0.0', '2.1.0', 0],
        ['1.3.0', '2.0.0', 1],
      ],
    );
    await work();

    const [second] = await ranges(ctx, asked);
    assert.deepEqual([second?.status, second?.counts], ['compared', { proven: 2, likely: 0 }]);
    const found = second?.pairs.map(({ from, to, findings }) => `${from}-${to} ${findings.map(({ name }) => name)}`);
    assert.deepEqual(found, ['1.0.0-2.1.0 b,c', '1.0.0-1.1.0 ', '1.0.0-1.2.0 c', '1.3.0-2.0.0 b']);
    assert.deepEqual(await orders(), []);
  });

  it('only packages that somebody follows are downloaded', async (t) => {
    const { registry, ctx, work, ask, orders } = await setUp(t);
    publishSteps(registry, 'imported', { '1.0.0': ['a'], '1.1.0': ['a'] });
    await storeRegistry(ctx, registry, 'imported', { known: false });
    assert.equal((await ask('imported', '1.0.0', '1.1.0')).status, 'not_ordered');
    assert.equal((await ask('imported', '1.0.0', '9.9.9')).status, 'not_available');
    assert.equal((await ask('nobody', '1.0.0', '1.1.0')).status, 'not_available');
    await work();
    assert.deepEqual([await orders(), registry.seen], [[], []]);
  });

  it('is off where the operator says so', async (t) => {
    const { registry, ctx, work, ask } = await setUp(t, { REGISTRY_EVIDENCE: 'off' });
    publishSteps(registry, 'forms', { '1.0.0': ['a'], '1.1.0': [] });
    await storeRegistry(ctx, registry, 'forms');
    assert.equal((await ask('forms', '1.0.0', '1.1.0')).status, 'off');
    await enqueueNewestSteps(ctx);
    await work();
    assert.deepEqual(registry.seen, []);
  });

  it('what is not the listed archive, gone or unreadable is not available, and asked for again on another day', async (t) => {
    const { registry, ctx, clock, work, ask } = await setUp(t);
    publishSteps(registry, 'forms', { '1.0.0': ['a'], '1.1.0': [], '1.2.0': [], '1.3.0': [] });
    await storeRegistry(ctx, registry, 'forms');
    registry.publish('forms', '1.1.0', { 'index.d.ts': 'export declare const stranger: 1;' });
    registry.refusals.set('/forms/-/1.2.0.tgz', { status: 404 });
    for (const to of ['1.1.0', '1.2.0']) await ask('forms', '1.0.0', to);
    await work();
    for (const to of ['1.1.0', '1.2.0']) assert.equal((await ask('forms', '1.0.0', to)).status, 'not_available');
    const rows = await ctx.store.read.selectFrom('evidence_pairs').select('reason').orderBy('to_version').execute();
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['1.1.0: the archive is not the one that is listed', '1.2.0: http 404'],
    );
    registry.refusals.clear();
    clock.move(25 * HOUR);
    assert.equal((await ask('forms', '1.0.0', '1.2.0')).status, 'pending');
    await work();
    assert.equal((await ask('forms', '1.0.0', '1.2.0')).status, 'compared');
  });

  it('a registry that is out of order is asked later, and not for ever', async (t) => {
    const { registry, ctx, clock, work, ask, orders } = await setUp(t);
    publishSteps(registry, 'forms', { '1.0.0': ['a'], '1.1.0': [] });
    await storeRegistry(ctx, registry, 'forms');
    registry.refusals.set('/forms/-/1.0.0.tgz', { status: 503 });
    await ask('forms', '1.0.0', '1.1.0');
    await work();
    const [order] = await orders();
    assert.deepEqual([order?.attempts, order?.due_at, order?.last_error], [1, '2026-03-01T12:10:00.000Z', 'http 503']);
    assert.equal((await ask('forms', '1.0.0', '1.1.0')).status, 'pending');
    await ctx.store.transaction(
      (tx) => tx.updateTable('evidence_orders').set({ attempts: 4 }).execute(),
      'bookkeeping',
    );
    clock.move(HOUR);
    await work();
    assert.equal((await ask('forms', '1.0.0', '1.1.0')).status, 'not_available');
    assert.deepEqual(await orders(), []);
  });

  it('declarations of others stand beside a package that needs them', async (t) => {
    const { registry, ctx, work, ask } = await setUp(t);
    registry.publish('core', '1.0.0', {
      'package.json': '{"types":"./i.d.ts"}',
      'i.d.ts': 'export declare const x: 1;',
    });
    registry.publish(
      'core',
      '1.5.0',
      { 'package.json': '{"types":"./i.d.ts"}', 'i.d.ts': 'export declare const y: 1;' },
      { publishedAt: '2026-02-20T00:00:00.000Z' },
    );
    const wrapper = {
      'package.json': '{"types":"./i.d.ts","dependencies":{"core":"^1.0.0"}}',
      'i.d.ts': "export * from 'core';",
    };
    registry.publish('wrapper', '1.0.0', wrapper, { publishedAt: '2026-02-01T00:00:00.000Z' });
    registry.publish('wrapper', '1.1.0', wrapper, { publishedAt: '2026-02-21T00:00:00.000Z' });
    registry.publish('untyped', '4.0.0', { 'index.js': 'exports.a = 1; exports.b = 2;' });
    registry.publish('untyped', '4.1.0', { 'index.js': 'exports.a = 1;' }, { publishedAt: '2026-02-10T00:00:00.000Z' });
    registry.publish('@types/untyped', '4.0.1', {
      'package.json': '{"types":"./index.d.ts"}',
      'index.d.ts': 'export const a: number; export const b: number;',
    });
    registry.publish(
      '@types/untyped',
      '4.1.0',
      { 'package.json': '{"types":"./index.d.ts"}', 'index.d.ts': 'export const a: number;' },
      { publishedAt: '2026-02-05T00:00:00.000Z' },
    );
    for (const name of ['wrapper', 'untyped']) await storeRegistry(ctx, registry, name);
    await ask('wrapper', '1.0.0', '1.1.0');
    await ask('untyped', '4.0.0', '4.1.0');
    await work();
    const wrapped = await ask('wrapper', '1.0.0', '1.1.0');
    assert.deepEqual(
      wrapped.findings.map(({ kind, name }) => [kind, name]),
      [],
    );
    const typed = await ask('untyped', '4.0.0', '4.1.0');
    assert.deepEqual([typed.status, typed.types], ['compared', 'definitely_typed']);
    assert.deepEqual(
      typed.findings.map(({ kind, name }) => [kind, name]),
      [['export_removed', 'b']],
    );
    const rows = await ctx.store.read
      .selectFrom('evidence_pairs')
      .select(['name', 'beside_names', 'beside'])
      .orderBy('name')
      .execute();
    assert.deepEqual(
      rows.map((row) => row.beside_names),
      ['["@types/untyped@4.1.0"]', '["core@1.5.0"]'],
    );
    assert.ok(rows.every(({ beside }) => beside.length === 43));
  });

  it('a package without any types is told by package.json and plain names', async (t) => {
    const { registry, ctx, work, ask } = await setUp(t);
    registry.publish('plain', '1.0.0', { 'package.json': '{"engines":{"node":">=18"}}', 'index.js': 'exports.a = 1;' });
    registry.publish('plain', '1.1.0', { 'package.json': '{"engines":{"node":">=20"}}', 'index.js': 'exports.a = 1;' });
    await storeRegistry(ctx, registry, 'plain');
    await ask('plain', '1.0.0', '1.1.0');
    await work();
    const answer = await ask('plain', '1.0.0', '1.1.0');
    assert.deepEqual([answer.status, answer.types], ['no_types', 'none']);
    assert.deepEqual(
      answer.findings.map(({ kind }) => kind),
      ['engines_raised'],
    );
    assert.ok(registry.seen.includes('/@types/plain'));
  });

  it('the token of a private registry goes to its host alone, and its names to nobody else', async (t) => {
    const other = await startRegistry(t);
    const { registry, ctx, work, ask } = await setUp(t, { REGISTRY_PACKAGE_REGISTRIES: `@acme=${other.origin}` });
    other.publish('@acme/forms', '1.0.0', { 'index.js': '' });
    other.publish('@acme/forms', '1.1.0', { 'index.js': '' });
    await storeRegistry(ctx, other, '@acme/forms', { scope: '@acme' });
    await ask('@acme/forms', '1.0.0', '1.1.0');
    await work();
    assert.equal((await ask('@acme/forms', '1.0.0', '1.1.0')).status, 'no_types');
    assert.equal(other.seen.length, 2);
    assert.deepEqual(registry.seen, []);
  });

  it('two workers compare no pair twice, and what a worker has left behind another one takes up', async (t) => {
    const registry = await startRegistry(t);
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const database = await engine.openTestDatabase();
    const open = () => engine.openTestApp({ clock, database, env: registry.env });
    const [{ ctx }, { ctx: other }] = [await open(), await open()];
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) {
      publishSteps(registry, name, { '1.0.0': ['a'], '1.1.0': [] });
      await storeRegistry(ctx, registry, name);
    }
    await ranges(
      ctx,
      names.map((name) => ({ name, from: '1.0.0', to: '1.1.0' })),
    );
    await scheduleEvidence(ctx);
    assert.equal((await claim(ctx))?.kind, 'evidence', 'the worker with this lease is never heard of again');
    clock.move(LEASE_MS + 1000);
    await Promise.all([ctx, other].map((one) => createWorker(one, { tasks: createFetching() }).drain()));
    const pairs = await ctx.store.read.selectFrom('evidence_pairs').select('name').execute();
    assert.deepEqual(pairs.map(({ name }) => name).sort(), names.toSorted());
    assert.equal(registry.seen.length, 2 * names.length);
    assert.deepEqual(await ctx.store.read.selectFrom('evidence_orders').selectAll().execute(), []);
  });
});
