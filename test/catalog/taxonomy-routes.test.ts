import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { categoryRoutes } from '../../src/http/routes/categories.ts';
import { tagRoutes } from '../../src/http/routes/tags.ts';
import { forEachEngine } from '../support/engines.ts';
import { addReleases, makeOrg, makeSource } from '../support/named.ts';
import { assertRefused } from '../support/refused.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('taxonomy routes', (engine) => {
  let root: Service['root'];
  let anonymous: Service['anonymous'];

  before(async () => {
    const app = await engine.openTestApp();
    const acme = await makeOrg(app.ctx, { slug: 'acme', category: 'ai', tags: ['Agents'] });
    await addReleases(app.ctx, await makeSource(app.ctx, { slug: 's', orgId: acme.id }), ['1.0.0']);
    ({ root, anonymous } = await startService(app, { routes: [...categoryRoutes, ...tagRoutes] }));
  });

  it('change the name and the aliases of a category', async () => {
    const changed = await root.patch('/v1/categories/ai', { name: 'Machines', aliases: ['ml'] });
    assert.deepEqual(changed.body, { slug: 'ai', name: 'Machines', description: null, aliases: ['ml'] });
  });

  it('lead from an alias to its category', async () => {
    const alias = await anonymous.get('/v1/categories/ml');
    assert.deepEqual([alias.status, alias.headers.get('location')], [301, '/v1/categories/ai']);
  });

  it('list categories with how many orgs are in them, and show one with its orgs', async () => {
    const list = await anonymous.get('/v1/categories');
    const detail = await anonymous.get('/v1/categories/ai');
    assert.deepEqual([list.body.length, list.body[0].orgCount, list.body[0].previewMembers[0].slug], [14, 1, 'acme']);
    assert.deepEqual([detail.status, detail.body.orgs[0].slug], [200, 'acme']);
    assert.equal(detail.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
  });

  it('give the feed of a category by its alias, as JSON and as markdown', async () => {
    const feed = await anonymous.get('/v1/categories/ml/releases?orgs=acme');
    const { text } = await anonymous.get('/v1/categories/ml/releases', { Accept: 'text/markdown' });
    assert.deepEqual([feed.status, feed.body.releases[0].version], [200, '1.0.0']);
    assert.match(text, /^---\ncategory: ai\ncategory_name: Machines\nrelease_count: 1\nhas_more: false\n---\n/);
  });

  it('make a tag once, however it is spelled', async () => {
    const made = await root.post('/v1/tags', { name: 'Vector Stores' });
    const again = await root.post('/v1/tags', { name: 'vector stores' });
    assert.deepEqual([made.status, made.headers.get('location')], [201, '/v1/tags/vector-stores']);
    assert.deepEqual([again.status, again.body], [200, made.body]);
  });

  it('list the tags that are used, and show one with its orgs', async () => {
    const list = await anonymous.get('/v1/tags');
    assert.deepEqual(list.body.items, [{ slug: 'agents', name: 'Agents', orgCount: 1, productCount: 0 }]);
    assert.equal((await anonymous.get('/v1/tags/agents')).body.orgs[0].slug, 'acme');
  });

  it('refuse changes of a category that are empty, or make it unreadable', async () => {
    assertRefused('400 bad_request', [await root.patch('/v1/categories/ai', {})]);
    assertRefused('400 validation_failed', [
      await root.patch('/v1/categories/ai', { aliases: null }),
      await root.patch('/v1/categories/ai', { aliases: ['Not A Slug'] }),
      await root.patch('/v1/categories/ai', { aliases: ['ai'] }),
    ]);
  });

  it('refuse to move a category, because clients know its slug', async () => {
    assertRefused('400 validation_failed', [await root.patch('/v1/categories/ai', { slug: 'x' })]);
  });

  it('refuse an alias and a name that another one has', async () => {
    await root.patch('/v1/categories/cloud', { aliases: ['hosting'] });
    await root.post('/v1/tags', { name: 'Taken' });
    assertRefused('409 conflict', [
      await root.patch('/v1/categories/ai', { aliases: ['hosting'] }),
      await root.patch('/v1/tags/agents', { name: 'taken' }),
    ]);
  });

  it('refuse names of tags without a letter, or too long', async () => {
    assertRefused('400 validation_failed', [
      await root.post('/v1/tags', { name: '...' }),
      await root.post('/v1/tags', { name: 'x'.repeat(61) }),
    ]);
  });

  it('refuse filters that say nothing', async () => {
    assertRefused('400 bad_request', [await anonymous.get('/v1/categories/ai/releases?minImportance=9')]);
  });

  it('let nobody write without a credential', async () => {
    assertRefused('401 unauthorized', [await anonymous.post('/v1/tags', { name: 'x' })]);
  });

  it('say of categories and tags that they are not there', async () => {
    assertRefused('404 not_found', [
      await anonymous.get('/v1/categories/none'),
      await anonymous.get('/v1/categories/none/releases'),
      await anonymous.get('/v1/tags/none'),
      await root.delete('/v1/tags/none'),
    ]);
  });

  it('rename a tag with its slug, and delete it everywhere', async () => {
    const renamed = await root.patch('/v1/tags/agents', { name: 'Robots' });
    const deleted = await root.delete('/v1/tags/robots');
    assert.deepEqual([renamed.body.slug, renamed.body.name], ['robots', 'Robots']);
    assert.deepEqual([deleted.status, deleted.body], [200, { deleted: true }]);
    assert.equal((await anonymous.get('/v1/tags')).body.pagination.totalItems, 0);
  });
});
