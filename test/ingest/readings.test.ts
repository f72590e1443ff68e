// Readings from the question to the answer that has what was missing.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { ANONYMOUS, type Caller } from '../../src/contract/caller.ts';
import type { Asker } from '../../src/domain/readings/reading.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { claim } from '../../src/ingest/queue/claim.ts';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { readReading } from '../../src/packages/readings/describe.ts';
import { hurryReading } from '../../src/packages/readings/hurry.ts';
import { whatsChanged, whatsChangedBatch } from '../../src/packages/whats-changed/index.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { as, publishSteps, READER, visitor } from './evidence-world.ts';
import { startRegistry, storeRegistry } from './npm-registry.ts';

// The network of an answer.
const refused = () => Promise.reject(new Error('an answer asks nobody'));

async function openReadings(engine: TestEngine, t: TestContext, env: Record<string, string> = {}) {
  const registry = await startRegistry(t);
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  const { ctx } = await engine.openTestApp({ clock, env: { ...registry.env, REGISTRY_ASK: 'on', ...env } });
  const work = () => createWorker(ctx, { tasks: createFetching() }).drain();
  const ask = (name: string, caller: Caller = READER, asker: Asker = 'person', from = '1.0.0') =>
    whatsChanged(
      as({ ...ctx, fetch: refused }, caller),
      { package: name, ecosystem: 'npm', from, to: 'latest' },
      asker,
    );
  const rows = () => ctx.store.read.selectFrom('readings').selectAll().orderBy('ordered_at').orderBy('name').execute();
  return { registry, clock, ctx, work, ask, rows };
}

const CHANGELOG = '# Changelog\n\n## 2.0.0\n\n- **Breaking:** `close` was removed.\n\n## 1.0.0\n\n- First.\n';

function publishForms(registry: Awaited<ReturnType<typeof startRegistry>>) {
  publishSteps(registry, 'forms', { '1.0.0': ['open', 'close'] });
  registry.publish('forms', '2.0.0', {
    'package.json': JSON.stringify({ types: './index.d.ts', main: './index.js' }),
    'index.js': '',
    'index.d.ts': 'export declare function open(): void;\nexport {};',
    'CHANGELOG.md': CHANGELOG,
  });
}

async function partStates(ctx: Context, id: string | null | undefined) {
  const { parts } = await readReading(ctx, id ?? '');
  return Object.fromEntries(parts.map(({ part, state }) => [part, state]));
}

