// Comparisons of published packages from the question to the stored result.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { compareVersions, evidenceOfRanges } from '../../src/catalog/evidence/evidence-of-ranges.ts';
import { putPackage } from '../../src/catalog/packages/put.ts';
import { type Context, plainAnswer, transact } from '../../src/context.ts';
import { ANONYMOUS, type Caller } from '../../src/contract/caller.ts';
import { orderNewestSteps } from '../../src/ingest/evidence/ahead.ts';
import { scheduleEvidence } from '../../src/ingest/evidence/orders.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource } from '../support/factories.ts';
import { type NpmRegistry, startRegistry, storeRegistry } from './npm-registry.ts';

const HOUR = 3_600_000;
const READER: Caller = { ...ANONYMOUS, kind: 'user_key', name: 'reader', ip: '192.0.2.9' };

const visitor = (address: number): Caller => ({ ...ANONYMOUS, ip: `198.51.100.${address}` });
const as = (ctx: Context, caller: Caller): Context => ({ ...ctx, caller, answer: plainAnswer() });

async function ranges(ctx: Context, asked: { name: string; from: string; to: string }[]) {
  return (await evidenceOfRanges(as(ctx, READER), asked)).map(({ evidence }) => evidence);
}

// A package whose versions lose one function after the other.
function publishSteps(registry: NpmRegistry, name: string, versions: Record<string, string[]>): void {
  for (const [version, names] of Object.entries(versions)) {
    registry.publish(name, version, {
      'package.json': JSON.stringify({ types: './index.d.ts', main: './index.js' }),
      'index.js': '',
      'index.d.ts': `${names.map((one) => `export declare function ${one}(): void;`).join('\n')}\nexport {};`,
    });
  }
}

// As many orders of packages that are nowhere.
async function fillOrders(ctx: Context, { priority, count }: { priority: number; count: number }): Promise<void> {
  const at = '2026-03-01T00:00:00.000Z';
  const numbers = Array.from({ length: count }, (_, index) => index);
  const rows = numbers.map((index) => ({
    ecosystem: 'npm' as const,
    name: `waiting-${index}`,
    from_version: '1.0.0',
    to_version: '1.1.0',
    range_from: '1.0.0',
    range_to: '1.1.0',
    priority,
    published_at: at,
    payer: null,
    anonymous: 0,
    ordered_at: at,
    attempts: 0,
    due_at: at,
    last_error: null,
  }));
  await transact(
    ctx,
    async ({ tx }) => {
      for (let from = 0; from < count; from += 2_000) {
        await tx
          .insertInto('evidence_orders')
          .values(rows.slice(from, from + 2_000))
          .execute();
      }
    },
    'bookkeeping',
  );
}

forEachEngine('evidence', (engine) => {
  async function setUp(t: TestContext, env: Record<string, string> = {}) {
    const registry = await startRegistry(t);
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock, env: { ...registry.env, ...env } });
    const work = () => createWorker(ctx, { tasks: createFetching() }).drain();
    const ask = async (name: string, from: string, to: string, caller: Caller = READER) =>
      compareVersions(as(ctx, caller), { name, from, to });
    const orders = () => ctx.store.read.selectFrom('evidence_orders').selectAll().orderBy('priority').execute();
    const pairs = () => ctx.store.read.selectFrom('evidence_pairs').selectAll().execute();
    return { registry, clock, ctx, work, ask, orders, pairs };
  }

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

  it('anonymous callers order 20 pairs an hour an address, and crawlers nothing', async (t) => {
    const { registry, ctx, clock, orders } = await setUp(t);
    for (let at = 0; at < 25; at += 1) publishSteps(registry, `p${at}`, { '1.0.0': ['a'], '1.1.0': ['a'] });
    for (let at = 0; at < 25; at += 1) await storeRegistry(ctx, registry, `p${at}`);
    const batch = Array.from({ length: 25 }, (_, at) => ({ name: `p${at}`, from: '1.0.0', to: '1.1.0' }));
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
    await orderNewestSteps(ctx);
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

  it('what is above the limits is too large: an archive by its size, a comparison by its processor time', async (t) => {
    const { registry, ctx, ask, pairs } = await setUp(t);
    publishSteps(registry, 'forms', { '1.0.0': ['a'], '1.1.0': ['a'] });
    registry.publish('forms', '2.0.0', { 'package.json': '{}', 'zeros.bin': '\0'.repeat(8_000_000) });
    const endless = (word: string) => ({
      'package.json': '{"types":"./index.d.ts"}',
      'index.d.ts': [
        ...Array.from({ length: 3_000 }, (_, at) => `export declare function f${at}(x: { ${word}: ${at} }): ${at};`),
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

  it('no more is downloaded than a day allows, and a quarter of it without a credential', async (t) => {
    const { registry, ctx, clock, work, ask } = await setUp(t, { REGISTRY_EVIDENCE_DAILY_MB: '1' });
    for (const name of ['one', 'two', 'three']) {
      publishSteps(registry, name, { '1.0.0': ['a'], '1.1.0': [] });
      await storeRegistry(ctx, registry, name);
    }
    const day = { day: '2026-03-01', bytes: 300_000, anonymous_bytes: 250_000, pairs: 0 };
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
    assert.equal(await orderNewestSteps(ctx), 1);
    assert.equal(await orderNewestSteps(ctx), 0);
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
    assert.equal(await orderNewestSteps(ctx), 0);
    assert.equal((await ask('asked', '1.0.0', '1.1.0')).status, 'pending');
    await transact(ctx, (ctx) => ctx.tx.deleteFrom('evidence_orders').execute(), 'bookkeeping');
    await fillOrders(ctx, { priority: 0, count: 20_000 });
    assert.equal((await ask('asked', '1.0.0', '1.1.0')).status, 'not_ordered');
    assert.equal(await orderNewestSteps(ctx), 1);
    assert.equal((await orders()).filter(({ name }) => name === 'tracked').length, 1);
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
      ['["@types/untyped@4.0.1","@types/untyped@4.1.0"]', '["core@1.5.0"]'],
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
