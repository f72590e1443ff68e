import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { collectionWriteRoutes } from '../../src/http/routes/collection-writes.ts';
import { collectionRoutes } from '../../src/http/routes/collections.ts';
import { forEachEngine } from '../support/engines.ts';
import { addReleases, makeOrg, makeProduct, makeSource } from '../support/named.ts';
import { assertRefused } from '../support/refused.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('collection routes', (engine) => {
  let root: Service['root'];
  let anonymous: Service['anonymous'];
  let acme: { id: string };
  let one: { id: string };

  before(async () => {
    const app = await engine.openTestApp();
    const { ctx } = app;
    acme = await makeOrg(ctx, { slug: 'acme', domain: 'acme.example' });
    one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    await addReleases(ctx, await makeSource(ctx, { slug: 's', orgId: acme.id, productId: one.id }), ['1.0.0', '1.1.0']);
    ({ root, anonymous } = await startService(app, { routes: [...collectionRoutes, ...collectionWriteRoutes] }));
    // Those that are read, those that are refused, and those that a test changes.
    for (const name of ['Shown', 'Web']) await root.post('/v1/collections', { name });
    await root.patch('/v1/collections/shown', { isFeatured: true });
    await root.put('/v1/collections/shown/members', { orgs: [{ productSlug: 'one', orgId: acme.id }] });
    await root.post('/v1/collections/web/members', { orgSlug: 'acme' });
  });

  it('make a collection, name its place and leave out what they do not know', async () => {
    const { status, headers, body } = await root.post('/v1/collections', {
      name: ' Made ',
      description: null,
      ignored: 1,
    });
    assert.deepEqual([status, headers.get('location')], [201, '/v1/collections/made']);
    assert.deepEqual([body.name, body.description, body.isFeatured], ['Made', null, false]);
  });

  it('add orgs and products, by slug or id, at a place or at the end', async () => {
    const { id } = (await root.post('/v1/collections', { name: 'Added' })).body;
    const org = await root.post('/v1/collections/added/members', { orgSlug: 'acme' });
    const product = await root.post(`/v1/collections/${id}/members`, { productId: one.id, position: 9 });
    assert.deepEqual(
      [org.status, org.headers.get('location'), org.body],
      [201, '/v1/collections/added', { collectionSlug: 'added', kind: 'org', orgId: acme.id, position: 0 }],
    );
    assert.deepEqual(product.body, { collectionSlug: 'added', kind: 'product', productId: one.id, position: 9 });
  });

  it('replace all members at once', async () => {
    await root.post('/v1/collections', { name: 'Replaced' });
    await root.post('/v1/collections/replaced/members', { orgSlug: 'acme' });
    const orgs = [{ productSlug: 'one', orgId: acme.id }];
    assert.deepEqual((await root.put('/v1/collections/replaced/members', { orgs })).body, {
      collectionSlug: 'replaced',
      members: [{ kind: 'product', productId: one.id, position: 0 }],
    });
  });

  it('move a collection to another slug', async () => {
    await root.post('/v1/collections', { name: 'Old' });
    const changed = await root.patch('/v1/collections/old', { slug: 'net' });
    assert.deepEqual([changed.status, changed.body.slug], [200, 'net']);
    assert.equal((await anonymous.get('/v1/collections/net')).body.name, 'Old');
  });

  it('remove a member, and a collection', async () => {
    await root.post('/v1/collections', { name: 'Gone' });
    await root.post('/v1/collections/gone/members', { productId: one.id });
    const removed = await root.delete(`/v1/collections/gone/members/products/${one.id}`);
    const deleted = await root.delete('/v1/collections/gone');
    assert.deepEqual([removed.status, removed.text, deleted.status, deleted.text], [204, '', 204, '']);
    assert.equal((await anonymous.get('/v1/collections/gone')).status, 404);
  });

  it('list the featured ones by page, or bare', async () => {
    const list = await anonymous.get('/v1/collections?featured=true&limit=1');
    assert.deepEqual([list.body.items.length, list.body.pagination.pageSize], [1, 1]);
    assert.equal(list.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
    assert.deepEqual((await anonymous.get('/v1/collections?featured=true&envelope=false')).body, list.body.items);
  });

  it('show members with how many releases they have', async () => {
    const { memberCount, members } = (await anonymous.get('/v1/collections/shown')).body;
    assert.deepEqual([memberCount, members[0].releaseCount], [1, 2]);
  });

  it('list the collections of a product, by id and below its org', async () => {
    const byId = await anonymous.get(`/v1/products/${one.id}/collections`);
    const scoped = await anonymous.get('/v1/orgs/acme/products/one/collections');
    assert.ok(byId.body.some(({ slug }: { slug: string }) => slug === 'shown'));
    assert.deepEqual(scoped.body, byId.body);
    assert.equal(scoped.headers.get('cache-control'), 'public, max-age=120, stale-while-revalidate=60');
  });

  it('page the feed', async () => {
    const feed = await anonymous.get('/v1/collections/web/releases?limit=1&include_content=false');
    const { nextCursor } = feed.body.pagination;
    const next = await anonymous.get(`/v1/collections/web/releases?limit=1&cursor=${nextCursor}`);
    assert.deepEqual([feed.body.releases[0].version, 'content' in feed.body.releases[0]], ['1.1.0', false]);
    assert.equal(feed.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=30');
    assert.deepEqual([next.body.releases[0].version, next.body.pagination.nextCursor], ['1.0.0', null]);
  });

  it('narrow the feed to orgs and types of sources', async () => {
    const { body } = await anonymous.get('/v1/collections/web/releases?orgs=other,none&source_type=feed');
    assert.deepEqual(body, { releases: [], pagination: { nextCursor: null, limit: 20 } });
  });

  it('write the feed as markdown', async () => {
    const feed = await anonymous.get('/v1/collections/web/releases?limit=1', { Accept: 'text/markdown' });
    assert.equal(feed.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(feed.text, /^---\ncollection: web\ncollection_name: Web\nrelease_count: 1\nhas_more: true\n---\n/);
    assert.match(feed.text, /<Release id="rel_\w+" org="acme" source="s" version="1\.1\.0"/);
    assert.match(feed.text, /<Pagination cursor="[\w-]+" \/>\n$/);
  });

  it('refuse names and slugs that nobody could read', async () => {
    assertRefused('400 validation_failed', [
      await root.post('/v1/collections', { name: 'x', slug: 'Not A Slug' }),
      await root.post('/v1/collections', { name: 'x', slug: 'y' }),
      await root.post('/v1/collections', { name: 'x'.repeat(201) }),
      await root.patch('/v1/collections/web', { name: null }),
    ]);
  });

  it('refuse a change that changes nothing', async () => {
    assertRefused('400 validation_failed', [await root.patch('/v1/collections/web', { other: 1 })]);
    assertRefused('400 bad_request', [await root.patch('/v1/collections/web', {})]);
  });

  it('refuse lists of members that are missing, told twice, too long or of one org twice', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ orgSlug: `o${index}` }));
    assertRefused('400 validation_failed', [
      await root.put('/v1/collections/web/members', {}),
      await root.put('/v1/collections/web/members', { members: [], orgs: [] }),
      await root.put('/v1/collections/web/members', { members: [{ orgSlug: 'acme', note: 'x' }] }),
      await root.put('/v1/collections/web/members', { members: many }),
      await root.put('/v1/collections/web/members', { members: [{ orgSlug: 'acme' }, { orgId: 'acme.example' }] }),
    ]);
  });

  it('refuse a member that names no entity or two', async () => {
    assertRefused('400 validation_failed', [
      await root.post('/v1/collections/web/members', { productSlug: 'one' }),
      await root.post('/v1/collections/web/members', { orgId: 'a', orgSlug: 'b' }),
      await root.post('/v1/collections/web/members', {}),
    ]);
  });

  it('refuse filters and cursors that say nothing', async () => {
    assertRefused('400 bad_request', [
      await anonymous.get('/v1/collections?featured=maybe'),
      await anonymous.get('/v1/collections/web/releases?kind=nothing'),
      await anonymous.get('/v1/collections/web/releases?since=2026-02-30'),
    ]);
    assertRefused('400 invalid_cursor', [await anonymous.get('/v1/collections/web/releases?cursor=broken')]);
  });

  it('refuse the bare slug of a product, which several orgs may have', async () => {
    assertRefused('400 bare_slug_rejected', [
      await root.delete('/v1/collections/web/members/products/one'),
      await anonymous.get('/v1/products/one/collections'),
    ]);
  });

  it('let nobody write without a credential', async () => {
    assertRefused('401 unauthorized', [await anonymous.post('/v1/collections', { name: 'x' })]);
  });

  it('say of collections, orgs and members that they are not there', async () => {
    await root.post('/v1/collections', { name: 'Empty' });
    assertRefused('404 not_found', [
      await anonymous.get('/v1/collections/none/releases'),
      await root.post('/v1/collections/web/members', { orgSlug: 'nobody' }),
      await root.delete(`/v1/collections/empty/members/products/${one.id}`),
      await root.delete('/v1/collections/empty/members/acme'),
    ]);
  });

  it('refuse slugs that are taken, or belong to a path of their own', async () => {
    assertRefused('409 conflict', [await root.post('/v1/collections', { name: 'WEB' })]);
    assertRefused('409 slug_reserved', [await root.post('/v1/collections', { name: 'Releases' })]);
  });
});