forEachEngine('readings', (engine) => {
  const setUp = (t: TestContext, env?: Record<string, string>) => openReadings(engine, t, env);

  it('a question about a package that nobody knew orders what it lacks, fetches nothing, and the next answer has it', async (t) => {
    const { registry, ctx, work, ask } = await setUp(t);
    publishForms(registry);
    const first = await ask('forms');
    assert.deepEqual([first.status, first.reading?.state, first.reading?.waitAhead], ['unknown', 'waiting', 0]);
    assert.match(first.reading?.id ?? '', /^rdg_[\w-]{22}$/);
    assert.deepEqual(registry.seen, [], 'an answer fetches nothing');
    await work();

    const { state, reason } = await readReading(ctx, first.reading?.id ?? '');
    assert.deepEqual([state, reason], ['done', undefined]);
    assert.deepEqual(await partStates(ctx, first.reading?.id), {
      listing: 'done',
      comparison: 'done',
      notes: 'done',
      repository: 'nothing',
      steps: 'nothing',
    });
    assert.equal(registry.seen[0], '/forms', 'the listing comes first');
    const second = await ask('forms');
    assert.equal(second.reading, undefined);
    assert.deepEqual([second.judgement, second.toVersion, second.evidence?.status], ['breaks', '2.0.0', 'compared']);
    assert.equal(second.summary.breaking.major, 1);
  });

  it('all who ask the same wait for one reading, and a person goes before lists', async (t) => {
    const { registry, ctx, work, ask, rows } = await setUp(t);
    for (const name of ['four', 'one', 'three', 'two']) publishSteps(registry, name, { '1.0.0': ['a'], '2.0.0': [] });
    const items = ['four', 'one', 'two'].map((name) => ({
      package: name,
      ecosystem: 'npm' as const,
      from: '1.0.0',
      to: 'latest',
    }));
    await whatsChangedBatch(as(ctx, READER), { items });
    const [byPerson, byOther] = [await ask('three'), await ask('three', visitor(3), 'api')];
    assert.equal(byPerson.reading?.id, byOther.reading?.id);
    assert.deepEqual(
      (await rows()).map(({ name, priority }) => [name, priority]),
      [
        ['four', 1],
        ['one', 1],
        ['three', 0],
        ['two', 1],
      ],
    );
    const claimed = await claim(ctx);
    assert.equal(claimed?.key, 'reading:npm:three');

    await hurryReading(ctx, (await rows()).find(({ name }) => name === 'two')?.id ?? '');
    const next = [await claim(ctx), await claim(ctx)].map((job) => job?.key);
    assert.ok(next.includes('reading:npm:two'), 'somebody waits for it now');
    await work();
  });

  it('a name that its registry does not know is asked for once a day, and impossible ones never', async (t) => {
    const { registry, clock, ctx, work, ask, rows } = await setUp(t);
    const first = await ask('no-such-forms');
    await work();
    const { state, reason } = await readReading(ctx, first.reading?.id ?? '');
    assert.deepEqual([state, reason], ['failed', 'npm has no package of this name']);
    const asked = registry.seen.length;
    assert.equal((await ask('no-such-forms')).reading, undefined);
    assert.deepEqual(await ctx.store.read.selectFrom('package_states').select('name').execute(), []);
    for (const name of ['../../etc/passwd', 'a b', '.hidden']) assert.equal((await ask(name)).reading, undefined, name);
    await work();
    assert.deepEqual([registry.seen.length - asked, (await rows()).length], [0, 1]);
    clock.move(25 * 3_600_000);
    assert.equal((await ask('no-such-forms')).reading?.state, 'waiting');
  });

  it('who may not order orders nothing: crawlers, readers of headers, strangers where accounts are asked for', async (t) => {
    const { ctx, ask, rows } = await setUp(t, { REGISTRY_ASK: 'accounts' });
    assert.equal((await ask('forms', visitor(1))).reading, undefined);
    assert.equal((await ask('forms', { ...READER, passive: true, unread: true })).reading, undefined);
    assert.deepEqual(await rows(), []);
    const open = { ...ctx, config: { ...ctx.config, ask: { ...ctx.config.ask, access: 'on' as const } } };
    const crawled = as(open, { ...ANONYMOUS, passive: true });
    await whatsChanged(crawled, { package: 'forms', ecosystem: 'npm', from: '1.0.0', to: 'latest' });
    assert.deepEqual([await rows(), crawled.answer.degraded], [[], true]);
    assert.equal((await ask('forms')).reading?.state, 'waiting');
  });

  it('an address orders sixty new packages an hour, and is told until when it may order no more', async (t) => {
    const { ctx, clock, rows, ask } = await setUp(t);
    const items = Array.from({ length: 70 }, (_, index) => {
      return { package: `forms-${index}`, ecosystem: 'npm' as const, from: '1.0.0', to: 'latest' };
    });
    const { items: answers } = await whatsChangedBatch(as(ctx, visitor(1)), { items });
    const states = answers.map((answer) => ('reading' in answer ? answer.reading?.state : undefined));
    assert.deepEqual(
      [states.filter((state) => state === 'waiting').length, states.filter((state) => state === 'refused').length],
      [60, 10],
    );
    assert.equal((await rows()).length, 60);
    const refused = await ask('another', visitor(1));
    assert.deepEqual([refused.reading?.id, refused.reading?.retryAt], [null, '2026-03-01T13:00:00.000Z']);
    assert.equal((await ask('another', visitor(2))).reading?.state, 'waiting');
    clock.move(61 * 60_000);
    assert.equal((await ask('still-another', visitor(1))).reading?.state, 'waiting');
  });

  it('a long list leaves room: whoever asks later is served between its rows', async (t) => {
    const { ctx } = await setUp(t);
    const itemsOf = (...names: string[]) => ({
      items: names.map((name) => ({ package: name, ecosystem: 'npm' as const, from: '1.0.0', to: 'latest' })),
    });
    await whatsChangedBatch(as(ctx, visitor(1)), itemsOf('a1', 'a2', 'a3', 'a4'), 'list');
    await whatsChangedBatch(as(ctx, visitor(2)), itemsOf('b1', 'b2'), 'list');
    await whatsChangedBatch(as(ctx, visitor(1)), itemsOf('s1'), 'stack');
    await whatsChangedBatch(as(ctx, visitor(3)), itemsOf('c1'));
    const order: (string | undefined)[] = [];
    for (let job = await claim(ctx); job !== null; job = await claim(ctx)) {
      order.push(job.key.slice('reading:npm:'.length));
      await ctx.store.transaction(
        (tx) =>
          tx
            .deleteFrom('jobs')
            .where('key', '=', job?.key ?? '')
            .execute(),
        'bookkeeping',
      );
      await ctx.store.transaction(
        (tx) =>
          tx
            .updateTable('hosts')
            .set({ ready_at: job?.dueAt ?? null })
            .execute(),
        'bookkeeping',
      );
    }
    assert.deepEqual(order, ['c1', 'a1', 'b1', 'a2', 'b2', 'a3', 'a4', 's1']);
  });

  it('rows of lockfiles have a limit of their own, by the day, and so has what is downloaded, by the hour', async (t) => {
    const { registry, ctx, clock, work, ask, rows } = await setUp(t);
    const page = (start: number, count: number) => ({
      items: Array.from({ length: count }, (_, index) => {
        return { package: `row-${start + index}`, ecosystem: 'npm' as const, from: '1.0.0', to: 'latest' };
      }),
    });
    for (let start = 0; start < 600; start += 100)
      await whatsChangedBatch(as(ctx, visitor(1)), page(start, 100), 'list');
    assert.equal((await rows()).length, 500);
    assert.equal(
      (await ask('another', visitor(1))).reading?.state,
      'waiting',
      'questions of a person are counted apart',
    );
    await ctx.store.transaction((tx) => tx.deleteFrom('readings').execute(), 'bookkeeping');
    await ctx.store.transaction((tx) => tx.deleteFrom('jobs').execute(), 'bookkeeping');

    publishForms(registry);
    const { reading } = await ask('forms', visitor(2));
    await work();
    assert.equal((await readReading(ctx, reading?.id ?? '')).state, 'done');
    const limits = await ctx.store.read.selectFrom('limits').select(['key', 'count']).execute();
    const volume = limits.find(({ key }) => key === 'ask:kilobytes:ip:198.51.100.2');
    assert.ok(Number(volume?.count) > 0);
    const full = { key: volume?.key ?? '', count: 500_000 };
    await ctx.store.transaction(
      (tx) => tx.updateTable('limits').set({ count: full.count }).where('key', '=', full.key).execute(),
      'bookkeeping',
    );
    const refused = await ask('other', visitor(2));
    assert.deepEqual([refused.reading?.state, refused.reading?.retryAt], ['refused', '2026-03-01T13:00:00.000Z']);
    clock.move(61 * 60_000);
    assert.equal((await ask('other', visitor(2))).reading?.state, 'waiting');
  });

  it('a reading survives the death of its worker, and what was found stays', async (t) => {
    const { registry, clock, ctx, work, ask, rows } = await setUp(t);
    publishForms(registry);
    const { reading } = await ask('forms');
    await claim(ctx);
    await ctx.store.transaction(
      (tx) => tx.updateTable('readings').set({ state: 'running', started_at: '2026-03-01T12:00:00.000Z' }).execute(),
      'bookkeeping',
    );
    clock.move(LEASE_MS + 1000);
    assert.equal((await readReading(ctx, reading?.id ?? '')).state, 'failed', 'nobody waits longer than two minutes');
    await work();
    assert.deepEqual(
      (await rows()).map(({ id, state }) => [id, state]),
      [[reading?.id, 'done']],
    );
  });

  it('a package that was imported is read, and its paused source is left alone', async (t) => {
    const { registry, ctx, work, ask } = await setUp(t);
    publishForms(registry);
    await storeRegistry(ctx, registry, 'forms', { known: false });
    const { reading } = await ask('forms');
    assert.equal(reading?.state, 'waiting');
    await work();
    assert.equal((await ask('forms')).evidence?.status, 'compared');
  });

  it('a bare name is that of the package which a source of this name publishes, or else of the first registry', async (t) => {
    const { ctx, rows } = await setUp(t);
    const admin = as(ctx, { ...ANONYMOUS, kind: 'root', name: 'root', scope: 'admin' });
    const org = await createOrg(admin, { name: 'Lamps', slug: 'lamps', domain: 'lamps.example' });
    const url = 'https://github.com/lamps/lamp';
    const { id } = await createSource(admin, { name: 'lamp', slug: 'lamp', url, type: 'github', orgId: org.id });
    await putPackage(admin, { ecosystem: 'pypi', name: 'lamp', sourceId: id });
    for (const name of ['lamp', 'forms']) {
      await whatsChanged(as(ctx, READER), { package: name, from: '1.0.0', to: 'latest' });
    }
    assert.deepEqual((await rows()).map(({ ecosystem, name }) => `${ecosystem}:${name}`).sort(), [
      'npm:forms',
      'pypi:lamp',
    ]);
  });

  it('a private package is read at its own registry, and nobody else hears of its reading', async (t) => {
    const own = await startRegistry(t);
    publishSteps(own, '@acme/forms', { '1.0.0': ['a'], '2.0.0': [] });
    const { registry, ctx, work, ask, rows } = await setUp(t, { REGISTRY_PACKAGE_REGISTRIES: `@acme=${own.origin}` });
    const operator: Caller = { ...ANONYMOUS, kind: 'root', name: 'root', scope: 'admin' };
    assert.equal((await ask('@acme/forms', visitor(1))).reading, undefined);
    assert.deepEqual(await rows(), []);
    const { reading } = await ask('@acme/forms', operator);
    await work();
    assert.deepEqual(registry.seen, []);
    assert.equal(own.seen[0], '/@acme/forms');
    assert.equal((await readReading(as(ctx, operator), reading?.id ?? '')).state, 'done');
    await assert.rejects(readReading(as(ctx, visitor(1)), reading?.id ?? ''), { code: 'not_found' });
  });
});
