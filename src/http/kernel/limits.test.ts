import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answered, type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { consumeSharedLimit, purgeEndedLimits } from '../../accounts/limits.ts';

const PUBLIC = { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_RATE_PUBLIC: '3', REGISTRY_RATE_TOKEN: '2' };
const LATEST = '/v1/latest';

function assertRefused(answer: Answered, policy: string, seconds: string): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.json.error.code, 'rate_limited');
  assert.equal(answer.json.error.type, 'rate_limited');
  assert.equal(answer.headers['retry-after'], seconds);
  assert.match(answer.headers.ratelimit ?? '', new RegExp(`"${policy}";r=0;t=${seconds}$`));
}

describe('tiers', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture({ env: PUBLIC });
  });
  after(() => service.close());

  it('429 rate_limited after the quota, and again free after the window', async () => {
    const first = await service.call('/v1/uncached');
    assert.equal(first.headers['ratelimit-policy'], '"public";q=3;w=60');
    assert.equal(first.headers.ratelimit, '"public";r=2;t=60');
    service.pass(10);
    await service.call('/v1/uncached', { method: 'HEAD' });
    assert.equal((await service.call('/v1/nothing')).headers.ratelimit, '"public";r=0;t=50');

    assertRefused(await service.call('/v1/uncached'), 'public', '50');
    assert.equal((await service.call('/v1/touch', { method: 'POST' })).status, 200);
    assert.equal((await service.call('/health')).status, 200);
    assertRefused(await service.call('/v1/unknown'), 'public', '50');
    assert.equal((await service.call('/unknown')).status, 404);

    service.pass(50);
    assert.equal((await service.call('/v1/uncached')).status, 200);
  });

  it('counts answers from kept bytes, too', async () => {
    service.pass(60);
    for (const left of [2, 1, 0]) {
      assert.equal((await service.call(LATEST)).headers.ratelimit, `"public";r=${left};t=60`);
    }
    assertRefused(await service.call(LATEST), 'public', '60');
  });

  it('counts each token by itself and never the root key', async () => {
    service.pass(60);
    assert.equal((await service.call(LATEST, { token: 'read-token' })).headers.ratelimit, '"token";r=1;t=60');
    assert.equal((await service.call(LATEST, { token: 'write-token' })).headers.ratelimit, '"token";r=1;t=60');
    await service.call(LATEST, { token: 'read-token' });
    assertRefused(await service.call(LATEST, { token: 'read-token' }), 'token', '60');
    assert.equal((await service.call(LATEST, { token: 'nobody' })).headers.ratelimit, '"public";r=2;t=60');
    assert.equal((await service.call(LATEST, { token: 'root-key' })).headers.ratelimit, undefined);
  });

  it('limits before it asks for a credential', async () => {
    service.pass(60);
    for (let i = 0; i < 3; i += 1) assert.equal((await service.call('/v1/mine')).status, 401);
    assertRefused(await service.call('/v1/mine'), 'public', '60');
  });

  it('counts paths that lead nowhere, for whoever is calling', async () => {
    service.pass(60);
    for (const left of [2, 1, 0]) {
      const answer = await service.call('/v1/unknown');
      assert.deepEqual([answer.status, answer.headers.ratelimit], [404, `"public";r=${left};t=60`]);
    }
    assertRefused(await service.call('/v1/unknown'), 'public', '60');
    assert.equal((await service.call('/v1/unknown', { method: 'HEAD' })).status, 429);
    assert.equal((await service.call('/v1/unknown', { method: 'POST' })).status, 404);
    assert.equal((await service.call('/v1/unknown', { token: 'read-token' })).headers.ratelimit, '"token";r=1;t=60');
    assert.equal((await service.call('/v1/unknown', { token: 'root-key' })).status, 404);
  });

  it('counts a refused credential of any method for the address', async () => {
    service.pass(60);
    const attempt = () => service.call('/v1/notes', { method: 'POST', token: 'wrong', body: { name: 'a' } });
    for (const left of [2, 1, 0]) {
      const answer = await attempt();
      assert.deepEqual([answer.status, answer.headers.ratelimit], [401, `"public";r=${left};t=60`]);
    }
    assertRefused(await attempt(), 'public', '60');
    assertRefused(await service.call('/v1/unknown', { method: 'DELETE', token: 'wrong' }), 'public', '60');
    const valid = await service.call('/v1/notes', { method: 'POST', token: 'write-token', body: { name: 'b' } });
    assert.equal(valid.status, 201);
  });

  it('believes no forwarding header from strangers', async () => {
    service.pass(60);
    for (let i = 0; i < 3; i += 1) await service.call(LATEST, { headers: { 'X-Forwarded-For': `203.0.113.${i}` } });
    assert.equal((await service.call(LATEST, { headers: { 'X-Forwarded-For': '203.0.113.9' } })).status, 429);
  });
});

