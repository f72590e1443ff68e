import assert from 'node:assert/strict';
import { it } from 'node:test';
import { collectionWriteRoutes } from '../../src/http/routes/collection-writes.ts';
import { collectionRoutes } from '../../src/http/routes/collections.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { addReleases, makeOrg, makeProduct, makeSource } from '../support/named.ts';
import { startService } from '../support/service.ts';

async function open(engine: TestEngine) {
  const app = await engine.openTestApp();
  const { ctx } = app;
  const acme = await makeOrg(ctx, { slug: 'acme', domain: 'acme.example' });
  const one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
  await addReleases(ctx, await makeSource(ctx, { slug: 's', orgId: acme.id, productId: one.id }), ['1.0.0', '1.1.0']);
  const service = await startService(app, { routes: [...collectionRoutes, ...collectionWriteRoutes] });
  return { ctx, acme, one, ...service };
}

const codes = (answers: readonly { status: number; body: { error?: { code: string } } }[]) =>
  answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`);

forEachEngine('collection routes', (engine) => {
  it('201, 200 and 204 of a collection and its members', async () => {
    const { root, anonymous, acme, one } = await open(engine);

    const made = await root.post('/v1/collections', { name: ' Web ', description: null, ignored: 1 });
    const added = await root.post('/v1/collections/web/members', { orgSlug: 'acme' });
    const product = await root.post(`/v1/collections/${made.body.id}/members`, { productId: one.id, position: 9 });
    const replaced = await root.put('/v1/collections/web/members', { orgs: [{ productSlug: 'one', orgId: acme.id }] });
    const changed = await root.patch('/v1/collections/web', { slug: 'net', isFeatured: true });
    const list = await anonymous.get('/v1/collections?featured=true&limit=1');
    const bare = await anonymous.get('/v1/collections?envelope=false');
    const detail = await anonymous.get('/v1/collections/net');
    const ofProduct = await anonymous.get(`/v1/products/${one.id}/collections`);
    const scoped = await anonymous.get('/v1/orgs/acme/products/one/collections');
    const removed = await root.delete(`/v1/collections/net/members/products/${one.id}`);
    const deleted = await root.delete('/v1/collections/net');

    assert.deepEqual([made.status, made.headers.get('location')], [201, '/v1/collections/web']);
    assert.deepEqual([made.body.name, made.body.description, made.body.isFeatured], ['Web', null, false]);
    assert.deepEqual(
      [added.status, added.headers.get('location'), added.body],
      [201, '/v1/collections/web', { collectionSlug: 'web', kind: 'org', orgId: acme.id, position: 0 }],
    );
    assert.deepEqual(product.body, { collectionSlug: 'web', kind: 'product', productId: one.id, position: 9 });
    assert.deepEqual(replaced.body, {
      collectionSlug: 'web',
      members: [{ kind: 'product', productId: one.id, position: 0 }],
    });
    assert.deepEqual([changed.status, changed.body.slug], [200, 'net']);
    assert.deepEqual([list.body.items.length, list.body.pagination.pageSize], [1, 1]);
    assert.equal(list.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
    assert.deepEqual(bare.body, list.body.items);
    assert.deepEqual([detail.body.memberCount, detail.body.members[0].releaseCount], [1, 2]);
    assert.deepEqual(ofProduct.body, bare.body);
    assert.deepEqual(scoped.body, bare.body);
    assert.equal(scoped.headers.get('cache-control'), 'public, max-age=120, stale-while-revalidate=60');
    assert.deepEqual([removed.status, removed.text, deleted.status, deleted.text], [204, '', 204, '']);
    assert.equal((await anonymous.get('/v1/collections/net')).status, 404);
  });

  it('200: the feed as JSON and as markdown', async () => {
    const { root, anonymous } = await open(engine);
    await root.post('/v1/collections', { name: 'Web' });
    await root.post('/v1/collections/web/members', { orgSlug: 'acme' });

    const feed = await anonymous.get('/v1/collections/web/releases?limit=1&include_content=false');
    const { nextCursor } = feed.body.pagination;
    const next = await anonymous.get(`/v1/collections/web/releases?limit=1&cursor=${nextCursor}`);
    const none = await anonymous.get('/v1/collections/web/releases?orgs=other,none&source_type=feed');
    const text = await anonymous.get('/v1/collections/web/releases?limit=1', { Accept: 'text/markdown' });

    assert.deepEqual([feed.body.releases[0].version, 'content' in feed.body.releases[0]], ['1.1.0', false]);
    assert.equal(feed.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=30');
    assert.deepEqual([next.body.releases[0].version, next.body.pagination.nextCursor], ['1.0.0', null]);
    assert.deepEqual(none.body, { releases: [], pagination: { nextCursor: null, limit: 20 } });
    assert.equal(text.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(text.text, /^---\ncollection: web\ncollection_name: Web\nrelease_count: 1\nhas_more: true\n---\n/);
    assert.match(text.text, /<Release id="rel_\w+" org="acme" source="s" version="1\.1\.0"/);
    assert.match(text.text, /<Pagination cursor="[\w-]+" \/>\n$/);
  });

  it('400, 401, 404 and 409', async () => {
    const { root, anonymous, one } = await open(engine);
    await root.post('/v1/collections', { name: 'Web' });
    const many = Array.from({ length: 501 }, (_, index) => ({ orgSlug: `o${index}` }));

    const invalid = [
      await root.post('/v1/collections', { name: 'x', slug: 'Not A Slug' }),
      await root.post('/v1/collections', { name: 'x', slug: 'y' }),
      await root.post('/v1/collections', { name: 'x'.repeat(201) }),
      await root.patch('/v1/collections/web', { name: null }),
      await root.patch('/v1/collections/web', { other: 1 }),
      await root.put('/v1/collections/web/members', {}),
      await root.put('/v1/collections/web/members', { members: [], orgs: [] }),
      await root.put('/v1/collections/web/members', { members: [{ orgSlug: 'acme', note: 'x' }] }),
      await root.put('/v1/collections/web/members', { members: many }),
      await root.put('/v1/collections/web/members', { members: [{ orgSlug: 'acme' }, { orgId: 'acme.example' }] }),
      await root.post('/v1/collections/web/members', { productSlug: 'one' }),
      await root.post('/v1/collections/web/members', { orgId: 'a', orgSlug: 'b' }),
      await root.post('/v1/collections/web/members', {}),
    ];
    const others = [
      await root.patch('/v1/collections/web', {}),
      await anonymous.get('/v1/collections?featured=maybe'),
      await anonymous.get('/v1/collections/web/releases?kind=nothing'),
      await anonymous.get('/v1/collections/web/releases?since=2026-02-30'),
      await anonymous.get('/v1/collections/web/releases?cursor=broken'),
      await root.delete('/v1/collections/web/members/products/one'),
      await anonymous.get('/v1/products/one/collections'),
      await anonymous.post('/v1/collections', { name: 'x' }),
      await anonymous.get('/v1/collections/none/releases'),
      await root.post('/v1/collections/web/members', { orgSlug: 'nobody' }),
      await root.delete(`/v1/collections/web/members/products/${one.id}`),
      await root.delete('/v1/collections/web/members/acme'),
      await root.post('/v1/collections', { name: 'WEB' }),
      await root.post('/v1/collections', { name: 'Releases' }),
    ];

    assert.deepEqual(codes(invalid), Array(invalid.length).fill('400 validation_failed'));
    assert.deepEqual(codes(others), [
      '400 bad_request',
      '400 bad_request',
      '400 bad_request',
      '400 bad_request',
      '400 invalid_cursor',
      '400 bare_slug_rejected',
      '400 bare_slug_rejected',
      '401 unauthorized',
      '404 not_found',
      '404 not_found',
      '404 not_found',
      '404 not_found',
      '409 conflict',
      '409 slug_reserved',
    ]);
  });
});
