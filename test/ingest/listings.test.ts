// What package registries list, from the clock to the stored versions.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it, type TestContext } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { updateSource } from '../../src/entities/sources/update.ts';
import { LEASE_MS } from '../../src/ingest/queue/job.ts';
import { scheduleListings } from '../../src/ingest/registries/due-packages.ts';
import { readPackage } from '../../src/ingest/registries/read-package.ts';
import { storeListing } from '../../src/packages/listings/store-listing.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';
import { npmPath, npmUnpublished, pypiDocument, serveNpm } from '../support/package-documents.ts';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const DOOMED = testProgram('test/ingest/doomed-listing.ts');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function setUp(t: TestContext, engine: TestEngine, at = '2026-03-01T12:00:00.000Z') {
  const world = await startOutsideWorld();
  t.after(() => world.close());
  const clock = movableClock(at);
  const env = {
    REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_NPM_URL: world.url,
    REGISTRY_PYPI_URL: world.url,
  };
  const database = await engine.openTestDatabase();
  const { ctx } = await engine.openTestApp({ clock, env, database });
  // Sources of this type are not read here, so that only listings are.
  const follow = async (name: string, ecosystem: 'npm' | 'pypi' = 'npm') => {
    const { id } = await createSource(ctx, { fetch: false, name });
    await putPackage(ctx, { ecosystem, name, sourceId: id });
    return id;
  };
  const work = async () => {
    await scheduleListings(ctx);
    await createWorker(ctx, { tasks: createFetching() }).drain();
  };
  return { world, clock, ctx, follow, work, env: { ...database, ...env } };
}

async function stateOf(ctx: Context, id: string) {
  return await ctx.store.read.selectFrom('package_states').selectAll().where('id', '=', id).executeTakeFirst();
}

async function versionsOf(ctx: Context, name: string) {
  const rows = ctx.store.read.selectFrom('package_versions').selectAll().where('name', '=', name);
  return await rows.orderBy('version_sort').execute();
}

const hoursUntil = (clock: () => Date, at: string | null | undefined) =>
  (Date.parse(at ?? '') - clock().getTime()) / HOUR;
const isAbout = (hours: number, expected: number) => Math.abs(hours - expected) <= expected * 0.11;

