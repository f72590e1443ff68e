import assert from 'node:assert/strict';
import { it } from 'node:test';
import { transact } from '../../src/context.ts';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { createProduct } from '../../src/entities/products/create.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { setFormerNames } from '../../src/entities/sources/former-names.ts';
import { lookupRoutes } from '../../src/http/routes/lookups.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

async function open(engine: TestEngine) {
  const app = await engine.openTestApp();
  const { ctx } = app;
  const acme = await createOrg(ctx, { name: 'Acme', slug: 'acme', domain: 'acme.dev', aliases: ['acme.io'] });
  const beta = await createOrg(ctx, { name: 'Beta', slug: 'beta' });
  const service = await startService(app, { routes: lookupRoutes });
  const source = (orgId: string | undefined, name: string, more: { url?: string; isHidden?: boolean } = {}) =>
    createSource(ctx, { name, url: `https://example.com/${name}`, orgId, ...more });
  return { ctx, acme, beta, source, get: service.anonymous.get, asRoot: service.root.get };
}

forEachEngine('lookup routes', (engine) => {
  it('by-domain: the org by its own domain or an alias, and products that carry the domain', async () => {
    const { ctx, acme, beta, get } = await open(engine);
    await createProduct(ctx, { name: 'Zed', orgId: acme.id, aliases: ['acme.io', 'zed.dev'] });
    await createProduct(ctx, { name: 'Atlas', orgId: beta.id, aliases: ['acme.io'], kind: 'sdk' });
    await createProduct(ctx, { name: 'Hidden', orgId: beta.id, aliases: ['acme.io', 'hidden.dev'], isHidden: true });
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('release_locations')
          .values({
            id: 'loc_1',
            org_id: acme.id,
            github: 'acme/engine',
            canonical: 1,
            basis: 'declared',
            match_key: 'github acme/engine',
            created_at: acme.createdAt,
            updated_at: acme.createdAt,
          } as never)
          .execute(),
      'catalog',
    );

    const primary = await get('/v1/lookups/by-domain?domain=https%3A%2F%2Fwww.Acme.dev%2Fx');
    const alias = await get('/v1/lookups/by-domain?domain=acme.io');
    const productOnly = await get('/v1/lookups/by-domain?domain=zed.dev');
    const refused = await Promise.all(
      ['?domain=localhost', '', '?domain=hidden.dev', '?domain=nobody.dev'].map((query) =>
        get(`/v1/lookups/by-domain${query}`),
      ),
    );

    assert.deepEqual([primary.body.domain, primary.body.org.matchedVia], ['acme.dev', 'primary']);
    assert.deepEqual(primary.body.org.locations, [
      { github: 'acme/engine', canonical: true, basis: 'declared', productId: null, sourceId: null },
    ]);
    assert.deepEqual([alias.body.org.id, alias.body.org.matchedVia], [acme.id, 'alias']);
    assert.deepEqual(
      alias.body.products.map((one: { slug: string; orgSlug: string; kind: string }) => [
        one.slug,
        one.orgSlug,
        one.kind,
      ]),
      [
        ['atlas', 'beta', 'sdk'],
        ['zed', 'acme', null],
      ],
    );
    assert.deepEqual([productOnly.body.org, productOnly.body.products.length], [null, 1]);
    assert.deepEqual(
      refused.map(({ status, body }) => `${status} ${body.error.code}`),
      ['400 bad_request', '400 bad_request', '404 not_found', '404 not_found'],
    );
  });

  it('source-by-slug: one home, a writer also finds a hidden one, several are a conflict', async () => {
    const { acme, beta, source, get, asRoot } = await open(engine);
    const path = (slug: string) => `/v1/lookups/source-by-slug?slug=${slug}`;
    const only = await source(acme.id, 'only');
    const hidden = await source(acme.id, 'hidden', { isHidden: true });
    const shared = [
      await source(undefined, 'shared'),
      await source(beta.id, 'shared'),
      await source(acme.id, 'shared'),
    ];
    await source(beta.id, 'only', { isHidden: true });

    const found = await get(path('only'));
    const foundByWriter = await asRoot(path('only'));
    const hiddenForAll = await get(path('hidden'));
    const hiddenForWriter = await asRoot(path('hidden'));
    const ambiguous = await get(path('shared'));
    const missing = await get('/v1/lookups/source-by-slug?slug=');

    assert.deepEqual(found.body, { sourceId: only.id, sourceSlug: 'only', orgSlug: 'acme' });
    assert.deepEqual(foundByWriter.body, found.body);
    assert.equal(hiddenForAll.status, 404);
    assert.equal(hiddenForWriter.body.sourceId, hidden.id);
    assert.deepEqual([ambiguous.status, ambiguous.body.error.code], [409, 'ambiguous_slug']);
    assert.deepEqual(
      ambiguous.body.error.details.candidates.map((one: { orgSlug: string; sourceId: string }) => [
        one.orgSlug,
        one.sourceId,
      ]),
      [
        ['acme', shared[2]?.id],
        ['beta', shared[1]?.id],
        [null, shared[0]?.id],
      ],
    );
    assert.deepEqual([missing.status, missing.body.error.code], [400, 'bad_request']);
  });

  it('product-by-slug: the same for products', async () => {
    const { ctx, acme, beta, get, asRoot } = await open(engine);
    const path = (slug: string) => `/v1/lookups/product-by-slug?slug=${slug}`;
    const engineProduct = await createProduct(ctx, { name: 'Engine', orgId: acme.id });
    await createProduct(ctx, { name: 'Secret', orgId: acme.id, isHidden: true });
    for (const orgId of [acme.id, beta.id]) await createProduct(ctx, { name: 'Shared', orgId });

    const found = await get(path('engine'));

    assert.deepEqual(found.body, { productId: engineProduct.id, productSlug: 'engine', orgSlug: 'acme' });
    assert.deepEqual([(await get(path('secret'))).status, (await asRoot(path('secret'))).status], [404, 200]);
    assert.equal((await get(path('shared'))).body.error.code, 'ambiguous_slug');
  });

  it('source-by-coordinate: any case, with or without host, and by a former name', async () => {
    const { ctx, acme, source, get } = await open(engine);
    const path = (text: string) => `/v1/lookups/source-by-coordinate?coordinate=${encodeURIComponent(text)}`;
    const renamed = await source(acme.id, 'renamed', { url: 'https://github.com/Acme/New_Name' });
    const other = await source(acme.id, 'other', { url: 'https://github.com/acme/other' });
    await source(acme.id, 'hidden', { url: 'https://github.com/acme/hidden', isHidden: true });
    await transact(ctx, (inner) => setFormerNames(inner, renamed.id, ['acme/old_name', 'acme/other']));

    const ids = await Promise.all(
      ['acme/new_name', 'github:ACME/New_Name', 'Acme/old_name', 'acme/other'].map(
        async (text) => (await get(path(text))).body.sourceId,
      ),
    );
    const refused = await Promise.all(
      ['acme', 'https://github.com/acme/other', 'a/b/c', 'acme/hidden', 'acme/oldxname', 'acme/old'].map((text) =>
        get(path(text)),
      ),
    );

    assert.deepEqual(ids, [renamed.id, renamed.id, renamed.id, other.id]);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 404, 404, 404],
    );
  });

  it('package: by normalised name, of visible sources', async () => {
    const { ctx, acme, source, get } = await open(engine);
    const visible = await source(acme.id, 'visible');
    const hidden = await source(acme.id, 'hidden', { isHidden: true });
    await putPackage(ctx, { ecosystem: 'pypi', name: 'Zope.Interface', sourceId: visible.id, packagePart: 'zope' });
    await putPackage(ctx, { ecosystem: 'npm', name: 'secret', sourceId: hidden.id });
    const path = (query: string) => `/v1/lookups/package?${query}`;

    const found = await get(path('ecosystem=pypi&name=zope_interface'));
    const refused = await Promise.all(
      [
        'name=zope',
        'ecosystem=cargo&name=zope',
        'ecosystem=npm',
        'ecosystem=npm&name=zope_interface',
        'ecosystem=npm&name=secret',
      ].map((query) => get(path(query))),
    );

    assert.deepEqual(found.body, {
      ecosystem: 'pypi',
      name: 'zope-interface',
      sourceId: visible.id,
      sourceSlug: 'visible',
      orgSlug: 'acme',
      packagePart: 'zope',
    });
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 404, 404],
    );
  });
});
