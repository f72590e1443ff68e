// The codes and tokens of the OAuth provider: what they hold, how long they count, and what misuse ends.
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { before, it, mock } from 'node:test';
import { partsOf } from '../support/access-tokens.ts';
import {
  type Account,
  type App,
  authorizationRequest,
  exchangeCode,
  grantAccess,
  registerApp,
  signUp,
} from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { assertRefused, oauthSteps, openOAuthWorld } from '../support/oauth.ts';
import type { Service } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

forEachEngine('OAuth tokens', (engine) => {
  holdTime(NOON);
  let service: Service;
  let account: Account;
  let app: App;

  before(async () => {
    mock.timers.setTime(NOON);
    ({ service, account, app } = await openOAuthWorld(engine));
  });

  const { fresh, refresh, whoami } = oauthSteps(() => ({ service, account, app }));

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

  it('takes a code once: the second use ends what the first has brought', async () => {
    const first = await fresh();
    assert.equal((await whoami(first.access_token)).status, 200);

    assertRefused(await exchangeCode(service, app, first), 'invalid_grant');

    assert.equal((await whoami(first.access_token)).status, 401);
    assertRefused(await refresh(first.refresh_token), 'invalid_grant');
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
        for (const answer of answers) if (answer !== winner) assertRefused(answer, 'invalid_grant');
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

    assertRefused(await refresh(first.refresh_token), 'invalid_grant');

    for (const token of [first.access_token, second.body.access_token]) assert.equal((await whoami(token)).status, 401);
    assertRefused(await refresh(second.body.refresh_token), 'invalid_grant');
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
    assertRefused(await refresh(refresh_token, { client_id: other.clientId }), 'invalid_grant');
    assertRefused(await refresh(refresh_token, { scope: 'openid email' }), 'invalid_scope');
    mock.timers.setTime(NOON + 31 * DAY_MS);
    assertRefused(await refresh(refresh_token), 'invalid_grant');
    mock.timers.setTime(NOON);
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
      assertRefused(await refresh(grant.refresh_token), 'invalid_grant');
    }
    assert.equal((await revoke('relo_unknown')).status, 200);
    assertRefused(await revoke('relo_unknown', 'nobody'), 'invalid_client');
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
    assertRefused(await introspect(grant.access_token, 'wrong'), 'invalid_client', 401);
    assertRefused(await exchangeCode(service, server, grant), 'invalid_grant');
    assert.deepEqual((await introspect(grant.access_token)).body, { active: false });
    assert.deepEqual((await introspect('nonsense')).body, { active: false });
  });
});
