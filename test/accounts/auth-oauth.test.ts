// The rules of the OAuth provider for authorization: requests of apps, consent, the way back.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import { partsOf } from '../support/access-tokens.ts';
import {
  type Account,
  type App,
  authorizationRequest,
  cookiesOf,
  exchangeCode,
  grantAccess,
  REDIRECT_URI,
  registerApp,
  signIn,
  signUp,
} from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { assertRefused, oauthSteps, openOAuthWorld, withQuery } from '../support/oauth.ts';
import type { Service } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

forEachEngine('OAuth', (engine) => {
  holdTime(NOON);
  let service: Service;
  let account: Account;
  let app: App;

  before(async () => {
    mock.timers.setTime(NOON);
    ({ service, account, app } = await openOAuthWorld(engine));
  });

  const { authorize, whoami } = oauthSteps(() => ({ service, account, app }));

  it('describes itself at the root and where clients look', async () => {
    const base = service.origin;
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/api/auth',
      '/api/auth/.well-known/openid-configuration',
      '/.well-known/openid-configuration',
    ]) {
      const { status, body } = await service.anonymous.get(path);
      assert.equal(status, 200, path);
      assert.equal(body.issuer, `${base}/api/auth`);
      assert.equal(body.token_endpoint, `${base}/api/auth/oauth2/token`);
      assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
      assert.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token']);
      assert.deepEqual(body.token_endpoint_auth_methods_supported, [
        'none',
        'client_secret_basic',
        'client_secret_post',
      ]);
      assert.deepEqual(body.scopes_supported, ['openid', 'profile', 'email', 'offline_access', 'read', 'account']);
    }
    for (const [path, resource] of [
      ['/.well-known/oauth-protected-resource', base],
      ['/.well-known/oauth-protected-resource/mcp', `${base}/mcp`],
    ]) {
      const { body } = await service.anonymous.get(path ?? '');
      assert.equal(body.resource, resource);
      assert.deepEqual(body.authorization_servers, [`${base}/api/auth`]);
      assert.deepEqual(body.scopes_supported, ['read', 'account']);
      assert.deepEqual(body.bearer_methods_supported, ['header']);
    }
    const { linkset } = (await service.anonymous.get('/.well-known/api-catalog')).body;
    for (const {
      'service-desc': [{ href }],
    } of linkset.slice(2)) {
      assert.equal((await service.anonymous.get(new URL(href).pathname)).status, 200, href);
    }
  });

  it('takes the default scope, and resources with or without a last slash', async () => {
    const request = authorizationRequest(app.clientId, { resource: `${service.origin}/mcp/` });
    const { code, back } = await grantAccess(account.cookie, request.query);
    const { body } = await exchangeCode(service, app, { code, verifier: request.verifier });

    assert.equal(body.scope, 'openid read');
    assert.ok((partsOf(body.access_token).claims.aud as string[]).includes(`${service.origin}/mcp`));
    assert.equal((await whoami(body.access_token)).body.kind, 'oauth');
    assert.equal(back.searchParams.get('iss'), `${service.origin}/api/auth`);
    assert.equal(back.searchParams.get('state'), 'the-state');
  });

  const faults: [name: string, change: Record<string, string | null>, error: string][] = [
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge_method: null }, 'invalid_request'],
    ['a method without a challenge', { code_challenge: null }, 'invalid_request'],
    ['no state', { state: null }, 'invalid_request'],
    ['an unknown scope', { scope: 'openid write' }, 'invalid_scope'],
    ['a foreign resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a request object', { request: 'x.y.z' }, 'invalid_request'],
  ];
  for (const [name, change, error] of faults) {
    it(`sends the app back with ${error}: ${name}`, async () => {
      const answer = await authorize(withQuery(authorizationRequest(app.clientId).query, change));

      const back = new URL(answer.headers.get('location') ?? 'none:');
      assert.equal(answer.status, 302);
      assert.ok(back.href.startsWith(`${REDIRECT_URI}?`), back.href);
      assert.equal(back.searchParams.get('error'), error);
      assert.equal(back.searchParams.get('iss'), `${service.origin}/api/auth`);
      assert.equal(back.searchParams.get('state'), change.state === null ? null : 'the-state');
      assert.equal(back.searchParams.get('code'), null);
    });
  }

  it('sends nobody to an address that the app has not registered', async () => {
    const { query } = authorizationRequest(app.clientId);
    for (const uri of ['https://evil.example/', `${REDIRECT_URI}/more`, `${REDIRECT_URI}#x`, '']) {
      assertRefused(await authorize(withQuery(query, { redirect_uri: uri })), 'invalid_request');
    }
    assertRefused(await authorize(withQuery(query, { client_id: 'nobody' })), 'invalid_client');
    const otherPort = withQuery(query, { redirect_uri: 'http://127.0.0.1:9/callback' });
    assert.equal((await authorize(otherPort)).status, 302);
  });

  it('asks its user once, again for more, and never for an app that the operator trusts', async () => {
    const { query } = authorizationRequest(app.clientId, { scope: 'openid read' });
    await grantAccess(account.cookie, query);
    const again = new URL((await authorize(query)).headers.get('location') ?? '');
    assert.ok(again.searchParams.get('code'));
    const wider = authorizationRequest(app.clientId, { scope: 'openid read email' }).query;
    assert.equal(new URL((await authorize(wider)).headers.get('location') ?? '').pathname, '/oauth/consent');
    await grantAccess(account.cookie, wider);
    for (const remembered of [wider, query]) {
      const at = new URL((await authorize(remembered)).headers.get('location') ?? '');
      assert.ok(at.searchParams.get('code'), at.href);
    }
    const other = await signUp(service);
    const theirs = await other.cookie.get(`/api/auth/oauth2/authorize?${query}`);
    assert.equal(new URL(theirs.headers.get('location') ?? '').pathname, '/oauth/consent');

    const trusted = await service.root.post('/v1/admin/oauth/clients', {
      name: 'Ours',
      redirectUris: [REDIRECT_URI],
      tokenEndpointAuthMethod: 'none',
      trusted: true,
    });
    const requested = await authorize(authorizationRequest(trusted.body.clientId).query);
    assert.ok(new URL(requested.headers.get('location') ?? '').searchParams.get('code'));

    const nobody = await service.anonymous.get(`/api/auth/oauth2/authorize?${query}`);
    assert.equal(new URL(nobody.headers.get('location') ?? '').pathname, '/login');
  });

  it('refuses consent that was changed on the way, or comes from elsewhere', async () => {
    const { query } = authorizationRequest((await registerApp(service)).clientId);
    const consent = new URL((await authorize(query)).headers.get('location') ?? '');
    const signed = consent.search.slice(1);
    const wider = signed.replace('openid+read', 'openid+read+account');
    assert.notEqual(wider, signed);
    assertRefused(
      await account.cookie.post('/api/auth/oauth2/consent', { accept: true, oauth_query: wider }),
      'invalid_signature',
    );
    for (const oauth_query of [[], ['a'], [null], {}, 1]) {
      assertRefused(
        await account.cookie.post('/api/auth/oauth2/consent', { accept: true, oauth_query }),
        'bad_request',
      );
    }
    const foreign = { Cookie: account.cookieHeader, Origin: 'https://evil.example' };
    const stolen = await service.anonymous.post(
      '/api/auth/oauth2/consent',
      { accept: true, oauth_query: signed },
      foreign,
    );
    assertRefused(stolen, 'forbidden', 403);
    const denied = await account.cookie.post('/api/auth/oauth2/consent', { accept: false, oauth_query: signed });
    const back = new URL(denied.body.url);
    assert.deepEqual([back.searchParams.get('error'), back.searchParams.get('state')], ['access_denied', 'the-state']);
  });

  it('signs its user out only when the user agrees', async () => {
    const leaving = await signIn(service, account.email);
    const html = { Accept: 'text/html' };
    const requested = await leaving.cookie.get('/api/auth/oauth2/end-session', html);
    assert.deepEqual([requested.status, (await leaving.cookie.get('/v1/me')).status], [200, 200]);
    const confirming = { ...html, Cookie: `${leaving.cookieHeader}; ${cookiesOf(requested.headers)}` };
    const path = '/api/auth/oauth2/end-session/confirm';

    const foreign = await service.anonymous.post(path, {}, { ...confirming, Origin: 'https://evil.example' });
    assert.deepEqual([foreign.status, (await leaving.cookie.get('/v1/me')).status], [403, 200]);
    const form = { ...confirming, Origin: service.origin, 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await service.anonymous.post(path, 'action=confirm', form)).status, 200);
    assert.equal((await leaving.cookie.get('/v1/me')).status, 401);
  });
});
