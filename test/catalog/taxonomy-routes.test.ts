import assert from 'node:assert/strict';
import { it } from 'node:test';
import { categoryRoutes } from '../../src/http/routes/categories.ts';
import { tagRoutes } from '../../src/http/routes/tags.ts';
import { forEachEngine } from '../support/engines.ts';
import { addReleases, makeOrg, makeSource } from '../support/named.ts';
import { startService } from '../support/service.ts';

forEachEngine('taxonomy routes', (engine) => {
  const open = async () => {
    const app = await engine.openTestApp();
    const acme = await makeOrg(app.ctx, { slug: 'acme', category: 'ai', tags: ['Agents'] });
    await addReleases(app.ctx, await makeSource(app.ctx, { slug: 's', orgId: acme.id }), ['1.0.0']);
    return startService(app, { routes: [...categoryRoutes, ...tagRoutes] });
  };

  it('200 and 301 of categories', async () => {
    const { root, anonymous } = await open();

    const changed = await root.patch('/v1/categories/ai', { name: 'Machines', aliases: ['ml'] });
    const list = await anonymous.get('/v1/categories');
    const alias = await anonymous.get('/v1/categories/ml');
    const detail = await anonymous.get('/v1/categories/ai');
    const feed = await anonymous.get('/v1/categories/ml/releases?orgs=acme');
    const text = await anonymous.get('/v1/categories/ml/releases', { Accept: 'text/markdown' });

    assert.deepEqual(changed.body, { slug: 'ai', name: 'Machines', description: null, aliases: ['ml'] });
    assert.deepEqual([list.body.length, list.body[0].orgCount, list.body[0].previewMembers[0].slug], [14, 1, 'acme']);
    assert.deepEqual([alias.status, alias.headers.get('location')], [301, '/v1/categories/ai']);
    assert.deepEqual([detail.status, detail.body.orgs[0].slug], [200, 'acme']);
    assert.equal(detail.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=60');
    assert.deepEqual([feed.status, feed.body.releases[0].version], [200, '1.0.0']);
    assert.match(text.text, /^---\ncategory: ai\ncategory_name: Machines\nrelease_count: 1\nhas_more: false\n---\n/);
  });

  it('200 and 201 of tags', async () => {
    const { root, anonymous } = await open();

    const made = await root.post('/v1/tags', { name: 'Vector Stores' });
    const again = await root.post('/v1/tags', { name: 'vector stores' });
    const list = await anonymous.get('/v1/tags');
    const detail = await anonymous.get('/v1/tags/agents');
    const renamed = await root.patch('/v1/tags/agents', { name: 'Robots' });
    const deleted = await root.delete('/v1/tags/robots');

    assert.deepEqual([made.status, made.headers.get('location')], [201, '/v1/tags/vector-stores']);
    assert.deepEqual([again.status, again.body], [200, made.body]);
    assert.deepEqual(list.body.items, [{ slug: 'agents', name: 'Agents', orgCount: 1, productCount: 0 }]);
    assert.equal(detail.body.orgs[0].slug, 'acme');
    assert.deepEqual([renamed.body.slug, renamed.body.name], ['robots', 'Robots']);
    assert.deepEqual([deleted.status, deleted.body], [200, { deleted: true }]);
    assert.deepEqual((await anonymous.get('/v1/tags')).body.pagination.totalItems, 0);
  });

  it('400, 401, 404 and 409', async () => {
    const { root, anonymous } = await open();
    await root.patch('/v1/categories/cloud', { aliases: ['hosting'] });
    await root.post('/v1/tags', { name: 'Taken' });

    const answers = [
      await root.patch('/v1/categories/ai', {}),
      await root.patch('/v1/categories/ai', { aliases: null }),
      await root.patch('/v1/categories/ai', { aliases: ['Not A Slug'] }),
      await root.patch('/v1/categories/ai', { aliases: ['ai'] }),
      await root.patch('/v1/categories/ai', { slug: 'x' }),
      await root.post('/v1/tags', { name: '...' }),
      await root.post('/v1/tags', { name: 'x'.repeat(61) }),
      await anonymous.get('/v1/categories/ai/releases?minImportance=9'),
      await anonymous.post('/v1/tags', { name: 'x' }),
      await anonymous.get('/v1/categories/none'),
      await anonymous.get('/v1/categories/none/releases'),
      await anonymous.get('/v1/tags/none'),
      await root.delete('/v1/tags/none'),
      await root.patch('/v1/categories/ai', { aliases: ['hosting'] }),
      await root.patch('/v1/tags/agents', { name: 'taken' }),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      [
        '400 bad_request',
        ...Array(6).fill('400 validation_failed'),
        '400 bad_request',
        '401 unauthorized',
        ...Array(4).fill('404 not_found'),
        '409 conflict',
        '409 conflict',
      ],
    );
  });
});
