// What a path allows, and what is said of packages that are never compared.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ROUTES } from '../../src/http/routes/index.ts';
import { listPublished } from '../insight/published.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

// The filters by meaning that each route declares; what it does not, it refuses.
const DECLARED = new Set(
  ROUTES.flatMap(({ path, query }) => Object.keys(query ?? {}).map((name) => `/v1${path} ${name}`)),
);

forEachEngine('small answers', (engine) => {
  it('name the methods of the path itself, and say that a package is not compared', async () => {
    const app = await engine.openTestApp({ env: { REGISTRY_EVIDENCE: 'off' } });
    const service = await startService(app);
    const allow = async (path: string) =>
      (await fetch(`${service.url}${path}`, { method: 'OPTIONS' })).headers.get('allow');
    assert.equal(await allow('/v1/releases/latest'), 'GET, HEAD, OPTIONS');
    assert.equal(await allow(`/v1/releases/rel_${'a'.repeat(21)}`), 'GET, PATCH, DELETE, HEAD, OPTIONS');

    for (const filter of ['minBreaking=major', 'minImportance=3', 'security=true']) {
      for (const path of ['/v1/releases/latest', '/v1/search', '/v1/stats']) {
        const { status, body } = await service.anonymous.get(`${path}?q=lamp&${filter}`);
        const isIgnored = status === 200 && !DECLARED.has(`${path} ${filter.split('=')[0]}`);
        assert.ok(!isIgnored, `${path} ${filter}`);
        if (status !== 200) assert.deepEqual([status, body.error.details.parameter], [400, filter.split('=')[0]]);
      }
    }

    await listPublished(app.ctx, 'py-lamp', ['1.0.0', '2.0.0'], { ecosystem: 'pypi' });
    const compared = await service.anonymous.get('/v1/packages/pypi/Py_Lamp/compare?from=1.0.0&to=latest');
    assert.deepEqual([compared.status, compared.body.status, compared.body.to], [200, 'off', '2.0.0']);
    const unknown = await service.anonymous.get('/v1/packages/pypi/nobody/compare?from=1.0.0&to=2.0.0');
    assert.equal(unknown.status, 404);
  });
});
