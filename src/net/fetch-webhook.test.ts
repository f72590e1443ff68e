import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeTimers } from './fake-timers.fixture.ts';
import { openFetch, serve } from './loopback.fixture.ts';
import type { FetchRules } from './rules.ts';

// The limits of one delivery attempt: the same guarded fetch, stricter.
const ATTEMPT: FetchRules = {
  httpsOnly: true,
  ports: 'web',
  codings: 'identity',
  overflow: 'cut',
  retry: false,
  limits: { totalMs: 10_000, maxBytes: 64 * 1024, maxRedirects: 0 },
};
const POST = { method: 'POST', body: '{}' } as const;

describe('a delivery attempt', () => {
  it('reads 64 KiB of the answer and no more', async (t) => {
    const { origin, seen } = await serve(t, (_, response) => response.writeHead(500).end('x'.repeat(200_000)));
    const result = await openFetch({ rules: ATTEMPT })({ url: origin, ...POST });
    assert.ok(result.ok && result.truncated);
    assert.deepEqual([result.status, result.body.length, result.requests], [500, 64 * 1024, 1]);
    assert.equal(seen[0]?.headers['accept-encoding'], 'identity');
  });

  it('hands a redirect back', async (t) => {
    const { origin, seen } = await serve(t, (_, response) => response.writeHead(302, { location: '/x' }).end());
    const result = await openFetch({ rules: ATTEMPT })({ url: origin, ...POST });
    assert.ok(result.ok && result.status === 302);
    assert.equal(seen.length, 1);
  });

  it('ends after 10 seconds', async (t) => {
    const timers = createFakeTimers();
    const { origin } = await serve(t, () => timers.advance(10_000));
    const result = await openFetch({ rules: ATTEMPT, timers })({ url: origin, ...POST });
    assert.ok(!result.ok && result.failure === 'timeout');
  });

  for (const [url, code] of [
    ['http://hooks.example/', 'not_https'],
    ['https://hooks.example:25/', 'port'],
    ['https://printer.local/', 'internal_host'],
    ['https://10.0.0.1/', 'private_address'],
    ['hooks.example', 'invalid_url'],
  ] as const) {
    it(`${url} is refused: ${code}`, async () => {
      const result = await openFetch({ rules: ATTEMPT, allow: [] })({ url, ...POST });
      assert.ok(!result.ok);
      assert.deepEqual([result.failure, result.code, result.requests], ['refused', code, 0]);
    });
  }
});
