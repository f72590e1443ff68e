// Adding a repository that a lookup has already read.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const URL = 'https://github.com/Acme/Engine';

forEachEngine('a repository that a lookup holds', (engine) => {
  async function setUp() {
    const app = await engine.openTestApp();
    const { ctx } = app;
    const hidden = await createOrg(ctx, { name: 'acme-owner', isHidden: true });
    const on = { orgId: hidden.id, type: 'github', isHidden: true, discovery: 'on_demand' } as const;
    const held = await createSource(ctx, { name: 'Engine', url: URL, ...on });
    await postReleases(ctx, held.id, [releaseRow('1.0.0')], { silent: true });
    return { ctx, hidden, held, service: await startService(app) };
  }

  it('is taken over: the same source, visible, in the named org, its releases without events', async () => {
    const { ctx, hidden, held, service } = await setUp();
    const org = await createOrg(ctx, { name: 'Acme' });
    const body = { name: 'Acme Engine', url: 'https://github.com/acme/engine/', orgSlug: org.slug, kind: 'sdk' };

    const { status, body: source } = await service.root.post('/v1/sources', body);

    assert.equal(status, 201);
    assert.deepEqual(
      [source.id, source.adopted, source.name, source.slug],
      [held.id, true, 'Acme Engine', 'acme-engine'],
    );
    assert.deepEqual([source.org.id, source.isHidden, source.discovery], [org.id, false, 'curated']);
    assert.deepEqual([source.fetchPriority, source.kind], ['normal', 'sdk']);
    assert.equal((await ctx.store.read.selectFrom('sources').select('id').execute()).length, 1);
    assert.deepEqual(await ctx.store.read.selectFrom('events').selectAll().execute(), []);
    const feed = await service.anonymous.get(`/v1/orgs/${org.id}/releases`);
    assert.deepEqual(
      feed.body.releases.map(({ version }: { version: string }) => version),
      ['1.0.0'],
    );
    assert.equal(
      (await service.anonymous.get(`/v1/orgs/${hidden.id}`)).status,
      404,
      'the org of the lookup stays hidden',
    );

    const second = await service.root.post('/v1/sources', { ...body, name: 'Again' });
    assert.deepEqual([second.status, second.body.adopted, second.body.id === held.id], [201, undefined, false]);
    assert.match(second.body.warning, new RegExp(held.id));
  });

  it('stays in its own org, which is shown with it, where no other is named', async () => {
    const { hidden, held, service } = await setUp();

    const { body } = await service.root.post('/v1/sources', { name: 'Engine', url: URL, isPrimary: true });

    assert.deepEqual([body.id, body.org.id, body.isPrimary], [held.id, hidden.id, true]);
    assert.equal((await service.anonymous.get(`/v1/orgs/${hidden.id}`)).status, 200);
  });

  it('is left alone by a source of another type, and by one of another repository', async () => {
    const { held, service } = await setUp();

    const feed = await service.root.post('/v1/sources', { name: 'News', url: URL, type: 'feed' });
    const other = await service.root.post('/v1/sources', { name: 'Other', url: `${URL}-2` });

    for (const { body } of [feed, other]) assert.deepEqual([body.adopted, body.id === held.id], [undefined, false]);
  });
});
