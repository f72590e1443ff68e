// The apps of the OAuth provider: those that register themselves and those that the operator makes.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import { forgetUnusedClients } from '../../src/accounts/auth/clients.ts';
import type { Context } from '../../src/context.ts';
import {
  type Account,
  type App,
  authorizationRequest,
  exchangeCode,
  grantAccess,
  REDIRECT_URI,
  registerApp,
  signUp,
} from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { assertRefused, oauthSteps, openOAuthWorld, withQuery } from '../support/oauth.ts';
import type { Service } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

forEachEngine('OAuth apps', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  let account: Account;
  let app: App;

  before(async () => {
    mock.timers.setTime(NOON);
    ({ ctx, service, account, app } = await openOAuthWorld(engine));
  });

  const { authorize, fresh, refresh, whoami } = oauthSteps(() => ({ service, account, app }));

  const registrations: [name: string, change: Record<string, unknown>, error: string][] = [
    ['plain http', { redirect_uris: ['http://app.example/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://app.example/cb#x'] }, 'invalid_redirect_uri'],
    ['javascript', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['none at all', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['eleven', { redirect_uris: Array(11).fill('https://app.example/cb') }, 'invalid_redirect_uri'],
    ['a long name', { client_name: 'x'.repeat(81) }, 'invalid_client_metadata'],
    ['no name', { client_name: '' }, 'invalid_client_metadata'],
    ['a key of its own', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['another grant', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['an unknown scope', { scope: 'write' }, 'invalid_client_metadata'],
  ];
  for (const [name, change, error] of registrations) {
    it(`registers no app with ${name}: ${error}`, async () => {
      const metadata = { client_name: 'App', redirect_uris: [REDIRECT_URI], ...change };
      assertRefused(await service.anonymous.post('/api/auth/oauth2/register', metadata), error);
    });
  }

  it('demands the secret of an app that has one', async () => {
    const secretive = await registerApp(service, { token_endpoint_auth_method: 'client_secret_post' });
    assert.match(secretive.clientSecret ?? '', /^reloc_\w{32,}$/);
    const stored = JSON.stringify(await ctx.store.read.selectFrom('oauth_clients').selectAll().execute());
    assert.ok(!stored.includes(String(secretive.clientSecret).slice(6)));
    assert.ok((await fresh('read', secretive)).access_token);
    for (const clientSecret of [undefined, 'reloc_wrong']) {
      const request = authorizationRequest(secretive.clientId);
      const { code } = await grantAccess(account.cookie, request.query);
      const thief = { clientId: secretive.clientId, clientSecret };
      assertRefused(await exchangeCode(service, thief, { code, verifier: request.verifier }), 'invalid_client');
    }
    const plain = withQuery(authorizationRequest(secretive.clientId).query, { code_challenge: null });
    const back = new URL((await authorize(plain)).headers.get('location') ?? '');
    assert.equal(back.searchParams.get('error'), 'invalid_request');
  });

  it('ends the tokens of an app that is disabled or removed', async () => {
    const client = await registerApp(service);
    const path = `/v1/admin/oauth/clients/${client.clientId}`;
    const grant = await fresh('openid read offline_access', client);
    assert.equal((await service.root.patch(path, { disabled: true })).body.disabled, true);
    assert.equal((await whoami(grant.access_token)).status, 401);
    assertRefused(await refresh(grant.refresh_token, { client_id: client.clientId }), 'invalid_client');
    assertRefused(await authorize(authorizationRequest(client.clientId).query), 'invalid_client');
    await service.root.patch(path, { disabled: false });
    assert.equal((await whoami(grant.access_token)).status, 200);
    const removed = await service.root.delete(path);
    assert.deepEqual([removed.status, removed.body], [200, { deleted: true, clientId: client.clientId }]);
    assert.equal((await whoami(grant.access_token)).status, 401);
    const gone = await service.root.get(path);
    assert.deepEqual([gone.status, gone.body.error.code], [404, 'client_not_found']);
  });

  it('holds an app to the scopes that its operator gave it', async () => {
    const input = { redirectUris: [REDIRECT_URI], scopes: ['read'], public: true };
    const made = await service.root.post('/v1/admin/oauth/clients', input);
    assert.equal(made.status, 201, made.text);
    const { clientId } = made.body;
    const expected = {
      clientId,
      name: null,
      scopes: ['read'],
      public: true,
      tokenEndpointAuthMethod: 'none',
      clientSecret: null,
      lastUsedAt: null,
    };
    assert.partialDeepStrictEqual(made.body, expected);
    const ask = async (scope: Record<string, string>) => {
      const { query } = authorizationRequest(clientId, scope);
      const answer = await account.cookie.get(`/api/auth/oauth2/authorize?${query}`, { Accept: 'text/html' });
      return new URL(answer.headers.get('location') ?? 'none:').searchParams;
    };
    for (const scope of ['read account', 'openid', 'offline_access read']) {
      assert.equal((await ask({ scope })).get('error'), 'invalid_scope', scope);
    }
    assert.equal((await ask({ scope: 'read' })).get('error'), null);
    assert.equal((await ask({})).get('scope'), 'read');

    const request = authorizationRequest(clientId);
    const { code } = await grantAccess(account.cookie, request.query);
    const { body } = await exchangeCode(
      service,
      { clientId, clientSecret: undefined },
      { code, verifier: request.verifier },
    );
    assert.equal(body.scope, 'read');
    assert.equal((await service.as(body.access_token).delete('/v1/me/feed/token')).status, 403);
  });

  it('refuses what an operator cannot mean, and tells what an app may do', async () => {
    const post = (more: object) =>
      service.root.post('/v1/admin/oauth/clients', { redirectUris: [REDIRECT_URI], ...more });
    for (const more of [
      { scopes: ['write'] },
      { scopes: [] },
      { public: true, tokenEndpointAuthMethod: 'client_secret_post' },
    ]) {
      assert.equal((await post(more)).status, 400, JSON.stringify(more));
    }
    const plain = await post({ name: 'Server' });
    assert.partialDeepStrictEqual(plain.body, {
      name: 'Server',
      scopes: ['openid', 'profile', 'email', 'offline_access', 'read', 'account'],
      public: false,
      tokenEndpointAuthMethod: 'client_secret_basic',
    });
    const own = await service.anonymous.post('/api/auth/oauth2/register', {
      client_name: 'Narrow',
      redirect_uris: [REDIRECT_URI],
      scope: 'read openid',
      token_endpoint_auth_method: 'none',
    });
    assert.equal(own.body.scope, 'openid read');
    const listed = (await service.root.get('/v1/admin/oauth/clients')).body.clients;
    const found = listed.find(({ clientId }: { clientId: string }) => clientId === own.body.client_id);
    assert.partialDeepStrictEqual(found, { scopes: ['openid', 'read'], public: true, lastUsedAt: null });
  });

  it('gives an app a new secret and forgets the old one', async () => {
    const made = await service.root.post('/v1/admin/oauth/clients', { name: 'Server', redirectUris: [REDIRECT_URI] });
    const { clientId, clientSecret } = made.body;
    const rotated = await service.root.post(`/v1/admin/oauth/clients/${clientId}/rotate-secret`);
    const basic = (secret: string) => ({
      Authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    const body = 'grant_type=refresh_token&refresh_token=relo_unknown';
    assert.equal(made.status, 201);
    assert.notEqual(rotated.body.clientSecret, clientSecret);
    assert.equal((await service.root.get(`/v1/admin/oauth/clients/${clientId}`)).body.clientSecret, undefined);
    const introspect = (secret: string) =>
      service.anonymous.post('/api/auth/oauth2/introspect', 'token=nonsense', basic(secret));
    assert.equal((await introspect(rotated.body.clientSecret)).status, 200);
    assertRefused(await introspect(clientSecret), 'invalid_client', 401);
    assert.equal((await service.anonymous.post('/api/auth/oauth2/token', body, basic('x'))).status, 400);
  });

  it('forgets apps that registered themselves and are not used for 90 days', async () => {
    const unused = await registerApp(service);
    const used = await registerApp(service);
    const kept = await service.root.post('/v1/admin/oauth/clients', { name: 'Kept', redirectUris: [REDIRECT_URI] });
    mock.timers.setTime(NOON + 89 * DAY_MS);
    const late = await signUp(service);
    const request = authorizationRequest(used.clientId);
    const { code } = await grantAccess(late.cookie, request.query);
    const { body } = await exchangeCode(service, used, { code, verifier: request.verifier });
    await whoami(body.access_token);
    await service.settled();
    mock.timers.setTime(NOON + 91 * DAY_MS);

    await forgetUnusedClients(ctx);

    const { clients } = (await service.root.get('/v1/admin/oauth/clients')).body;
    const ids = clients.map(({ clientId }: { clientId: string }) => clientId);
    assert.deepEqual(
      [unused.clientId, used.clientId, kept.body.clientId].map((id) => ids.includes(id)),
      [false, true, true],
    );
    mock.timers.setTime(NOON);
  });
});
