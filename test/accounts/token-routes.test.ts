import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenRoutes } from '../../src/http/routes/tokens.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('token routes', (engine) => {
  const open = async () => startService(await engine.openTestApp(), { routes: tokenRoutes });

  it('mints a token that works at once', async () => {
    const { root, as } = await open();

    const minted = await root.post('/v1/tokens', { name: ' ci ', scopes: ['write', 'read'], principalId: null });
    const me = await as(minted.body.token).get('/v1/tokens/me');

    assert.equal(minted.status, 201);
    assert.equal(minted.headers.get('location'), `/v1/tokens/${minted.body.id}`);
    assert.equal(minted.headers.get('cache-control'), 'private, no-store');
    assert.deepEqual([minted.body.name, minted.body.scopes], ['ci', ['read', 'write']]);
    assert.equal(me.status, 200);
    assert.deepEqual([me.body.kind, me.body.name, me.body.tokenId], ['token', 'ci', minted.body.id]);
  });

  it('answers alike for the same idempotency key, without the secret and without a second token', async () => {
    const { root } = await open();
    const key = { 'Idempotency-Key': 'mint-the-ci-token-1' };
    const body = { name: 'ci', scopes: ['read'] };

    const first = await root.post('/v1/tokens', body, key);
    const second = await root.post('/v1/tokens', body, key);
    const other = await root.post('/v1/tokens', { ...body, name: 'cd' }, key);

    const { token, ...row } = first.body;
    assert.ok(token);
    assert.deepEqual([second.status, second.body], [201, row]);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.deepEqual(
      [first, second].map((one) => one.headers.get('idempotency-replayed')),
      [null, 'true'],
    );
    assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_conflict']);
    assert.equal((await root.get('/v1/tokens')).body.tokens.length, 1);
  });

  it('one token for 20 callers with the same key', async () => {
    const { root } = await open();
    const key = { 'Idempotency-Key': 'mint-the-ci-token-1' };

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => root.post('/v1/tokens', { name: 'ci', scopes: ['read'] }, key)),
    );

    assert.equal(answers.filter(({ body }) => body.token !== undefined).length, 1);
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 201)) {
      assert.deepEqual([status, body.error.code], [409, 'idempotency_in_progress']);
      assert.equal(headers.get('retry-after'), '1');
    }
    assert.equal((await root.get('/v1/tokens')).body.tokens.length, 1);
  });

  it('reads, changes and revokes; a revoked token opens nothing', async () => {
    const { root, as } = await open();
    const { id, token } = (await root.post('/v1/tokens', { name: 'ci', scopes: ['admin'] })).body;

    const changed = await root.patch(`/v1/tokens/${id}`, { name: 'cd', expiresAt: '2999-01-01' });
    const revoked = await root.post(`/v1/tokens/${id}/revoke`);
    const again = await root.post(`/v1/tokens/${id}/revoke`);

    assert.deepEqual([changed.body.name, changed.body.expiresAt], ['cd', '2999-01-01T00:00:00.000Z']);
    assert.equal(revoked.body.active, false);
    assert.deepEqual([again.status, again.body], [200, revoked.body]);
    assert.equal((await as(token).get('/v1/tokens')).status, 401);
    assert.deepEqual((await root.get('/v1/tokens?active=true')).body, { tokens: [] });
    assert.deepEqual((await root.get(`/v1/tokens/${id}`)).body, revoked.body);
  });

  it('refuses fields that do not fit, and a change that changes nothing', async () => {
    const { root } = await open();
    const { id } = (await root.post('/v1/tokens', { name: 'ci', scopes: ['read'] })).body;
    const refusals = [
      await root.post('/v1/tokens', { scopes: ['read'] }),
      await root.post('/v1/tokens', { name: 'x'.repeat(81), scopes: ['read'] }),
      await root.post('/v1/tokens', { name: 'x', scopes: [] }),
      await root.post('/v1/tokens', { name: 'x', scopes: ['*'] }),
      await root.post('/v1/tokens', { name: 'x', scopes: ['read'], expiresAt: '2001-01-01' }),
      await root.post('/v1/tokens', { name: 'x', scopes: ['read'], principalType: 'robot' }),
      await root.patch(`/v1/tokens/${id}`, { principalId: 'y' }),
      await root.patch(`/v1/tokens/${id}`, { name: null }),
    ];
    const empty = await root.patch(`/v1/tokens/${id}`, {});

    for (const { status, body } of refusals) assert.deepEqual([status, body.error.code], [400, 'validation_failed']);
    assert.deepEqual([empty.status, empty.body.error.code], [400, 'bad_request']);
  });

  it('is read and minted by operators alone, and says what is not there', async () => {
    const { root, anonymous, as } = await open();
    const { token } = (await root.post('/v1/tokens', { name: 'w', scopes: ['write'] })).body;

    const answers = [
      await anonymous.get('/v1/tokens'),
      await anonymous.get('/v1/tokens/me'),
      await as('relk_nothing').get('/v1/tokens/me'),
      await as(token).post('/v1/tokens', { name: 'x', scopes: ['read'] }),
      await root.get('/v1/tokens/tok_missing'),
    ];

    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body.error.code}`),
      ['401 unauthorized', '401 unauthorized', '401 unauthorized', '403 insufficient_scope', '404 not_found'],
    );
    assert.equal(answers[0]?.headers.get('www-authenticate'), 'Bearer realm="registry"');
    assert.equal(answers[3]?.body.error.details.required, 'admin');
  });
});
