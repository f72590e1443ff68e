// The org routes through the real service; every response is also checked against its declared schema.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createToken } from '../../src/accounts/tokens.ts';
import type { App } from '../../src/app.ts';
import { activityRoutes } from '../../src/http/routes/activity.ts';
import { labelRoutes } from '../../src/http/routes/labels.ts';
import { manifestRoutes } from '../../src/http/routes/manifests.ts';
import { orgListRoutes } from '../../src/http/routes/org-lists.ts';
import { orgWriteRoutes } from '../../src/http/routes/org-writes.ts';
import { orgRoutes } from '../../src/http/routes/orgs.ts';
import { overviewRoutes } from '../../src/http/routes/overviews.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const routes = [
  ...orgRoutes,
  ...orgWriteRoutes,
  ...labelRoutes,
  ...orgListRoutes,
  ...activityRoutes,
  ...overviewRoutes,
  ...manifestRoutes,
];

forEachEngine('org routes', (engine) => {
  let opened: Promise<{ app: App; service: Service; writer: string }> | null = null;
  const open = () => {
    opened ??= start();
    return opened;
  };
  const start = async () => {
    const app = await engine.openTestApp({ env: { REGISTRY_RATE_PUBLIC: '0', REGISTRY_RATE_TOKEN: '0' } });
    const service = await startService(app, { routes });
    const { token } = await createToken(app.ctx, { name: 'writer', scopes: ['write'] });
    return { app, service, writer: token };
  };
  const makeOrg = async () => {
    const { ctx } = (await open()).app;
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id);
    const source = await createSource(ctx, { orgId: org.id, productId: product.id });
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    return { org, product, source };
  };

  it('every read answers what it declares', async () => {
    const { service } = await open();
    const { org, product, source } = await makeOrg();
    const ofOrg = `/v1/orgs/${org.slug}`;
    const ofProduct = [`/v1/products/${product.id}`, `${ofOrg}/products/${product.slug}`];
    const ofSource = [`/v1/sources/${source.id}`, `${ofOrg}/sources/${source.slug}`];
    const paths = [
      '/v1/orgs',
      '/v1/orgs?envelope=false&includeEmpty=1&status=tracked',
      ofOrg,
      ...['/releases', '/releases?limit=1&include_content=false', '/recent-releases?since=2020-01-01', '/products'].map(
        (path) => ofOrg + path,
      ),
      ...['/catalog', `/resolve/${source.slug}`, `/resolve/${product.slug}`, '/collections', '/tags', '/manifest'].map(
        (path) => ofOrg + path,
      ),
      ...['/accounts', '/accounts?platform=github', '/activity', '/heatmap', '/sparklines', '/overview'].map(
        (path) => ofOrg + path,
      ),
      ...ofProduct.flatMap((path) => ['/activity', '/heatmap', '/overview'].map((rest) => path + rest)),
      ...ofSource.flatMap((path) => ['/activity', '/heatmap'].map((rest) => path + rest)),
    ];
    for (const path of paths) {
      const answer = await service.anonymous.get(path);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=\d+/, path);
    }
  });

  it('operators read what is theirs', async () => {
    const { service } = await open();
    const { org } = await makeOrg();
    const paths = ['/overview/inputs', '/overview/inputs?check=1&window=30', '/playbook', '/ignored-urls'].map(
      (path) => `/v1/orgs/${org.slug}${path}`,
    );
    for (const path of [...paths, `/v1/admin/orgs/${org.id}/dependents`, '/v1/admin/overviews?missing=1']) {
      const answer = await service.root.get(path);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store', path);
    }
  });

  it('writes answer what they declare and are seen at once', async () => {
    const { service } = await open();
    const { root } = service;
    const created = await root.post('/v1/orgs', {
      name: 'Written',
      domain: 'https://www.Written.example/',
      tags: ['a'],
    });
    assert.deepEqual([created.status, created.body.domain], [201, 'written.example']);
    assert.equal(created.headers.get('location'), `/v1/orgs/${created.body.id}`);
    const path = '/v1/orgs/written';
    const steps: [string, string, unknown, number][] = [
      ['PATCH', path, { description: 'Text', notice: { message: 'Hello' } }, 200],
      ['PUT', `${path}/tags`, { tags: ['b'] }, 200],
      ['DELETE', `${path}/tags`, { tags: ['a'] }, 200],
      ['POST', `${path}/aliases`, { domain: 'also.example' }, 201],
      ['DELETE', `${path}/aliases/also.example`, undefined, 200],
      ['POST', `${path}/accounts`, { platform: 'GitHub', handle: 'written' }, 201],
      ['DELETE', `${path}/accounts/github/written`, undefined, 200],
      ['POST', `${path}/ignored-urls`, { url: 'https://written.example/a b', reason: 'no' }, 400],
      ['POST', `${path}/ignored-urls`, { url: 'https://written.example/a', reason: 'no' }, 201],
      ['DELETE', `${path}/ignored-urls/${encodeURIComponent('https://written.example/a')}`, undefined, 200],
      ['POST', `${path}/overview`, { content: 'All.', releaseCount: 0 }, 200],
      ['DELETE', `${path}/overview`, undefined, 200],
      ['PATCH', `${path}/playbook/notes`, { notes: 'Note' }, 200],
      ['DELETE', path, undefined, 200],
      ['POST', `/v1/orgs/${created.body.id}/restore`, undefined, 200],
      ['DELETE', `/v1/orgs/${created.body.id}?hard=true`, undefined, 200],
    ];
    for (const [method, target, body, status] of steps) {
      const answer = await root.request(method, target, body);
      assert.equal(answer.status, status, `${method} ${target}: ${answer.text}`);
    }
    const stub = await root.post('/v1/orgs/stub', { name: 'Stubbed', releases: [{ github: 'stubbed/cli' }] });
    assert.deepEqual([stub.status, stub.body.status, stub.body.locationCount], [201, 'stub', 1]);
  });

  it('labels of products, under both paths', async () => {
    const { service } = await open();
    const { org, product } = await makeOrg();
    for (const path of [`/v1/products/${product.id}`, `/v1/orgs/${org.slug}/products/${product.slug}`]) {
      assert.deepEqual((await service.root.put(`${path}/tags`, { tags: ['x'], mode: 'replace' })).body.tags, ['x']);
      assert.equal((await service.root.post(`${path}/aliases`, { domain: 'p.example' })).status, 201);
      assert.equal((await service.root.delete(`${path}/aliases/p.example`)).status, 200);
      assert.equal((await service.root.post(`${path}/overview`, { content: 'x', releaseCount: 1 })).status, 200);
      assert.equal((await service.root.delete(`${path}/overview`)).status, 200);
    }
  });

  it('refused: bodies and parameters that break a rule', async () => {
    const { service } = await open();
    const { org } = await makeOrg();
    const path = `/v1/orgs/${org.slug}`;
    const cases: [string, string, unknown, string][] = [
      ['POST', '/v1/orgs', {}, 'validation_failed'],
      ['POST', '/v1/orgs', { name: 'X', slug: 'Not A Slug' }, 'validation_failed'],
      ['POST', '/v1/orgs', { name: 'X', domain: '127.0.0.1' }, 'validation_failed'],
      ['POST', '/v1/orgs', { name: 'X', avatarUrl: 'http://x.example/a.png' }, 'validation_failed'],
      ['PATCH', path, {}, 'bad_request'],
      ['PATCH', path, { accounts: [] }, 'validation_failed'],
      ['PATCH', path, { name: null }, 'validation_failed'],
      ['PATCH', path, { overviewCadenceDays: 91 }, 'validation_failed'],
      ['PATCH', path, { trackingRequestedAt: '2026-01-01' }, 'validation_failed'],
      ['GET', '/v1/orgs?featured=yes', undefined, 'bad_request'],
      ['GET', `${path}/products?kind=robot`, undefined, 'bad_request'],
      ['GET', `${path}/releases?since=2026-02-30`, undefined, 'bad_request'],
      ['GET', `${path}/releases?cursor=abc`, undefined, 'invalid_cursor'],
      ['GET', `${path}/recent-releases`, undefined, 'bad_request'],
      ['GET', `${path}/activity?from=soon`, undefined, 'bad_request'],
      ['GET', '/v1/products/engine/activity', undefined, 'bare_slug_rejected'],
      ['DELETE', `${path}?hard=true`, undefined, 'bad_request'],
      ['POST', `${path}/restore`, undefined, 'bad_request'],
      ['POST', '/v1/orgs/stub', { name: 'No locator' }, 'validation_failed'],
    ];
    for (const [method, target, body, code] of cases) {
      const answer = await service.root.request(method, target, body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, code], `${method} ${target}`);
    }
  });

  it('refused: who may not', async () => {
    const { service, writer } = await open();
    const { org } = await makeOrg();
    const path = `/v1/orgs/${org.id}`;
    const asWriter = service.as(writer);

    for (const [method, target] of [
      ['POST', '/v1/orgs'],
      ['PATCH', path],
      ['DELETE', path],
      ['GET', `${path}/playbook`],
      ['GET', `${path}/ignored-urls`],
      ['GET', '/v1/admin/overviews'],
    ] as const) {
      assert.equal((await service.anonymous.request(method, target)).status, 401, `${method} ${target}`);
    }
    const listed = await service.anonymous.get('/v1/orgs?trackingRequested=1');
    assert.deepEqual([listed.status, listed.body.error.code], [403, 'forbidden']);
    const erased = await asWriter.delete(`${path}?hard=true`);
    assert.deepEqual([erased.status, erased.body.error.code], [403, 'insufficient_scope']);
    assert.equal((await asWriter.post('/v1/orgs/stub', { name: 'X' })).status, 403);
    assert.equal((await service.root.get('/v1/orgs?trackingRequested=1')).status, 200);
  });

  it('not found: what is not there or not to be seen', async () => {
    const { service, writer } = await open();
    const { org } = await makeOrg();
    const path = `/v1/orgs/${org.id}`;
    await service.root.patch(path, { isHidden: true });

    for (const rest of ['', '/releases', '/products', '/tags', '/activity', '/manifest', '/overview', '/catalog']) {
      const answer = await service.anonymous.get(path + rest);
      assert.deepEqual([answer.status, answer.body.error.details.entity], [404, 'org'], rest);
      const seen = await service.as(writer).get(path + rest);
      assert.deepEqual([seen.status, seen.headers.get('cache-control')], [200, 'private, no-store'], rest);
    }
    const product = await service.root.get(`${path}/releases?product=nothing`);
    assert.deepEqual(product.body.error.details, { entity: 'product', value: 'nothing', parameter: 'product' });
  });

  it('negotiates markdown for the org and its feed', async () => {
    const { service } = await open();
    const { org, source } = await makeOrg();
    await service.root.post(`/v1/orgs/${org.id}/overview`, { content: 'It moves.', releaseCount: 2 });
    const markdown = { Accept: 'text/markdown' };

    const detail = await service.anonymous.get(`/v1/orgs/${org.slug}`, markdown);
    const feed = await service.anonymous.get(`/v1/orgs/${org.slug}/releases?limit=1`, markdown);

    assert.equal(detail.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(
      detail.text,
      new RegExp(`^---\nname: ${org.name}\nslug: ${org.slug}\nsources: 1\ntotal_releases: 2\n`),
    );
    assert.match(detail.text, /\n## Overview\n\nIt moves\.\n\n<Product name=.*\/>\n\n<Source name=/);
    assert.match(feed.text, new RegExp(`^---\norganization: ${org.name}\nrelease_count: 1\nhas_more: true\n---\n`));
    assert.match(feed.text, new RegExp(`<Release id="rel_\\w+" org="${org.slug}" source="${source.slug}"`));
    assert.match(feed.text, /\n<Pagination cursor="[\w-]+" \/>\n$/);
  });

  it('shows a write in the next read, although answers are kept', async () => {
    const { service } = await open();
    const { org } = await makeOrg();
    const read = async () => (await service.anonymous.get(`/v1/orgs/${org.slug}/tags`)).body.items;

    assert.deepEqual(await read(), []);
    await service.root.put(`/v1/orgs/${org.slug}/tags`, { tags: ['fresh'] });
    assert.deepEqual(await read(), ['fresh']);
  });
});
