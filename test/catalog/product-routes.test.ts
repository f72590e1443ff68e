import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { createProduct } from '../../src/entities/products/create.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { productWriteRoutes } from '../../src/http/routes/product-writes.ts';
import { productRoutes } from '../../src/http/routes/products.ts';
import { tokenRoutes } from '../../src/http/routes/tokens.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import type { Client } from '../support/client.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, type TestEngine } from '../support/engines.ts';
import { assertRefused } from '../support/refused.ts';
import { startService } from '../support/service.ts';

async function open(engine: TestEngine) {
  const app = await engine.openTestApp({ clock: movableClock('2026-03-10T12:00:00.000Z') });
  const { ctx } = app;
  const acme = await createOrg(ctx, { name: 'Acme', slug: 'acme', domain: 'acme.dev' });
  const beta = await createOrg(ctx, { name: 'Beta', slug: 'beta' });
  const engineProduct = await createProduct(ctx, {
    name: 'Engine',
    orgId: acme.id,
    kind: 'platform',
    category: 'database',
    tags: ['Fast'],
    aliases: ['engine.dev'],
  });
  const service = await startService(app, { routes: [...productRoutes, ...productWriteRoutes, ...tokenRoutes] });
  return { ctx, service, acme, beta, product: engineProduct };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function addReleases({ ctx, acme, product }: Opened): Promise<void> {
  const source = await createSource(ctx, {
    name: 'Engine "notes"',
    slug: 'notes',
    url: 'https://acme.dev/notes',
    orgId: acme.id,
    productId: product.id,
  });
  const row = (version: string, day: string) => ({
    title: `Engine ${version}`,
    version,
    content: `- better ${version}`,
    publishedAt: `${day}T00:00:00.000Z`,
  });
  const rows = [row('1.0.0', '2026-01-05'), row('1.1.0', '2026-03-05'), row('2.0.0-beta.1', '2026-03-09')];
  await writeReleases(ctx, { path: { src: source.id }, rows });
}

forEachEngine('product routes', (engine) => {
  it('the list is a page by name, narrowed by filters, or a bare array', async () => {
    const opened = await open(engine);
    const { ctx, service, acme, beta } = opened;
    await createProduct(ctx, { name: 'atlas', orgId: beta.id, kind: 'sdk' });
    await createProduct(ctx, { name: 'Secret', orgId: acme.id, isHidden: true });
    await addReleases(opened);
    const { anonymous, root } = service;
    const names = async (query: string, as = anonymous) =>
      (await as.get(`/v1/products${query}`)).body.items.map((item: { name: string }) => item.name);

    const all = await anonymous.get('/v1/products?limit=1');
    const bare = await anonymous.get('/v1/products?envelope=false');

    assert.deepEqual(all.body.pagination, {
      page: 1,
      pageSize: 1,
      returned: 1,
      totalItems: 2,
      totalPages: 2,
      hasMore: true,
    });
    assert.deepEqual(
      bare.body.map((item: { name: string; releaseCount: number }) => [item.name, item.releaseCount]),
      [
        ['atlas', 0],
        ['Engine', 3],
      ],
    );
    assert.deepEqual(await names('?orgId=acme.dev'), ['Engine']);
    assert.deepEqual(await names('?orgId=nobody'), []);
    assert.deepEqual(await names('?kind=sdk'), ['atlas']);
    assert.deepEqual(await names('?category=database&q=eNG'), ['Engine']);
    assert.deepEqual(await names('?q=%25'), []);
    assert.deepEqual(await names('?query=atl'), ['atlas']);
    assert.deepEqual(await names('?include_hidden=true'), ['atlas', 'Engine']);
    assert.deepEqual(await names('?include_hidden=true', root), ['atlas', 'Engine', 'Secret']);
    assert.deepEqual(all.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=30');
  });

  it('refused: values that are no filter', async () => {
    const { service, product } = await open(engine);
    const { anonymous } = service;

    const answers = await Promise.all(
      [
        '/v1/products?kind=robot',
        '/v1/products?kind=',
        '/v1/products?category=cooking',
        '/v1/products?category=',
        '/v1/products?envelope=maybe',
        `/v1/products/${product.id}?since=2026-02-30`,
        '/v1/products/engine',
        `/v1/products/${product.id}?cursor=x`,
        '/v1/products/prod_000000000000000000000?cursor=x',
      ].map((path) => anonymous.get(path)),
    );

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      [...Array(6).fill('400 bad_request'), '400 bare_slug_rejected', '400 invalid_cursor', '400 invalid_cursor'],
    );
    assert.equal(answers[6]?.body.error.details.hint, '/v1/lookups/product-by-slug?slug=engine');
  });

  it('detail with sources, figures and releases, by id, manifest id and path', async () => {
    const opened = await open(engine);
    await addReleases(opened);
    const { service, product } = opened;
    const { anonymous } = service;

    const byId = await anonymous.get(`/v1/products/${product.id}?limit=1`);
    const byManifestId = await anonymous.get(`/v1/products/prd_${product.id.slice(5)}?limit=1`);
    const byPath = await anonymous.get('/v1/orgs/acme.dev/products/engine?limit=1');
    const { cursor, ...wide } = {
      cursor: byId.body.pagination.nextCursor,
      include_prereleases: 'true',
      until: '2026-03-08',
    };
    const second = await anonymous.get(`/v1/products/${product.id}?cursor=${cursor}`);
    const filtered = await anonymous.get(
      `/v1/products/${product.id}?${new URLSearchParams(wide)}&include_content=false`,
    );

    const { body } = byId;
    assert.deepEqual([byManifestId.body, byPath.body], [body, body]);
    assert.deepEqual(
      [body.orgSlug, body.sourceCount, body.releaseCount, body.releasesLast30Days, body.latestDate],
      ['acme', 1, 3, 2, '2026-03-09T00:00:00.000Z'],
    );
    assert.deepEqual([body.tags, body.aliases, body.overview, body.deletedAt], [['Fast'], ['engine.dev'], null, null]);
    assert.deepEqual(
      body.sources.map((source: { slug: string }) => source.slug),
      ['notes'],
    );
    const versions = (answer: typeof byId) => answer.body.releases.map((one: { version: string }) => one.version);
    assert.deepEqual([versions(byId), versions(second)], [['1.1.0'], ['1.0.0']]);
    assert.equal(second.body.pagination.nextCursor, null);
    assert.deepEqual(versions(filtered), ['1.1.0', '1.0.0']);
    assert.equal(filtered.body.releases[0].content, undefined);
  });

  it('the same as markdown', async () => {
    const opened = await open(engine);
    await addReleases(opened);

    const answer = await opened.service.anonymous.get('/v1/orgs/acme/products/engine?limit=1', {
      Accept: 'text/markdown',
    });

    assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const lines = answer.text.split('\n');
    assert.deepEqual(lines.slice(0, 12), [
      '---',
      'name: Engine',
      'slug: engine',
      'organization: Acme',
      'organization_slug: acme',
      'category: database',
      'kind: platform',
      'sources: 1',
      'tags: [Fast]',
      'aliases: [engine.dev]',
      '---',
      '',
    ]);
    assert.equal(
      lines[12],
      '<Source name="Engine &quot;notes&quot;" slug="notes" type="scrape" releases="3" latest-version="1.1.0" latest-date="2026-03-09" primary="false" url="https://acme.dev/notes" />',
    );
    assert.match(answer.text, /<Release id="rel_[^"]+" version="1.1.0" date="2026-03-05"/);
    assert.match(answer.text.trimEnd(), /<Pagination cursor="[^"]+" \/>$/);
  });

  it('not found: unknown, hidden from strangers, and of another org', async () => {
    const { ctx, service, acme, product } = await open(engine);
    const secret = await createProduct(ctx, { name: 'Secret', orgId: acme.id, isHidden: true });
    const { anonymous, root } = service;

    const answers = await Promise.all(
      [
        '/v1/products/prod_nothing',
        `/v1/products/${secret.id}`,
        '/v1/orgs/acme/products/secret',
        `/v1/orgs/beta/products/${product.id}`,
        '/v1/orgs/nobody/products/engine',
      ].map((path) => anonymous.get(path)),
    );
    const seen = await root.get(`/v1/products/${secret.id}`);

    for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'not_found']);
    assert.equal(answers[4]?.body.error.details.entity, 'org');
    assert.deepEqual([seen.status, seen.body.isHidden], [200, true]);
    assert.equal(seen.headers.get('cache-control'), 'private, no-store');
  });

  it('a product is made, changed, deleted and restored', async () => {
    const { service } = await open(engine);
    const { root, anonymous } = service;

    const made = await root.post('/v1/products', {
      name: '  Café Plus ',
      orgSlug: 'acme',
      url: 'https://acme.dev/plus',
    });
    const path = `/v1/products/${made.body.id}`;
    const changed = await root.patch('/v1/orgs/acme/products/cafe-plus', {
      url: null,
      notice: { message: 'Moving soon' },
      tags: ['New', 'new'],
    });
    const gone = await root.delete(path);
    const missing = await anonymous.get(path);
    const back = await root.post(`${path}/restore`);
    const erased = await root.delete(`${path}?hard=true`);

    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), path);
    assert.equal(made.body.slug, 'cafe-plus');
    assert.deepEqual(
      [changed.body.url, changed.body.notice, changed.body.tags],
      [null, { message: 'Moving soon' }, ['New']],
    );
    assert.deepEqual(gone.body, { deleted: true, deletedAt: '2026-03-10T12:00:00.000Z' });
    assert.equal(missing.status, 404);
    assert.deepEqual([back.status, back.body.deletedAt, back.body.tags], [200, null, ['New']]);
    assert.deepEqual(erased.body, { deleted: true, hard: true });
  });

  describe('refuse writes', () => {
    let opened: Opened;
    let root: Client;
    let path: string;
    before(async () => {
      opened = await open(engine);
      root = opened.service.root;
      path = `/v1/products/${opened.product.id}`;
    });

    it('that name no org, or give a field that does not fit', async () => {
      assertRefused('400 validation_failed', [
        await root.post('/v1/products', { name: 'X' }),
        await root.post('/v1/products', { name: '!!!', orgSlug: 'nobody' }),
        await root.post('/v1/products', { name: 'X', orgSlug: 'acme', slug: 'No Slug' }),
        await root.post('/v1/products', { name: 'X', orgSlug: 'acme', category: 'cooking' }),
        await root.post('/v1/products', { name: 'X', orgSlug: 'acme', aliases: ['localhost'] }),
      ]);
    });

    it('that move it to another org, take its name away or change nothing', async () => {
      assertRefused('400 validation_failed', [
        await root.patch(path, { orgId: 'beta' }),
        await root.patch(path, { name: null }),
      ]);
      assertRefused('400 bad_request', [await root.patch(path, {})]);
    });

    it('that erase it by a path which may lead elsewhere tomorrow', async () => {
      assertRefused('400 bad_request', [await root.delete('/v1/orgs/acme/products/engine?hard=true')]);
    });

    it('of nobody, and erasing by a token that may only write', async () => {
      const { anonymous, as } = opened.service;
      const { token } = (await root.post('/v1/tokens', { name: 'w', scopes: ['write'] })).body;
      assertRefused('401 unauthorized', [await anonymous.post('/v1/products', { name: 'X', orgSlug: 'acme' })]);
      assertRefused('403 insufficient_scope', [await as(token).delete(`${path}?hard=true`)]);
    });

    it('to an org or a product that is not there, and name which', async () => {
      const ofNobody = await root.post('/v1/products', { name: 'X', orgId: 'org_nobody' });
      assertRefused('404 not_found', [ofNobody, await root.post('/v1/products/prod_000000000000000000000/restore')]);
      assert.deepEqual(ofNobody.body.error.details, { entity: 'org', value: 'org_nobody', field: 'orgId' });
    });

    it('with a slug that is taken, or belongs to a path of its own', async () => {
      assertRefused('409 conflict', [await root.post('/v1/products', { name: 'Engine', orgSlug: 'acme' })]);
      assertRefused('409 slug_reserved', [await root.patch(path, { slug: 'feed' })]);
    });
  });
});
