// Tokens that are bound to a part of the registry, at every route that needs a scope.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { SCOPES } from '../../src/contract/caller.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

const GATED = ROUTES.filter(({ access }) => access !== 'public' && SCOPES.some((scope) => scope === access));

type Place = Awaited<ReturnType<typeof createPlace>>;

async function createPlace(ctx: Context) {
  const org = await createOrg(ctx);
  const product = await createProduct(ctx, String(org.id));
  const source = await createSource(ctx, { orgId: String(org.id), productId: String(product.id) });
  const { insertedIds } = await postReleases(ctx, String(source.id), [releaseRow('1.0.0'), releaseRow('1.1.0')]);
  return { org: org.id, product: product.id, src: source.id, prod: product.id, source: source.id, rel: insertedIds[0] };
}

// The path of a route whose parameters name the entries of a place.
function pathIn(place: Place, path: string): string {
  const named: Record<string, unknown> = { ...place };
  return `/v1${path.replaceAll(/\{(\w+)\}/g, (_, name) => String(named[name] ?? 'x'))}`;
}

async function everything({ store }: Context, { src, org, product }: Place): Promise<string> {
  const outside = [
    await store.read.selectFrom('orgs').selectAll().where('id', '!=', String(org)).orderBy('id').execute(),
    await store.read.selectFrom('products').selectAll().where('id', '!=', String(product)).orderBy('id').execute(),
    await store.read.selectFrom('sources').selectAll().where('id', '!=', String(src)).orderBy('id').execute(),
    await store.read.selectFrom('releases').selectAll().where('source_id', '!=', String(src)).orderBy('id').execute(),
    await store.read.selectFrom('tags').selectAll().orderBy('id').execute(),
    await store.read.selectFrom('collections').selectAll().orderBy('id').execute(),
  ];
  return JSON.stringify(outside);
}

forEachEngine('bound tokens', (engine) => {
  async function open() {
    const app = await engine.openTestApp();
    const { ctx } = app;
    const service = await startService(app, { verifyAnswers: false });
    const bind = async (scope: string, to: object) =>
      service.as((await service.root.post('/v1/tokens', { name: 'bound', scopes: [scope], ...to })).body.token);
    return { ctx, service, bind, inside: await createPlace(ctx), outside: await createPlace(ctx) };
  }

  it('are refused at every gated route outside, and touch nothing outside from within', async () => {
    const { ctx, bind, inside, outside } = await open();
    const writer = await bind('write', { org: inside.org });
    const publisher = await bind('publish', { source: inside.src });
    const before = await everything(ctx, inside);
    assert.ok(GATED.length > 80);

    for (const { method, path } of GATED.filter(({ path }) => path !== '/publish')) {
      for (const holder of [writer, publisher]) {
        const { status, body } = await holder.request(method, pathIn(outside, path), method === 'GET' ? undefined : {});
        assert.deepEqual([status, body?.error?.code], [403, 'insufficient_scope'], `${method} ${path}`);
      }
      const within = await publisher.request(method, pathIn(inside, path), method === 'GET' ? undefined : {});
      assert.equal(within.status, 403, `to publish is not ${method} ${path}`);
    }
    // What destroys comes last, so that all others still find their entries.
    const order = GATED.filter(({ path }) => !/fetch$|probe$/.test(path)).sort(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    const bodies = [
      { orgId: outside.org, productId: outside.product },
      { orgSlug: 'x', tags: ['new'], domain: 'taken.example', featured: true },
      { releaseIds: [outside.rel], coverageIds: [outside.rel], releases: [{ title: 'x', guid: outside.rel }] },
    ];
    for (const { method, path } of order.filter(({ method }) => method !== 'GET')) {
      for (const body of bodies) await writer.request(method, pathIn(inside, path), body);
    }
    assert.equal(await everything(ctx, inside), before);
  });

  it('write within, read like anybody elsewhere, and open no operator area', async () => {
    const { service, bind, inside, outside } = await open();
    const ofOrg = await bind('write', { org: inside.org });
    const ofProduct = await bind('write', { product: inside.product });
    const ofSource = await bind('write', { source: inside.src });

    for (const holder of [ofOrg, ofProduct, ofSource]) {
      const released = await holder.post(`/v1/sources/${inside.src}/releases`, { version: '2.0.0', content: 'x' });
      assert.ok([200, 201].includes(released.status), released.text);
      assert.equal((await holder.patch(`/v1/releases/${inside.rel}`, { title: 'One' })).status, 200);
      assert.equal((await holder.get(`/v1/sources/${outside.src}`)).status, 200);
    }
    assert.equal((await ofOrg.patch(`/v1/orgs/${inside.org}`, { description: 'Makes tools' })).status, 200);
    assert.equal((await ofProduct.patch(`/v1/products/${inside.prod}`, { description: 'A tool' })).status, 200);
    assert.equal((await ofProduct.patch(`/v1/orgs/${inside.org}`, { description: 'x' })).status, 403);
    assert.equal((await ofSource.patch(`/v1/products/${inside.prod}`, { description: 'x' })).status, 403);
    await service.root.patch(`/v1/sources/${outside.src}`, { isHidden: true });
    assert.equal((await ofOrg.get(`/v1/sources/${outside.src}`)).status, 404);
    const { body } = await ofSource.get('/v1/tokens/me');
    assert.deepEqual([body.scopes, body.bound], [['write'], { type: 'source', id: inside.src }]);
  });

  it('have a scope that fits, and keep it within their bound', async () => {
    const { service, inside } = await open();
    const { root } = service;
    const source = inside.src;
    const refused = [
      { scopes: ['publish'] },
      { scopes: ['admin'], source },
      { scopes: ['read'], source },
      { scopes: ['write'], source, org: inside.org },
    ];
    for (const body of refused) {
      assert.equal((await root.post('/v1/tokens', { name: 'x', ...body })).status, 400, JSON.stringify(body));
    }
    assert.equal((await root.post('/v1/tokens', { name: 'x', scopes: ['write'], source: 'no/such' })).status, 404);
    const minted = await root.post('/v1/tokens', { name: 'x', scopes: ['publish'], source });
    assert.deepEqual(minted.body.bound, { type: 'source', id: source });
    assert.equal((await root.patch(`/v1/tokens/${minted.body.id}`, { scopes: ['admin'] })).status, 400);
    assert.equal((await root.post(`/v1/tokens/${minted.body.id}/revoke`)).body.active, false);
    assert.equal((await service.as(minted.body.token).get('/v1/tokens/me')).status, 401);
  });
});
