import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Fixture, startFixture } from '../../../../test/support/kernel-fixture.ts';
import { Reply } from '../../kernel/reply.ts';
import { route } from '../../kernel/route.ts';

describe('routes of the kernel itself', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture({ env: { REGISTRY_METRICS_TOKEN: 'a-metrics-token-of-24-ch' } });
  });
  after(() => service.close());

  it('GET /health tells version and age without the database', async () => {
    service.pass(90);
    const { version, ...answer } = (await service.call('/health')).json;
    assert.deepEqual(answer, { ok: true, service: 'release-registry', uptimeSeconds: 90 });
    assert.match(version, /^\d+\.\d+\.\d+/);
  });

  it('GET /ready', async () => {
    assert.deepEqual((await service.call('/ready')).json, { ok: true, db: 'ok', migrations: 'current' });
  });

  it('GET /v1 links to everything else', async () => {
    const answer = await service.call('/v1');
    assert.equal(answer.json.version, 'v1');
    assert.deepEqual(Object.keys(answer.json.links), ['openapi', 'docs', 'catalog', 'web', 'health']);
    assert.match(
      answer.headers.link ?? '',
      /\/v1\/openapi\.json>; rel="service-desc"; type="application\/openapi\+json"$/,
    );
  });

  it('GET / is a page, or the index for clients that prefer JSON', async () => {
    const page = await service.call('/', { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    const index = await service.call('/', { headers: { Accept: 'application/json' } });

    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.text, /href="\/v1\/docs"/);
    assert.match(
      page.headers['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    assert.match(page.headers['permissions-policy'] ?? '', /camera=\(\)/);
    assert.match(page.headers.etag ?? '', /^W\/"/);
    assert.equal(page.headers['cache-control'], 'public, max-age=60, stale-while-revalidate=300');
    assert.deepEqual(index.json, (await service.call('/v1')).json);
    assert.equal((await service.call('/', { method: 'POST' })).json.error.code, 'method_not_allowed');
    const again = await service.call('/', { headers: { 'If-None-Match': page.headers.etag ?? '' } });
    assert.equal(again.status, 304);
  });

  it('GET /.well-known/api-catalog', async () => {
    const answer = await service.call('/.well-known/api-catalog');
    assert.equal(answer.headers['content-type'], 'application/linkset+json');
    assert.match(answer.headers.link ?? '', /rel="api-catalog"$/);
    assert.equal(answer.json.linkset.length, 3);
    for (const entry of answer.json.linkset) {
      assert.deepEqual(Object.keys(entry), ['anchor', 'service-desc', 'service-doc', 'status']);
    }
  });

  it('GET /schemas/releases-v2.json accepts manifests and refuses what is none', async () => {
    const schema = (await service.call('/schemas/releases-v2.json')).json;
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    const validate = ajv.compile(schema);
    const locators = (count: number) => Array.from({ length: count }, () => ({ github: 'acme/cli' }));
    const accepted = [
      { version: 2 },
      { version: 2, unknown: true, registries: { 'registry.example': { org: 'org_a1', product: 'prd_b2', more: 1 } } },
      { version: 2, releases: locators(32), products: [{ name: 'CLI', releases: locators(8), archived: false }] },
      { version: 2, social: { github: 'acme' }, tags: ['cli'], avatar: 'https://acme.example/a.png' },
    ];
    const refused = [
      {},
      { version: 1 },
      { version: 2, releases: locators(33) },
      { version: 2, releases: [{ url: 'http://acme.example' }] },
      { version: 2, releases: [{ github: 'acme' }] },
      { version: 2, releases: [{ other: 1 }] },
      { version: 2, products: [{ slug: 'cli' }] },
      { version: 2, products: [{ name: 'CLI', releases: locators(9) }] },
      { version: 2, tags: [''] },
      { version: 2, registries: { x: { org: 'acme' } } },
    ];
    for (const document of accepted) assert.ok(validate(document), JSON.stringify([document, validate.errors]));
    for (const document of refused) assert.equal(validate(document), false, JSON.stringify(document));
  });
});

describe('GET /metrics', () => {
  it('needs admin scope or the metrics token', async () => {
    const service = await startFixture({ env: { REGISTRY_METRICS_TOKEN: 'a-metrics-token-of-24-ch' } });
    for (const token of [undefined, 'nobody', 'write-token']) {
      assert.equal((await service.call('/metrics', { token })).status, 401, `${token}`);
    }
    for (const token of ['admin-token', 'root-key', 'a-metrics-token-of-24-ch']) {
      assert.equal((await service.call('/metrics', { token })).status, 200, token);
    }
    assert.equal((await service.call('/v1/admin', { token: 'a-metrics-token-of-24-ch' })).status, 401);
    await service.close();
  });

  it('counts by route template and status, the fast lane included', async () => {
    const pool = () => ({ total: 4, idle: 3, waiting: 0 });
    const service = await startFixture({ env: { REGISTRY_METRICS: 'public' }, input: { pool } });
    for (let i = 0; i < 3; i += 1) await service.call('/v1/notes');
    await service.call(`/v1/releases/rel_${'A'.repeat(21)}`);
    await service.call('/v1/releases/unknown');
    await service.call('/v1/elsewhere');
    const answer = await service.call('/metrics');

    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'no-store');
    const lines = answer.text.split('\n');
    for (const line of [
      'registry_http_requests_total{method="GET",route="/v1/notes",status="200"} 3',
      'registry_http_requests_total{method="GET",route="/v1/releases/{rel}",status="200"} 1',
      'registry_http_requests_total{method="GET",route="/v1/releases/{rel}",status="404"} 1',
      'registry_http_requests_total{method="GET",route="unmatched",status="404"} 1',
      'registry_http_request_duration_seconds_count{method="GET",route="/v1/notes",status="200"} 3',
      'registry_http_request_duration_seconds_bucket{method="GET",route="/v1/notes",status="200",le="+Inf"} 3',
      'registry_cache_hits_total 2',
      'registry_database_pool_connections{state="idle"} 3',
      'registry_releases_inserted_total 0',
      '# TYPE registry_changelog_outside_characters_total counter',
    ]) {
      assert.ok(lines.includes(line), `${line}\n${answer.text.slice(0, 3000)}`);
    }
    assert.match(answer.text, /process_resident_memory_bytes \d/);
    assert.match(answer.text, /registry_build_info\{version="[\d.]+",node="[\d.]+",engine="sqlite"\} 1/);
    await service.close();
  });

  it('names the process where several share a port, and no process for the work of all', async () => {
    const input = { processName: 'web-2' };
    const service = await startFixture({ env: { REGISTRY_METRICS: 'public' }, input });
    await service.call('/v1/notes');
    const lines = (await service.call('/metrics')).text.split('\n');

    assert.ok(
      lines.includes('registry_http_requests_total{method="GET",route="/v1/notes",status="200",process="web-2"} 1'),
    );
    assert.ok(lines.includes('registry_cache_hits_total{process="web-2"} 0'));
    assert.ok(lines.some((line) => /^registry_http_request_duration_seconds_count\{.*process="web-2"/.test(line)));
    assert.ok(lines.includes('registry_releases_inserted_total 0'));
    await service.close();
  });

  it('404 when switched off', async () => {
    const service = await startFixture({ env: { REGISTRY_METRICS: 'off' } });
    assert.equal((await service.call('/metrics', { token: 'root-key' })).json.error.code, 'not_found');
    await service.close();
  });
});

describe('further groups of routes', () => {
  it('carry the common headers and fail in the common form', async () => {
    const common = { method: 'GET', summary: 'For tests', tag: 'Fixture', access: 'public', answers: null } as const;
    const service = await startFixture({
      input: {
        groups: [
          {
            prefix: '',
            routes: [
              route({
                ...common,
                path: '/extra',
                run: async () => new Reply(200, 'mounted', { 'Content-Type': 'text/plain' }),
              }),
              route({ ...common, path: '/broken', run: () => Promise.reject(new Error('cause')) }),
            ],
          },
        ],
      },
    });
    const answer = await service.call('/extra');
    assert.equal(answer.text, 'mounted');
    assert.equal(answer.headers['x-frame-options'], 'DENY');
    assert.ok(answer.headers['x-request-id']);
    assert.equal((await service.call('/extra', { method: 'POST' })).json.error.code, 'method_not_allowed');
    assert.equal((await service.call('/broken')).json.error.code, 'internal_error');
    await service.close();
  });
});
