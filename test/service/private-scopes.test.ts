// What is left of a private registry after an admission has ended, and after its removal: nothing, but that its scope was
// private.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { addressOf, registryAddresses } from '../../src/ingest/registries/addresses.ts';
import { scheduleListings } from '../../src/ingest/registries/due-packages.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld } from '../insight/upgrade-world.ts';
import { signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { startOutsideWorld } from '../support/outside-world.ts';
import { npmPath, serveNpm } from '../support/package-documents.ts';

const NAME = '@walled/ledger-forms';
const signal = new AbortController().signal;

forEachEngine('scopes of private registries', (engine) => {
  it('leave nothing in stacks when an admission ends or the registry goes, and stay closed until made public', async (t) => {
    const outside = await startOutsideWorld();
    t.after(() => outside.close());
    for (const name of [NAME, '@walled/other']) serveNpm(outside, { name, versions: { '9.0.0': '2026-01-05' } });
    const env = { REGISTRY_NPM_URL: outside.url, REGISTRY_EGRESS_ALLOW: '127.0.0.0/8', REGISTRY_HOST_DELAY_MS: '0' };
    const world = await openUpgradeWorld(engine, { env });
    const { ctx, service } = world;
    const { root } = service;
    const [leaving, staying] = [await signUp(service), await signUp(service)];
    const put = (accounts: readonly string[]) =>
      root.put('/v1/admin/package-registries', { scope: '@walled', url: 'https://npm.walled.example', accounts });
    assert.equal((await put([leaving.id, staying.id])).status, 200);
    const source = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '2.0.0', content: '### Breaking changes\n- `sealedWord` was removed.' },
    ]);
    await putPackage(ctx, { ecosystem: 'npm', name: NAME, sourceId: source.id });
    await listPublished(ctx, NAME, ['1.0.0', '2.0.0'], { registry: '@walled' });
    const packages = [{ ecosystem: 'npm', package: NAME, version: '1.0.0' }];
    for (const { session } of [leaving, staying]) {
      assert.equal((await session.put('/v1/me/stacks/web', { packages })).status, 201);
    }
    await judgeStale(ctx, { signal });
    const stored = async () => JSON.stringify(await ctx.store.read.selectFrom('stack_packages').selectAll().execute());
    const told = async ({ session }: typeof leaving) =>
      (await session.get('/v1/me/stacks/web/report')).text.includes('sealedWord');
    assert.equal((await stored()).split('sealedWord').length - 1 > 1, true);

    await put([staying.id]);

    const rows = await ctx.store.read
      .selectFrom('stack_packages')
      .select(['answer', 'target', 'judged_at'])
      .where('answer', 'is', null)
      .execute();
    assert.deepEqual(rows, [{ answer: null, target: null, judged_at: null }]);
    assert.deepEqual([await told(leaving), await told(staying)], [false, true]);

    assert.equal((await root.delete('/v1/admin/package-registries/%40walled')).status, 204);

    assert.doesNotMatch(await stored(), /sealedWord/);
    assert.deepEqual([await told(leaving), await told(staying)], [false, false]);
    assert.deepEqual((await root.get(`/v1/packages?name=${encodeURIComponent(NAME)}`)).body.items, []);
    // The stacks still name it, and an operator may map it again: nobody asks the public registry for it all the same.
    await putPackage(ctx, { ecosystem: 'npm', name: '@walled/other', sourceId: source.id });
    await scheduleListings(ctx);
    await scheduleListings(ctx);
    await createWorker(ctx, { tasks: createFetching() }).drain();
    const read = (name: string) => root.post('/v1/admin/packages/read', { ecosystem: 'npm', name });
    assert.deepEqual([(await read(NAME)).status, (await read('@walled/unheard')).status], [404, 404]);
    assert.equal((await root.post('/v1/lookups', { ecosystem: 'npm', package: NAME })).body.status, 'not_found');
    const asPart = { ecosystem: 'npm', name: '@walled/needed', registry: null } as const;
    assert.equal(addressOf(await registryAddresses(ctx), asPart), null, 'nor as a dependency of another package');
    assert.deepEqual(
      outside.requests.map(({ path }) => path).filter((path) => path.includes('walled')),
      [],
    );
    for (const client of [service.anonymous, leaving.session, staying.session]) {
      const { body } = await client.get(`/v1/packages?name=${encodeURIComponent('@walled/other')}`);
      assert.deepEqual(body.items, []);
    }
    const listed = (await root.get('/v1/admin/package-registries')).body.items;
    const { origin, url } = listed.find(({ scope }: { scope: string | null }) => scope === '@walled');
    assert.deepEqual([origin, url], ['removed', '']);

    assert.equal((await root.delete('/v1/admin/package-registries/%40walled')).status, 404);
    assert.equal((await root.delete('/v1/admin/package-registries/%40walled?public=true')).status, 204);
    assert.equal((await read(NAME)).body.outcome, 'listed');
    assert.ok(outside.requested(npmPath(NAME)).length > 0);
  });

  it('stay closed when the environment names their registry no more', async () => {
    const database = await engine.openTestDatabase();
    const named = await engine.openTestApp({
      database,
      env: { REGISTRY_PACKAGE_REGISTRIES: '@walled=https://npm.walled.example' },
    });
    await scheduleListings(named.ctx);
    const { ctx } = await engine.openTestApp({ database });
    const asked = { ecosystem: 'npm', name: NAME, registry: null } as const;
    assert.equal(addressOf(await registryAddresses(ctx), asked), null);
    assert.notEqual(addressOf(await registryAddresses(ctx), { ...asked, name: '@open/forms' }), null);
  });
});
