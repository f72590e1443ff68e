// Webhooks over a real socket, with real credentials.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createToken } from '../../src/accounts/tokens.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { HOOK_URL, SLACK_URL, storedRow } from './fixture.ts';
import { openRoutes } from './route-world.ts';

forEachEngine('webhook routes', (engine) => {
  const lines: string[] = [];
  const setUp = openRoutes(engine, lines);
  const code = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

  it('lead an account through the life of a webhook', async () => {
    const { me, body, ctx, source } = await setUp();
    const made = await me.post('/v1/me/webhooks', body);
    const { id } = made.body;
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/v1/me/webhooks/${id}`);
    assert.equal(made.headers.get('cache-control'), 'private, no-store');
    const path = `/v1/me/webhooks/${id}`;
    assert.equal((await me.get('/v1/me/webhooks?enabled=true')).body.subscriptions[0].id, id);
    assert.equal((await me.get(path)).body.signingKey, undefined);
    assert.equal((await me.patch(path, { description: 'x' })).body.description, 'x');
    const rotated = await me.post(`${path}/rotate-secret`);
    assert.deepEqual([rotated.status, rotated.body.secretVersion], [200, 2]);
    assert.equal((await me.post(`${path}/rotate-secret`, { revokeOld: true })).body.previousKeyExpiresAt, null);
    const test = await me.post(`${path}/test`);
    assert.deepEqual([test.status, test.body.enqueued], [200, true]);
    assert.deepEqual((await me.get(`${path}/deliveries?limit=500&failed=true`)).body, {
      data: [],
      rows: 0,
      pagination: { nextCursor: null, limit: 100 },
    });
    assert.deepEqual(code(await me.post(`${path}/deliveries/${test.body.deliveryId}/replay`)), [409, 'conflict']);
    await postReleases(ctx, source.id, [releaseRow('1.0.0', { url: `https://routes.example/${id}` })]);
    const ranged = await me.post(`${path}/replay`, { since: '1d' });
    assert.deepEqual([ranged.status, ranged.body.queued], [202, ranged.body.matched]);
    assert.ok(ranged.body.queued > 0);
    const queued = await ctx.store.read
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('subscription_id', '=', id)
      .where('replay', '=', 1)
      .executeTakeFirstOrThrow();
    const again = await me.post(`${path}/deliveries/${queued.id}/replay`);
    assert.deepEqual([again.status, again.body.eventId], [202, queued.event_id]);
    assert.equal((await me.delete(path)).status, 204);
    assert.deepEqual(code(await me.get(path)), [404, 'not_found']);
  });

  describe('know who calls:', () => {
    it('nobody, machines and the operator have no account', async () => {
      const { service, ctx } = await setUp();
      const { token } = await createToken(ctx, { name: 'ci', scopes: ['admin'] });
      for (const client of [service.anonymous, service.root, service.as(token), service.as('relu_unknown')]) {
        for (const call of [client.get('/v1/me/webhooks'), client.post('/v1/me/webhooks', {})]) {
          assert.deepEqual(code(await call), [401, 'unauthorized']);
        }
      }
    });

    it('accounts and machines without admin have no operator lane', async () => {
      const { service, me, ctx } = await setUp();
      const { token } = await createToken(ctx, { name: 'ci', scopes: ['write'] });
      assert.deepEqual(code(await service.anonymous.get('/v1/webhooks')), [401, 'unauthorized']);
      for (const client of [me, service.as(token)]) {
        assert.deepEqual(code(await client.get('/v1/webhooks')), [403, 'insufficient_scope']);
        assert.deepEqual(code(await client.post('/v1/webhooks', {})), [403, 'insufficient_scope']);
        assert.deepEqual(code(await client.get('/v1/webhooks/dlq')), [403, 'insufficient_scope']);
        assert.deepEqual(code(await client.get('/v1/webhooks/events')), [403, 'insufficient_scope']);
      }
    });

    it('what another account owns is not there, on every route', async () => {
      const mine = await setUp();
      const theirs = await setUp();
      const { id } = await mine.create();
      const path = `/v1/me/webhooks/${id}`;
      const { me } = theirs;
      for (const call of [
        () => me.get(path),
        () => me.patch(path, { enabled: false }),
        () => me.delete(path),
        () => me.post(`${path}/rotate-secret`),
        () => me.post(`${path}/test`),
        () => me.get(`${path}/deliveries`),
        () => me.post(`${path}/deliveries/dlv_x/replay`),
        () => me.post(`${path}/replay`, { since: '1d' }),
      ]) {
        assert.deepEqual(code(await call()), [404, 'not_found']);
      }
      assert.equal((await mine.me.get(path)).body.enabled, true);
    });
  });

  describe('check forms before anything else:', () => {
    const long = 'x'.repeat(2040);
    for (const [name, given, path] of [
      ['no address', { url: undefined }, 'url'],
      ['an address of 2049 bytes', { url: `https://a.example/${long.slice(0, 2031)}` }, 'url'],
      ['bytes, not characters', { url: `https://a.example/${'é'.repeat(1100)}` }, 'url'],
      ['an address that is no text', { url: 7 }, 'url'],
      ['an unknown scope', { scope: 'all' }, 'scope'],
      ['an unknown release type', { releaseType: 'fix' }, 'releaseType'],
      ['a flag that is none', { enabled: 'yes' }, 'enabled'],
      ['pre-releases that are none', { excludePrereleases: 1 }, 'excludePrereleases'],
      ['a description of 1001 bytes', { description: 'é'.repeat(501) }, 'description'],
      ['a format that is no text', { format: 1 }, 'format'],
    ] as const) {
      it(`${name}: 400`, async () => {
        const { me, body } = await setUp();
        const answer = await me.post('/v1/me/webhooks', { ...body, ...given });
        assert.deepEqual(code(answer), [400, 'validation_failed']);
        assert.equal(answer.body.error.details.issues[0].path, path);
      });
    }

    for (const [name, change, expected] of [
      ['nothing', {}, 'bad_request'],
      ['an unknown key', { colour: 'red' }, 'validation_failed'],
      ['the scope', { scope: 'follows' }, 'validation_failed'],
      ['the org', { orgSlug: 'x' }, 'validation_failed'],
      ['no address', { url: null }, 'validation_failed'],
      ['no flag', { enabled: null }, 'validation_failed'],
      ['a long description', { description: 'x'.repeat(1001) }, 'validation_failed'],
      ['a bad type', { releaseType: 'fix' }, 'validation_failed'],
    ] as const) {
      it(`a change of ${name}: 400`, async () => {
        const { me, create } = await setUp();
        const { id } = await create();
        assert.deepEqual(code(await me.patch(`/v1/me/webhooks/${id}`, change)), [400, expected]);
      });
    }

    it('what is no JSON, or too much of it', async () => {
      const { me } = await setUp();
      assert.deepEqual(code(await me.post('/v1/me/webhooks', '{')), [400, 'invalid_json']);
      const large = { url: HOOK_URL, orgSlug: 'x', padding: 'x'.repeat(64 * 1024) };
      assert.deepEqual(code(await me.post('/v1/me/webhooks', large)), [413, 'payload_too_large']);
    });

    it('ranges and lists', async () => {
      const { me, create, service } = await setUp();
      const { id } = await create();
      const path = `/v1/me/webhooks/${id}`;
      assert.deepEqual(code(await me.post(`${path}/replay`, {})), [400, 'validation_failed']);
      assert.deepEqual(code(await me.post(`${path}/replay`, { since: '1d', only: 'x' })), [400, 'validation_failed']);
      assert.deepEqual(code(await me.post(`${path}/replay`, { since: 'soon' })), [400, 'bad_request']);
      assert.deepEqual(code(await me.get(`${path}/deliveries?cursor=x`)), [400, 'invalid_cursor']);
      assert.deepEqual(code(await me.get('/v1/me/webhooks?enabled=x')), [400, 'bad_request']);
      assert.deepEqual(code(await service.root.get('/v1/webhooks?owner=x')), [400, 'bad_request']);
      assert.deepEqual(code(await service.root.get('/v1/webhooks/events?since=-1')), [400, 'bad_request']);
    });
  });

  describe('under an idempotency key', () => {
    const key = () => ({ 'Idempotency-Key': `key-${Math.random()}-0123456789` });

    it('make one webhook, and show its key once', async () => {
      const { me, body, ctx, userId } = await setUp();
      const headers = key();
      const first = await me.post('/v1/me/webhooks', body, headers);
      const second = await me.post('/v1/me/webhooks', body, headers);
      const { signingKey, standardSecret, ...record } = first.body;
      assert.ok(signingKey && standardSecret);
      assert.deepEqual([second.status, second.headers.get('idempotency-replayed')], [201, 'true']);
      assert.deepEqual(second.body, record);
      assert.equal(second.headers.get('location'), first.headers.get('location'));
      const rows = await ctx.store.read
        .selectFrom('webhook_subscriptions')
        .select('id')
        .where('user_id', '=', userId)
        .execute();
      assert.equal(rows.length, 1);
      const kept = await ctx.store.read.selectFrom('idempotency').select('body').execute();
      assert.ok(!JSON.stringify(kept).includes(signingKey) && !JSON.stringify(kept).includes(standardSecret));
      assert.deepEqual(code(await me.post('/v1/me/webhooks', { ...body, format: 'json' }, headers)), [
        409,
        'idempotency_conflict',
      ]);
    });

    it('rotate once', async () => {
      const { me, create, ctx } = await setUp();
      const { id } = await create();
      const headers = key();
      const first = await me.post(`/v1/me/webhooks/${id}/rotate-secret`, {}, headers);
      const second = await me.post(`/v1/me/webhooks/${id}/rotate-secret`, {}, headers);
      assert.ok(first.body.signingKey);
      const { secretVersion, previousKeyExpiresAt } = first.body;
      assert.deepEqual(second.body, { secretVersion, previousKeyExpiresAt });
      assert.equal((await storedRow(ctx, id)).secret_version, 2);
    });

    it('queue one test and one replay of a range, and count them once', async () => {
      const { me, create } = await setUp();
      const { id } = await create();
      for (const [path, status, most] of [
        ['test', 200, 5],
        ['replay', 202, 6],
      ] as const) {
        const headers = key();
        const call = () => me.post(`/v1/me/webhooks/${id}/${path}`, { since: '1d' }, headers);
        const first = await call();
        for (let repeat = 0; repeat < most + 2; repeat += 1) assert.deepEqual((await call()).body, first.body);
        assert.equal(first.status, status);
      }
    });

    it('are free again after a refusal', async () => {
      const { me, body } = await setUp();
      const headers = key();
      assert.equal((await me.post('/v1/me/webhooks', { ...body, url: 'http://x.example' }, headers)).status, 400);
      assert.equal((await me.post('/v1/me/webhooks', body, headers)).status, 201);
    });

    it('are those of one account', async () => {
      const [one, two] = [await setUp(), await setUp()];
      const headers = key();
      const first = await one.me.post('/v1/me/webhooks', one.body, headers);
      const second = await two.me.post('/v1/me/webhooks', one.body, headers);
      assert.deepEqual([first.status, second.status], [201, 201]);
      assert.notEqual(first.body.id, second.body.id);
    });
  });

  it('tell when to come back', async () => {
    const { me, create } = await setUp();
    const { id } = await create();
    for (let call = 0; call < 5; call += 1) assert.equal((await me.post(`/v1/me/webhooks/${id}/test`)).status, 200);
    const answer = await me.post(`/v1/me/webhooks/${id}/test`);
    assert.deepEqual(code(answer), [429, 'rate_limited']);
    assert.equal(answer.headers.get('retry-after'), '60');
    assert.equal(answer.headers.get('ratelimit-policy'), '"webhook-tests";q=5;w=60');
    assert.equal(answer.headers.get('ratelimit'), '"webhook-tests";r=0;t=60');
  });

  it('write no secret into the log, whatever goes wrong', async () => {
    const { me, create, service, org } = await setUp();
    const made = await create();
    const chat = await create({ format: 'slack', url: SLACK_URL });
    const path = `/v1/me/webhooks/${made.id}`;
    const rotated = await me.post(`${path}/rotate-secret`);
    await me.patch(`/v1/me/webhooks/${chat.id}`, { url: 'https://hooks.slack.com/services/other-secret' });
    await me.patch(path, { url: 'https://10.0.0.1/private-secret' });
    await service.root.post('/v1/webhooks', { url: SLACK_URL, orgId: org.id, format: 'slack' });
    const text = lines.join('');
    const secrets = [made.signingKey, made.standardSecret, rotated.body.signingKey, '/services/', 'private-secret'];
    for (const secret of secrets) assert.ok(secret && !text.includes(secret), secret);
    const refusal = await me.patch(path, { url: 'https://10.0.0.1/private-secret' });
    assert.ok(!refusal.text.includes('private-secret'));
  });
});
