// Options of operator calls that may also be in the query, one row per call.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import type { Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';

forEachEngine('options of operator calls in the query', (engine) => {
  let ctx: Context;
  let root: Client;
  let anonymous: Client;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    ({ root, anonymous } = await startService(app));
  });

  const events = async () => (await ctx.store.read.selectFrom('events').select('id').execute()).length;

  it('hard: an org, a product, a source and the releases of a source are gone for good', async () => {
    const { id: orgId } = await createOrg(ctx);
    const product = await createProduct(ctx, orgId);
    const source = await createSource(ctx, { orgId });
    await postReleases(ctx, source.id, [releaseRow('1.0.0')]);

    const cleared = await root.delete(`/v1/sources/${source.id}/releases?hard=true`);
    assert.deepEqual(cleared.body, { deleted: 1, hard: true });
    for (const path of [`/products/${product.id}`, `/sources/${source.id}`, `/orgs/${orgId}`]) {
      assert.deepEqual((await root.delete(`/v1${path}?hard=true`)).body, { deleted: true, hard: true }, path);
      assert.equal((await root.get(`/v1${path}`)).status, 404, path);
    }
  });

  it('reason: why the releases of a source are suppressed', async () => {
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [releaseRow('1.0.0')]);

    const { body } = await root.delete(`/v1/sources/${source.id}/releases?reason=wrong`);

    const row = await ctx.store.read
      .selectFrom('releases')
      .select('suppressed_reason')
      .where('source_id', '=', source.id)
      .executeTakeFirst();
    assert.deepEqual([body, row?.suppressed_reason], [{ suppressed: 1 }, 'wrong']);
  });

  it('check, window and limit: what an overview would be made of', async () => {
    const { id } = await createOrg(ctx);

    const checked = await root.get(`/v1/orgs/${id}/overview/inputs?check=true&window=60`);
    const full = await root.get(`/v1/orgs/${id}/overview/inputs?limit=5&window=45`);

    assert.deepEqual([checked.body.windowDays, checked.body.selected], [60, 0]);
    assert.deepEqual([full.body.windowDays, full.body.selected], [45, []]);
  });

  it('peek: a content hash is compared and not stored; the body wins', async () => {
    const source = await createSource(ctx);
    const path = `/v1/sources/${source.id}/content-hash`;
    const contentHash = 'abcdef0123456789';

    await root.post(`${path}?peek=true`, { contentHash });
    assert.equal((await root.post(`${path}?peek=true`, { contentHash, peek: false })).body.unchanged, false);
    assert.equal((await root.post(path, { contentHash })).body.unchanged, true);
  });

  it('announce and silent: of a batch and of a single release; the body wins', async () => {
    const source = await createSource(ctx);
    const path = `/v1/sources/${source.id}/releases`;
    const before = await events();

    await root.post(`${path}/batch?silent=true`, { releases: [releaseRow('1.0.0')] });
    await root.post(`${path}?silent=true`, releaseRow('1.1.0'));
    assert.equal(await events(), before);
    await root.post(`${path}/batch?silent=true`, { releases: [releaseRow('1.2.0')], silent: false });
    await root.post(`${path}?announce=true`, releaseRow('1.3.0'));
    assert.equal(await events(), before + 2);
    assert.equal((await root.post(`${path}?announce=true&silent=true`, releaseRow('1.4.0'))).status, 400);
  });

  it('url, page and limit: lists of addresses, or the row of one', async () => {
    const { id } = await createOrg(ctx);
    for (const path of [`/v1/orgs/${id}/ignored-urls`, '/v1/admin/blocklist']) {
      const url = 'https://bad.example/feed';
      for (const address of [url, `${url}2`]) await root.post(path, { url: address, pattern: address });

      const page = await root.get(`${path}?limit=1&page=2`);
      const one = await root.get(`${path}?url=${encodeURIComponent(url)}`);
      const none = await root.get(`${path}?url=${encodeURIComponent('https://other.example/')}`);

      assert.deepEqual([page.body.items.length, page.body.pagination.page], [1, 2], path);
      assert.equal(one.body.url ?? one.body.pattern, url, path);
      assert.equal(none.body, null, path);
    }
  });

  it('pre-releases are left out of the recent releases of a source, as of an org, unless they are wanted', async () => {
    const source = await createSource(ctx);
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0-rc.1')], { silent: true });
    const read = async (more: string) => {
      const { body } = await anonymous.get(`/v1/sources/${source.id}/recent-releases?cutoff=2000-01-01${more}`);
      return body.map(({ version }: { version: string }) => version).sort();
    };

    assert.deepEqual(await read(''), ['1.0.0']);
    assert.deepEqual(await read('&include_prereleases=true'), ['1.0.0', '1.1.0-rc.1']);
    assert.deepEqual(await read('&include_prereleases=false'), ['1.0.0']);
  });

  it('the latest releases take limit for count', async () => {
    const { id: orgId } = await createOrg(ctx);
    const source = await createSource(ctx, { orgId });
    const rows = ['1.0.0', '1.1.0', '1.2.0'].map((version) => releaseRow(version));
    await postReleases(ctx, source.id, rows, { silent: true });
    const read = (query: string) => anonymous.get(`/v1/releases/latest?source=${source.id}&${query}`);

    assert.equal((await read('limit=2')).body.releases.length, 2);
    assert.equal((await read('limit=2&count=1')).body.releases.length, 1);
    assert.equal((await read('limit=0')).body.pagination.limit, 10);
    assert.equal((await read('limit=500')).body.pagination.limit, 100);
    assert.equal((await anonymous.get('/v1/releases/latest?limit=10')).headers.get('x-cache'), 'MISS');
    assert.equal((await anonymous.get('/v1/releases/latest?limit=11')).headers.get('x-cache'), 'BYPASS');
  });

  it('featured=false gives the others', async () => {
    const made = [
      await createOrg(ctx, { name: 'Featured Works', featured: true }),
      await createOrg(ctx, { name: 'Other Works' }),
    ];
    for (const [index, isFeatured] of [true, false].entries()) {
      await root.post('/v1/collections', { name: `Works ${index}`, isFeatured });
    }
    const names = async (path: string) =>
      (await anonymous.get(path)).body.items
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => /Works/.test(name));

    const orgs = '/v1/orgs?includeEmpty=true&q=works';
    assert.equal(made.length, 2);
    assert.deepEqual(await names(`${orgs}&featured=true`), ['Featured Works']);
    assert.deepEqual(await names(`${orgs}&featured=false`), ['Other Works']);
    assert.deepEqual(await names(orgs), ['Featured Works', 'Other Works']);
    assert.deepEqual(await names('/v1/collections?featured=false'), ['Works 1']);
    assert.deepEqual(await names('/v1/collections?featured=1'), ['Works 0']);
  });

  it('a category that nobody can mean is ignored on the list of orgs alone', async () => {
    await createOrg(ctx, { name: 'Shown' });
    const all = await anonymous.get('/v1/orgs?includeEmpty=true');
    for (const category of ['%00', 'nope', '%ff', 'x'.repeat(3000)]) {
      const { status, body } = await anonymous.get(`/v1/orgs?includeEmpty=true&category=${category}`);
      assert.deepEqual(
        [status, body.pagination?.totalItems],
        [200, all.body.pagination.totalItems],
        category.slice(0, 9),
      );
    }
    assert.equal((await anonymous.get('/v1/orgs?q=%00')).status, 400);
    assert.equal((await anonymous.get('/v1/products?category=nope')).status, 400);
  });

  it('a patch is told everything that is wrong with it, an unknown category too', async () => {
    const { id: orgId } = await createOrg(ctx);
    const product = await createProduct(ctx, orgId);
    const wrong = { name: '', category: 'nope', tags: ['ok', '!'], color: 'red' };
    for (const path of [`/v1/orgs/${orgId}`, `/v1/products/${product.id}`]) {
      const { status, body } = await root.patch(path, wrong);

      assert.deepEqual([status, body.error.code], [400, 'validation_failed'], path);
      const paths = body.error.details.issues.map((issue: { path: string }) => issue.path).sort();
      assert.deepEqual(paths, ['category', 'color', 'name', 'tags.1'], JSON.stringify(body.error.details));
      const alone = await root.patch(path, { category: 'nope' });
      assert.deepEqual(
        alone.body.error.details.issues.map((issue: { path: string }) => issue.path),
        ['category'],
      );
      assert.equal((await root.patch(path, { category: 'developer-tools' })).status < 500, true);
    }
  });
});