forEachEngine('listings of packages', (engine) => {
  it('are read for what the map has, and again by how often versions come', async (t) => {
    const { world, clock, ctx, follow, work } = await setUp(t, engine);
    const ages = { busy: '2026-02-20', calm: '2025-09-01', silent: '2024-01-01' };
    for (const [name, day] of Object.entries(ages)) {
      await follow(name);
      serveNpm(world, { name, versions: { '1.0.0': '2023-01-01', '1.1.0': day } });
    }
    await follow('py-tool', 'pypi');
    world.route('/pypi/py-tool/json', JSON.stringify(pypiDocument('py_tool', { '1.0': { day: '2026-02-28' } })));
    await work();
    const due = async (id: string) => hoursUntil(clock, (await stateOf(ctx, id))?.next_read_at);
    for (const [id, hours] of Object.entries({ 'npm:busy': 6, 'npm:calm': 24, 'npm:silent': 168, 'pypi:py-tool': 6 })) {
      assert.ok(isAbout(await due(id), hours), `${id} ${await due(id)}`);
    }
    assert.equal((await versionsOf(ctx, 'busy')).length, 2);
    const { spelling, outcome, latest } = (await stateOf(ctx, 'pypi:py-tool')) ?? {};
    assert.deepEqual([spelling, outcome, latest], ['py_tool', 'listed', '1.0']);

    const before = world.requests.length;
    await work();
    assert.equal(world.requests.length, before, 'nothing is due');
    clock.move(7 * HOUR);
    await work();
    const again = world.requests.slice(before);
    assert.deepEqual(again.map(({ path }) => path).sort(), ['/busy', '/pypi/py-tool/json']);
    const state = await stateOf(ctx, 'npm:busy');
    assert.deepEqual([state?.listed_at, state?.checked_at], Array(2).fill(clock().toISOString()));
    assert.ok(isAbout(await due('npm:busy'), 6));
  });

  it('are not asked for by an import, and no more when the map forgets them', async (t) => {
    const { world, clock, ctx, follow, work } = await setUp(t, engine);
    const imported = await createSource(ctx, { fetchPriority: 'paused', fetch: false });
    await putPackage(ctx, { ecosystem: 'npm', name: 'sample', sourceId: imported.id });
    await follow('known');
    serveNpm(world, { name: 'known', versions: { '1.0.0': '2026-02-20' } });
    serveNpm(world, { name: 'sample', versions: { '1.0.0': '2026-02-20' } });
    await work();
    assert.equal(world.requested('/sample').length, 0);
    await ctx.store.transaction((tx) => tx.deleteFrom('packages').where('name', '=', 'known').execute(), 'catalog');
    clock.move(2 * DAY);
    const asked = world.requests.length;
    await work();
    assert.deepEqual([(await stateOf(ctx, 'npm:known'))?.next_read_at, world.requests.length], [null, asked]);
    await updateSource(ctx, { src: imported.id }, { fetchPriority: 'low', nextFetchAfter: '2027-01-01T00:00:00.000Z' });
    await work();
    assert.equal((await stateOf(ctx, 'npm:sample'))?.outcome, 'listed');
  });

  it('are read at once after a release, but a package not twice in ten minutes', async (t) => {
    const { world, clock, ctx, follow, work } = await setUp(t, engine);
    const sourceId = await follow('core');
    serveNpm(world, { name: 'core', versions: { '1.0.0': '2026-02-20' } });
    await work();
    assert.equal((await versionsOf(ctx, 'core'))[0]?.release_id, null);
    const { insertedIds } = await postReleases(ctx, sourceId, [releaseRow('1.0.0')]);
    assert.equal((await versionsOf(ctx, 'core'))[0]?.release_id, insertedIds[0], 'the version finds its release');
    const asked = world.requested('/core').length;
    await work();
    assert.equal(world.requested('/core').length, asked, 'it was read a moment ago');
    clock.move(11 * MINUTE);
    await work();
    assert.equal(world.requested('/core').length, asked + 1);
    clock.move(HOUR);
    await postReleases(ctx, sourceId, [releaseRow('1.1.0')]);
    await work();
    assert.equal(world.requested('/core').length, asked + 2);
  });

  it('keep the old one whatever a registry answers, and say since when it fails', async (t) => {
    const { world, clock, ctx, follow, work } = await setUp(t, engine);
    for (const name of ['lib', 'taken']) {
      await follow(name);
      serveNpm(world, { name, versions: { '1.0.0': '2026-02-20', '1.1.0': '2026-02-21' } });
    }
    await work();
    const since = new Date(clock().getTime() + 8 * HOUR).toISOString();
    clock.move(8 * HOUR);
    world.route('/lib', { status: 404, body: '{"error":"Not found"}' });
    world.route('/taken', ({ headers }) =>
      String(headers.accept).includes('install') ? { status: 404 } : JSON.stringify(npmUnpublished('taken')),
    );
    await work();
    const kept = async () => (await versionsOf(ctx, 'lib')).map((row) => row.withdrawn);
    const state = await stateOf(ctx, 'npm:lib');
    assert.deepEqual([state?.outcome, state?.reason, state?.failing_since], ['not_found', 'http 404', since]);
    assert.ok(isAbout(hoursUntil(clock, state?.next_read_at), 0.5));
    assert.deepEqual(await kept(), [0, 0]);
    // Its owner took it back, which the registry says.
    assert.deepEqual(
      (await versionsOf(ctx, 'taken')).map((row) => row.withdrawn),
      [1, 1],
    );
    assert.equal((await stateOf(ctx, 'npm:taken'))?.outcome, 'unpublished');
    clock.move(4 * HOUR);
    world.route('/lib', '<html>nonsense</html>');
    await work();
    const later = await stateOf(ctx, 'npm:lib');
    assert.deepEqual([later?.outcome, later?.failing_since, await kept()], ['unreadable', since, [0, 0]]);
    assert.ok(isAbout(hoursUntil(clock, later?.next_read_at), 4));
    clock.move(5 * HOUR);
    serveNpm(world, { name: 'lib', versions: { '1.1.0': '2026-02-21' } });
    await work();
    const well = await stateOf(ctx, 'npm:lib');
    assert.deepEqual([well?.outcome, well?.failing_since, well?.reason, await kept()], ['listed', null, null, [1, 0]]);
  });

  it('do not count as failed when the worker stops in the middle of a request', async (t) => {
    const { world, ctx, follow } = await setUp(t, engine);
    await follow('slow');
    await scheduleListings(ctx);
    const stop = new AbortController();
    world.route('/slow', () => {
      stop.abort();
      return { hang: true };
    });
    const before = (await stateOf(ctx, 'npm:slow')) ?? assert.fail();
    const registry = { ecosystem: 'npm' as const, scope: null, url: world.url, token: null };
    await readPackage(ctx, { state: before, registry, signal: stop.signal });
    assert.equal(world.requested('/slow').length, 1);
    assert.deepEqual(await stateOf(ctx, 'npm:slow'), before);
  });

  it('leave a registry alone that asks to wait, or that refuses one package after the other', async (t) => {
    const { world, clock, ctx, follow, work } = await setUp(t, engine);
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await follow(name);
      world.route(`/${name}`, { status: 429, headers: { 'Retry-After': '3600' } });
    }
    await work();
    await work();
    assert.equal(world.requests.length, 1);
    clock.move(HOUR + MINUTE);
    for (const name of ['a', 'b', 'c', 'd', 'e']) world.route(`/${name}`, { status: 401 });
    await work();
    await work();
    assert.equal(world.requests.length, 4);
    const failing = await ctx.store.read.selectFrom('package_states').select('outcome').execute();
    assert.equal(failing.filter(({ outcome }) => outcome === 'refused').length, 3);
  });

  it('are whole or not at all when the worker is killed in the middle of one', async (t) => {
    const { world, clock, ctx, follow, work, env } = await setUp(t, engine, new Date().toISOString());
    await follow('core');
    await scheduleListings(ctx);
    const old = { version: '0.9.0', publishedAt: null, withdrawn: false, withdrawnReason: null };
    await transact(ctx, (ctx) =>
      storeListing(ctx, {
        ecosystem: 'npm',
        spelling: 'core',
        registry: null,
        latest: '0.9.0',
        repository: null,
        homepage: null,
        versions: [{ ...old, deprecated: null, tarballUrl: null, integrity: null }],
      }),
    );
    const days = Array.from({ length: 300 }, (_, index) => [`1.${index}.0`, '2026-01-05']);
    serveNpm(world, { name: 'core', versions: Object.fromEntries(days) });
    const child = spawn(process.execPath, [...NODE_FLAGS, DOOMED], {
      env: { ...process.env, ...env, REGISTRY_LOG_LEVEL: 'silent', REGISTRY_EMBEDDER: 'off' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    assert.ok(world.requested(npmPath('core')).length > 0, 'the listing was read');
    const left = await versionsOf(ctx, 'core');
    assert.deepEqual(
      left.map((row) => [row.version, row.withdrawn]),
      [['0.9.0', 0]],
    );
    assert.equal((await stateOf(ctx, 'npm:core'))?.latest, '0.9.0');

    clock.move(LEASE_MS + MINUTE);
    await work();
    const rows = await versionsOf(ctx, 'core');
    assert.deepEqual([rows.length, rows.filter((row) => row.withdrawn === 1).length], [301, 1]);
  });
});