describe('clients on the same machine', () => {
  it('are exempt while the registry serves this machine only, unless something forwards', async () => {
    const service = await startFixture({ env: { REGISTRY_RATE_PUBLIC: '1' } });
    for (let i = 0; i < 3; i += 1) {
      const answer = await service.call(LATEST);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.ratelimit, undefined);
    }
    const forwarded = { 'X-Forwarded-For': '203.0.113.1' };
    assert.equal((await service.call(LATEST, { headers: forwarded })).headers.ratelimit, '"public";r=0;t=60');
    assert.equal((await service.call(LATEST, { headers: forwarded })).status, 429);
    await service.close();
  });
});

describe('behind a trusted proxy', () => {
  it('counts by the right-most untrusted hop, IPv6 by /64; a quota of 0 switches the tier off', async () => {
    const service = await startFixture({
      env: { ...PUBLIC, REGISTRY_TRUSTED_PROXIES: '127.0.0.0/8,2001:db8:ffff::1' },
    });
    const left = async (hops: string) =>
      (await service.call(LATEST, { headers: { 'X-Forwarded-For': hops } })).headers.ratelimit?.slice(0, 12);
    assert.equal(await left('203.0.113.1'), '"public";r=2');
    assert.equal(await left('198.51.100.7, 203.0.113.1, 127.0.0.9'), '"public";r=1');
    assert.equal(await left('2001:db8:1:2::5, 2001:db8:ffff::1'), '"public";r=2');
    assert.equal(await left('2001:db8:1:2:ffff::6'), '"public";r=1');
    assert.equal(await left('2001:db8:1:3::5'), '"public";r=2');
    await service.close();
    const open = await startFixture({ env: { ...PUBLIC, REGISTRY_RATE_PUBLIC: '0' } });
    assert.equal((await open.call(LATEST)).headers.ratelimit, undefined);
    await open.close();
  });
});

describe('limiters over all processes', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture({ env: { ...PUBLIC, REGISTRY_RATE_TOKEN: '1000' } });
  });
  after(() => service.close());
  const post = (path: string, token?: string) => service.call(path, { method: 'POST', token });

  it('lookups: 10 a minute by address, or by token', async () => {
    for (let i = 0; i < 10; i += 1) assert.equal((await post('/v1/lookups')).status, 200);
    assertRefused(await post('/v1/lookups'), 'lookups', '60');
    assert.equal((await post('/v1/lookups', 'read-token')).headers['ratelimit-policy'], '"lookups";q=10;w=60');
    assert.equal((await post('/v1/lookups', 'root-key')).headers['ratelimit-policy'], undefined);
    service.pass(60);
    assert.equal((await post('/v1/lookups')).headers.ratelimit, '"lookups";r=9;t=60');
  });

  it('feedback: 5 a minute for each of its routes, by address whatever the token', async () => {
    for (let i = 0; i < 5; i += 1) assert.equal((await post('/v1/feedback')).status, 202);
    assertRefused(await post('/v1/feedback', 'read-token'), 'feedback', '60');
    assert.equal((await post('/v1/recommendations')).status, 202);
  });

  it('outbound: 30 a minute by token, told beside the tier', async () => {
    const first = await service.call('/v1/evaluate', { token: 'admin-token' });
    assert.equal(first.headers['ratelimit-policy'], '"token";q=1000;w=60, "outbound";q=30;w=60');
    assert.equal(first.headers.ratelimit, '"token";r=999;t=60, "outbound";r=29;t=60');
    for (let i = 0; i < 29; i += 1) await service.call('/v1/evaluate', { token: 'admin-token' });
    assertRefused(await service.call('/v1/evaluate', { token: 'admin-token' }), 'outbound', '60');
    assert.equal((await service.call('/v1/evaluate')).status, 401);
  });

  it('lets exactly the limit pass when many ask at once', async () => {
    const { ctx } = service.app;
    const requested = Array.from({ length: 20 }, () =>
      consumeSharedLimit(ctx, { key: 'crowd', limit: 7, windowSeconds: 60 }),
    );
    assert.equal((await Promise.all(requested)).filter(({ allowed }) => allowed).length, 7);
  });

  it('forgets windows that ended', async () => {
    service.pass(3600);
    await purgeEndedLimits(service.app.ctx);
    assert.deepEqual(await service.app.ctx.store.read.selectFrom('limits').selectAll().execute(), []);
  });

  it('does not move the data version', async () => {
    const before = service.app.ctx.store.dataVersion();
    await post('/v1/lookups');
    assert.equal(service.app.ctx.store.dataVersion(), before);
  });
});
