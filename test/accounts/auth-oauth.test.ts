// The rules of the OAuth provider, row by row, and the responses to misuse.
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { before, it, mock } from 'node:test';
import { forgetUnusedClients } from '../../src/accounts/auth/clients.ts';
import type { Context } from '../../src/context.ts';
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
  tokenRequest,
} from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function withQuery(query: URLSearchParams, change: Record<string, string | null>): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

forEachEngine('OAuth', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  let account: Account;
  let app: App;

  before(async () => {
    mock.timers.setTime(NOON);
    const opened = await engine.openTestApp();
    ctx = opened.ctx;
    service = await startService(opened);
    account = await signUp(service);
    app = await registerApp(service);
  });

  const authorize = (query: URLSearchParams) => account.cookie.get(`/api/auth/oauth2/authorize?${query}`);
  const whoami = (token: string) => service.as(token).get('/v1/tokens/me');

  async function fresh(scope = 'openid read offline_access', who: App = app) {
    const request = authorizationRequest(who.clientId, { scope });
    const { code } = await grantAccess(account.cookie, request.query);
    const answer = await exchangeCode(service, who, { code, verifier: request.verifier });
    assert.equal(answer.status, 200, answer.text);
    return { ...answer.body, code, verifier: request.verifier };
  }

  const refresh = (refreshToken: string, more: Record<string, string> = {}) =>
    tokenRequest(service, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: app.clientId,
      ...more,
    });

  function refused(answer: Answer, error: string, status = 400): void {
    assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    assert.equal(typeof answer.body.error_description, 'string');
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  }

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

  it('gives a signed token with the claims that are promised', async () => {
    const { access_token, token_type, expires_in, refresh_token, scope } = await fresh();
    const { header, claims } = partsOf(access_token);
    const { keys } = (await service.anonymous.get('/api/auth/jwks')).body;
    const { d, ...key } = keys.find(({ kid }: { kid: string }) => kid === header.kid);

    assert.equal(d, undefined);
    assert.deepEqual([key.kty, key.crv, key.alg, header.alg], ['OKP', 'Ed25519', 'EdDSA', 'EdDSA']);
    assert.ok(createPublicKey({ key, format: 'jwk' }));
    assert.deepEqual([token_type, expires_in, scope], ['Bearer', 3600, 'openid read offline_access']);
    assert.match(refresh_token, /^relo_\w{32,}$/);
    assert.partialDeepStrictEqual(claims, {
      iss: `${service.origin}/api/auth`,
      sub: account.id,
      azp: app.clientId,
      scope,
      iat: NOON / 1000,
      exp: NOON / 1000 + 3600,
    });
    assert.ok((claims.aud as string[]).includes(service.origin));
    assert.match(String(claims.jti), /^.{16,}$/);
    assert.equal((await fresh('read')).refresh_token, undefined);
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
      refused(await authorize(withQuery(query, { redirect_uri: uri })), 'invalid_request');
    }
    refused(await authorize(withQuery(query, { client_id: 'nobody' })), 'invalid_client');
    const otherPort = withQuery(query, { redirect_uri: 'http://127.0.0.1:9/callback' });
    assert.equal((await authorize(otherPort)).status, 302);
  });

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
      refused(await service.anonymous.post('/api/auth/oauth2/register', metadata), error);
    });
  }

  it('takes a code once: the second use ends what the first has brought', async () => {
    const first = await fresh();
    assert.equal((await whoami(first.access_token)).status, 200);

    refused(await exchangeCode(service, app, first), 'invalid_grant');

    assert.equal((await whoami(first.access_token)).status, 401);
    refused(await refresh(first.refresh_token), 'invalid_grant');
  });

  it('of several that exchange one code at once exactly one gets tokens, and keeps them', async () => {
    for (const count of [2, 8]) {
      let kept = false;
      // A request that the machine delays until another was answered is a second use, which ends the grant; then the
      // requests did not come at once, and they are sent again with a new code.
      for (let attempt = 0; attempt < 5 && !kept; attempt++) {
        const request = authorizationRequest(app.clientId, { scope: 'openid read offline_access' });
        const { code } = await grantAccess(account.cookie, request.query);
        const sent = { code, verifier: request.verifier };
        const answers = await Promise.all(Array.from({ length: count }, () => exchangeCode(service, app, sent)));

        const [winner, ...more] = answers.filter(({ status }) => status === 200);
        assert.ok(winner, answers.map(({ text }) => text).join());
        assert.equal(more.length, 0);
        for (const answer of answers) if (answer !== winner) refused(answer, 'invalid_grant');
        kept = (await whoami(winner.body.access_token)).status === 200;
        if (kept) assert.equal((await refresh(winner.body.refresh_token)).status, 200);
      }
      assert.ok(kept, `${count} at once`);
    }
  });

  it('takes a code for a minute, with its verifier, by its app, for its address', async () => {
    const other = await registerApp(service);
    const misuses: [name: string, change: Record<string, string>, error: string, waited?: number][] = [
      ['wrong verifier', { verifier: 'w'.repeat(43) }, 'invalid_grant'],
      ['no verifier', { verifier: '' }, 'invalid_request'],
      ['another app', { client_id: other.clientId }, 'invalid_grant'],
      ['another address', { redirect_uri: 'https://evil.example/' }, 'invalid_grant'],
      ['another resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
      ['too late', {}, 'invalid_grant', 61_000],
    ];
    for (const [name, change, error, waited = 0] of misuses) {
      const request = authorizationRequest(app.clientId);
      const { code } = await grantAccess(account.cookie, request.query);
      mock.timers.setTime(Date.now() + waited);
      const answer = await exchangeCode(service, app, { code, verifier: request.verifier, ...change });
      assert.deepEqual([answer.status, answer.body.error], [400, error], `${name}: ${answer.text}`);
    }
    mock.timers.setTime(NOON);
  });

  it('rotates a refresh token at every use, and ends the grant when an old one comes back', async () => {
    const first = await fresh();
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200, second.text);
    assert.notEqual(second.body.refresh_token, first.refresh_token);
    assert.equal((await whoami(second.body.access_token)).status, 200);

    refused(await refresh(first.refresh_token), 'invalid_grant');

    for (const token of [first.access_token, second.body.access_token]) assert.equal((await whoami(token)).status, 401);
    refused(await refresh(second.body.refresh_token), 'invalid_grant');
  });

  it('lets one of many concurrent uses of a refresh token win, and then ends the grant', async () => {
    const first = await fresh();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(first.refresh_token)));
    const won = answers.filter(({ status }) => status === 200);

    assert.ok(won.length <= 1, `${won.length} won`);
    for (const { body } of won) assert.equal((await whoami(body.access_token)).status, 401);
    assert.equal((await whoami(first.access_token)).status, 401);
  });

  it('keeps a refresh token 30 days, for its own app', async () => {
    const { refresh_token } = await fresh();
    const other = await registerApp(service);
    refused(await refresh(refresh_token, { client_id: other.clientId }), 'invalid_grant');
    refused(await refresh(refresh_token, { scope: 'openid email' }), 'invalid_scope');
    mock.timers.setTime(NOON + 31 * DAY_MS);
    refused(await refresh(refresh_token), 'invalid_grant');
    mock.timers.setTime(NOON);
  });

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
      refused(await exchangeCode(service, thief, { code, verifier: request.verifier }), 'invalid_client');
    }
    const plain = withQuery(authorizationRequest(secretive.clientId).query, { code_challenge: null });
    const back = new URL((await authorize(plain)).headers.get('location') ?? '');
    assert.equal(back.searchParams.get('error'), 'invalid_request');
  });

  it('accepts no token that it did not sign for itself', async () => {
    const { access_token } = await fresh();
    const { header, claims } = partsOf(access_token);
    const [head = '', body = '', signature = ''] = access_token.split('.');
    const { keys } = (await service.anonymous.get('/api/auth/jwks')).body;
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const signed = (top: object, claimed: object) => {
      const text = `${encoded(top)}.${encoded(claimed)}`;
      return `${text}.${sign(null, Buffer.from(text), stranger).toString('base64url')}`;
    };
    const hmac = (key: string) => {
      const text = `${encoded({ ...header, alg: 'HS256' })}.${body}`;
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const forged: Record<string, string> = {
      'alg none': `${encoded({ ...header, alg: 'none' })}.${body}.${signature}`,
      'alg HS256 with the public key': hmac(keys[0].x),
      'alg HS256 with the public key as JWK': hmac(JSON.stringify(keys[0])),
      'another key': signed(header, claims),
      'an unknown key id': signed({ ...header, kid: 'jwk_unknown' }, claims),
      'changed claims': `${head}.${encoded({ ...claims, sub: 'usr_other' })}.${signature}`,
      'another header': `${encoded({ ...header, typ: 'JWT' })}.${body}.${signature}`,
      'no signature': `${head}.${body}.AAAA`,
    };
    assert.equal((await whoami(access_token)).status, 200);
    for (const [name, token] of Object.entries(forged)) assert.equal((await whoami(token)).status, 401, name);
  });

  it('accepts only tokens meant for itself: not those for an app', async () => {
    const { id_token, access_token } = await fresh();

    assert.equal((await whoami(id_token)).status, 401);
    assert.equal(partsOf(id_token).claims.aud, app.clientId);
    assert.equal((await whoami(access_token)).status, 200);
  });

  it('allows 30 seconds of difference between clocks', async () => {
    const { access_token } = await fresh();
    for (const [seconds, status] of [
      [3599, 200],
      [3629, 200],
      [3631, 401],
    ] as const) {
      mock.timers.setTime(NOON + seconds * 1000);
      assert.equal((await whoami(access_token)).status, status, `${seconds} s`);
    }
    mock.timers.setTime(NOON);
  });

  it('changes its key every 90 days and publishes the old one for a day', async () => {
    const kids = async () =>
      (await service.anonymous.get('/api/auth/jwks')).body.keys.map(({ kid }: { kid: string }) => kid);
    const early = await fresh('read');
    const { kid } = partsOf(early.access_token).header;
    mock.timers.setTime(NOON + 90 * DAY_MS + 1000);
    const later = await signUp(service);
    const { accessToken } = await later.oauth();

    assert.notEqual(partsOf(accessToken).header.kid, kid);
    assert.ok((await kids()).includes(kid));
    mock.timers.setTime(NOON + 91 * DAY_MS + 2000);
    assert.ok(!(await kids()).includes(kid));
    mock.timers.setTime(NOON);
  });

  it('revokes by refresh token and by access token, for the app that holds it', async () => {
    const revoke = (token: string, clientId = app.clientId) =>
      service.anonymous.post(
        '/api/auth/oauth2/revoke',
        new URLSearchParams({ token, client_id: clientId }).toString(),
        { 'Content-Type': 'application/x-www-form-urlencoded' },
      );
    const other = await registerApp(service);
    for (const kind of ['refresh_token', 'access_token'] as const) {
      const grant = await fresh();
      assert.equal((await revoke(grant[kind], other.clientId)).status, 200);
      assert.equal((await whoami(grant.access_token)).status, 200, 'another app revokes nothing');
      assert.equal((await revoke(grant[kind])).status, 200);
      assert.equal((await whoami(grant.access_token)).status, 401, kind);
      refused(await refresh(grant.refresh_token), 'invalid_grant');
    }
    assert.equal((await revoke('relo_unknown')).status, 200);
    refused(await revoke('relo_unknown', 'nobody'), 'invalid_client');
  });

  it('tells a resource server whether a token is alive', async () => {
    const server = await registerApp(service, { token_endpoint_auth_method: 'client_secret_post' });
    const grant = await fresh('openid read offline_access', server);
    const introspect = (token: string, secret = server.clientSecret ?? '') =>
      service.anonymous.post(
        '/api/auth/oauth2/introspect',
        new URLSearchParams({ token, client_id: server.clientId, client_secret: secret }).toString(),
        { 'Content-Type': 'application/x-www-form-urlencoded' },
      );
    assert.equal((await introspect(grant.access_token)).body.active, true);
    refused(await introspect(grant.access_token, 'wrong'), 'invalid_client', 401);
    refused(await exchangeCode(service, server, grant), 'invalid_grant');
    assert.deepEqual((await introspect(grant.access_token)).body, { active: false });
    assert.deepEqual((await introspect('nonsense')).body, { active: false });
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
    refused(
      await account.cookie.post('/api/auth/oauth2/consent', { accept: true, oauth_query: wider }),
      'invalid_signature',
    );
    for (const oauth_query of [[], ['a'], [null], {}, 1]) {
      refused(await account.cookie.post('/api/auth/oauth2/consent', { accept: true, oauth_query }), 'bad_request');
    }
    const foreign = { Cookie: account.cookieHeader, Origin: 'https://evil.example' };
    const stolen = await service.anonymous.post(
      '/api/auth/oauth2/consent',
      { accept: true, oauth_query: signed },
      foreign,
    );
    refused(stolen, 'forbidden', 403);
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

  it('ends the tokens of an app that is disabled or removed', async () => {
    const client = await registerApp(service);
    const path = `/v1/admin/oauth/clients/${client.clientId}`;
    const grant = await fresh('openid read offline_access', client);
    assert.equal((await service.root.patch(path, { disabled: true })).body.disabled, true);
    assert.equal((await whoami(grant.access_token)).status, 401);
    refused(await refresh(grant.refresh_token, { client_id: client.clientId }), 'invalid_client');
    refused(await authorize(authorizationRequest(client.clientId).query), 'invalid_client');
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
    refused(await introspect(clientSecret), 'invalid_client', 401);
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
