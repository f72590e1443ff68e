import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { packageRoutes } from '../../src/http/routes/packages.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

async function open(engine: TestEngine) {
  const app = await engine.openTestApp();
  const { ctx } = app;
  const { id: orgId } = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
  const one = await createSource(ctx, { name: 'One', url: 'https://acme.dev/1', orgId });
  const two = await createSource(ctx, { name: 'Two', url: 'https://acme.dev/2' });
  return { ctx, one, two, ...(await startService(app, { routes: packageRoutes })) };
}

forEachEngine('package routes', (engine) => {
  it('an entry is made, replaced under its id, and deleted', async () => {
    const { one, two, root } = await open(engine);

    const made = await root.put('/v1/packages', {
      ecosystem: 'pypi',
      name: 'My_Pkg',
      sourceId: one.id,
      packagePart: 'my',
    });
    const replaced = await root.put('/v1/packages', {
      ecosystem: 'pypi',
      name: 'my-pkg',
      sourceId: two.id,
      packagePart: null,
    });
    const gone = await root.delete(`/v1/packages/${made.body.id}`);
    const again = await root.delete(`/v1/packages/${made.body.id}`);

    assert.deepEqual(
      [made.status, made.body.name, made.body.origin, made.body.orgSlug],
      [201, 'my-pkg', 'operator', 'acme'],
    );
    assert.equal(made.headers.get('location'), `/v1/packages/${made.body.id}`);
    assert.equal(replaced.status, 200);
    assert.deepEqual(
      [replaced.body.id, replaced.body.sourceSlug, replaced.body.packagePart, replaced.body.orgSlug],
      [made.body.id, 'two', null, null],
    );
    assert.deepEqual(gone.body, { deleted: true });
    assert.deepEqual([again.status, again.body.error.code], [404, 'not_found']);
  });

  it('one entry for 20 callers', async () => {
    const { one, root } = await open(engine);
    const entry = { ecosystem: 'npm', name: '@acme/one', sourceId: one.id };

    const answers = await Promise.all(Array.from({ length: 20 }, () => root.put('/v1/packages', entry)));

    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  });

  it('ingest adds entries but never changes an operator’s', async () => {
    const { ctx, one, two } = await open(engine);
    const said = await putPackage(ctx, { ecosystem: 'npm', name: 'one', sourceId: one.id });

    const reported = await putPackage(ctx, { ecosystem: 'npm', name: 'one', sourceId: two.id, origin: 'ingest' });
    const added = await putPackage(ctx, { ecosystem: 'npm', name: 'two', sourceId: two.id, origin: 'ingest' });

    assert.deepEqual(reported, { entry: said.entry, created: false });
    assert.deepEqual([added.created, added.entry.origin], [true, 'ingest']);
  });

  it('the list by filters, entries of visible sources only', async () => {
    const { ctx, one, two, anonymous, root } = await open(engine);
    const secret = await createSource(ctx, { name: 'Secret', url: 'https://acme.dev/3', isHidden: true });
    await putPackage(ctx, { ecosystem: 'pypi', name: 'a.b', sourceId: one.id });
    await putPackage(ctx, { ecosystem: 'npm', name: 'a.b', sourceId: two.id, origin: 'ingest' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'zed', sourceId: secret.id });
    const names = async (query: string, as = anonymous) =>
      (await as.get(`/v1/packages?${query}`)).body.items.map((item: { name: string }) => item.name);

    assert.deepEqual(await names(''), ['a.b', 'a-b']);
    assert.deepEqual(await names('name=A.B'), ['a.b', 'a-b']);
    assert.deepEqual(await names('name=a_b'), ['a-b']);
    assert.deepEqual(await names('ecosystem=pypi'), ['a-b']);
    assert.deepEqual(await names('source=two'), ['a.b']);
    assert.deepEqual(await names(`source=${one.id}&origin=operator`), ['a-b']);
    assert.deepEqual(await names('source=nobody'), []);
    assert.deepEqual(await names('include_hidden=true', root), ['a.b', 'zed', 'a-b']);
    assert.equal((await anonymous.get('/v1/packages?ecosystem=cargo')).body.error.code, 'bad_request');
  });

  it('refuse entries that name no package, no credential, and sources and entries that are not there', async () => {
    const { one, root, anonymous } = await open(engine);
    const entry = { ecosystem: 'npm', name: 'one', sourceId: one.id };

    const answers = [
      await root.put('/v1/packages', { ...entry, ecosystem: 'github' }),
      await root.put('/v1/packages', { ...entry, source: one.id }),
      await root.put('/v1/packages', { ...entry, name: '' }),
      await anonymous.put('/v1/packages', entry),
      await root.put('/v1/packages', { ...entry, sourceId: 'one' }),
      await root.delete('/v1/packages/pkg_nothing'),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      [...Array(3).fill('400 validation_failed'), '401 unauthorized', '404 not_found', '404 not_found'],
    );
    assert.equal(answers[4]?.body.error.details.field, 'sourceId');
  });
});
