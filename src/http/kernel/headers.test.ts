import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFixture } from '../../../test/support/kernel-fixture.ts';

describe('the promise of https', () => {
  const https = { REGISTRY_BASE_URL: 'https://registry.example' };
  const cases: [name: string, env: Record<string, string>, header: string | undefined][] = [
    ['is not made by a service without https', { REGISTRY_HSTS_SUBDOMAINS: 'true' }, undefined],
    ['covers one host unless asked for more', https, 'max-age=31536000'],
    [
      'covers the hosts below when the operator says so',
      { ...https, REGISTRY_HSTS_SUBDOMAINS: 'true' },
      'max-age=31536000; includeSubDomains',
    ],
  ];
  for (const [name, env, header] of cases) {
    it(name, async () => {
      const service = await startFixture({ env });
      const answers = [
        await service.call('/', { headers: { Accept: 'text/html' } }),
        await service.call('/v1/docs'),
        await service.call('/v1/openapi.json'),
        // The second call is served from the cache, without the router.
        await service.call('/v1/openapi.json'),
        await service.call('/v1/nowhere'),
      ];
      await service.close();

      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers['strict-transport-security']]),
        [200, 200, 200, 200, 404].map((status) => [status, header]),
      );
    });
  }
});
