// Wrong, expired, revoked or misplaced credentials: each identifies nobody, and all get the same response.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { createResetLink } from '../../src/accounts/auth/reset-link.ts';
import type { Context } from '../../src/context.ts';
import { hashOf } from '../../src/domain/secret-text.ts';
import { partsOf, signedAgain } from '../support/access-tokens.ts';
import {
  type Account,
  authorizationRequest,
  cookiesOf,
  exchangeCode,
  grantAccess,
  PASSWORD,
  registerApp,
  signIn,
  signUp,
  tokenRequest,
} from '../support/accounts.ts';
import type { Answer, Client } from '../support/client.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

type Values = Record<string, string>;

interface World {
  ctx: Context;
  service: Service;
  account: Account;
  orgId: string;
  // A valid credential of every kind, each for its own routes.
  good: Record<'machine' | 'reader' | 'key' | 'access' | 'refresh' | 'id' | 'session' | 'feed', string>;
}

const PAST = '2020-01-01T00:00:00.000Z';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

function otherLast(value: string): string {
  return `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`;
}

function feedTokenIn({ body }: Answer): string {
  return /relf_\w+/.exec(body.feedUrl)?.[0] ?? '';
}

async function openWorld(ctx: Context, service: Service): Promise<World> {
  const account = await signUp(service);
  const mint = async (scope: string) => (await service.root.post('/v1/tokens', { name: scope, scopes: [scope] })).body;
  const app = await registerApp(service);
  const request = authorizationRequest(app.clientId, { scope: 'openid read account offline_access' });
  const { code } = await grantAccess(account.cookie, request.query);
  const granted = (await exchangeCode(service, app, { code, verifier: request.verifier })).body;
  const { id } = await createOrg(ctx);
  return {
    ctx,
    service,
    account,
    orgId: String(id),
    good: {
      machine: (await mint('admin')).token,
      reader: (await mint('read')).token,
      key: (await account.key()).value,
      access: granted.access_token,
      refresh: granted.refresh_token,
      id: granted.id_token,
      session: account.sessionToken,
      feed: feedTokenIn(await account.cookie.post('/v1/me/feed/token')),
    },
  };
}

async function wrongMachineTokens({ ctx, service, good }: World): Promise<Values> {
  const mint = async () => (await service.root.post('/v1/tokens', { name: 'x', scopes: ['admin'] })).body;
  const [revoked, expired, other] = [await mint(), await mint(), await mint()];
  await service.root.post(`/v1/tokens/${revoked.id}/revoke`);
  await ctx.store.transaction(
    (tx) => tx.updateTable('api_tokens').set({ expires_at: PAST }).where('id', '=', expired.id).execute(),
    'bookkeeping',
  );
  const [prefix, lookup] = good.machine.split('_');
  return {
    'a revoked machine token': revoked.token,
    'an expired machine token': expired.token,
    'a machine token with the secret of another': `${prefix}_${lookup}_${other.token.split('_')[2]}`,
    'a machine token with one letter changed': otherLast(good.machine),
    'a machine token that is cut off': good.machine.slice(0, -1),
    'a machine token that is too long': `${good.machine}a`,
    'a machine token in another case': good.machine.toLowerCase(),
    'a machine token without its prefix': good.machine.slice(5),
    'half of a machine token': `relk_${lookup}`,
    'a root key with one letter more': `${ROOT_KEY}x`,
    'a root key with one letter less': ROOT_KEY.slice(0, -1),
    'a root key in another case': ROOT_KEY.toUpperCase(),
  };
}

async function wrongKeys({ ctx, account, good }: World): Promise<Values> {
  const [revoked, expired, off] = [await account.key('r'), await account.key('e'), await account.key('o')];
  await account.cookie.delete(`/v1/me/api-keys/${revoked.id}`);
  const set = (id: string, values: object) =>
    ctx.store.transaction((tx) => tx.updateTable('api_keys').set(values).where('id', '=', id).execute(), 'bookkeeping');
  await set(expired.id, { expires_at: PAST });
  await set(off.id, { enabled: 0 });
  return {
    'a revoked key': revoked.value,
    'an expired key': expired.value,
    'a key that is switched off': off.value,
    'a key with one letter changed': otherLast(good.key),
    'a key that is cut off': good.key.slice(0, -1),
    'a key in another case': good.key.toUpperCase().replace('RELU_', 'relu_'),
    'a key as a machine token': good.key.replace('relu_', 'relk_'),
    'the start of a key': good.key.slice(0, 6),
  };
}

async function wrongSessions({ ctx, service, account }: World): Promise<Values> {
  const [ended, expired] = [await signIn(service, account.email), await signIn(service, account.email)];
  await ended.cookie.post('/api/auth/sign-out', {});
  await ctx.store.transaction(
    (tx) =>
      tx.updateTable('sessions').set({ expires_at: PAST }).where('token', '=', hashOf(expired.sessionToken)).execute(),
    'bookkeeping',
  );
  const gone = await signUp(service);
  await gone.cookie.post('/api/auth/delete-user', { password: PASSWORD });
  return {
    'an ended session': ended.sessionToken,
    'an expired session': expired.sessionToken,
    'a session of a deleted account': gone.sessionToken,
    'a session with one letter changed': otherLast(account.sessionToken),
    'a signed cookie value': decodeURIComponent(account.cookieHeader.split(/[=;]/, 2)[1] ?? ''),
  };
}

async function wrongAccessTokens(world: World): Promise<Values> {
  const { ctx, service, account, good } = world;
  const { origin } = service;
  const claiming = (claims: Values | Record<string, unknown>) => signedAgain(ctx, good.access, { claims });
  const headed = (header: Record<string, unknown>) => signedAgain(ctx, good.access, { header });
  const disabled = await account.oauth();
  await service.root.patch(`/v1/admin/oauth/clients/${disabled.app.clientId}`, { disabled: true });
  const revoked = await account.oauth();
  const fields = new URLSearchParams({ token: revoked.accessToken, client_id: revoked.app.clientId });
  await service.anonymous.post('/api/auth/oauth2/revoke', fields.toString(), FORM);
  const [head, body] = good.access.split('.');
  return {
    'an access token that is over': await claiming({ exp: Math.floor(Date.now() / 1000) - 31 }),
    'an access token that never ends': await claiming({ exp: undefined }),
    'an access token for another service': await claiming({ aud: 'https://elsewhere.example' }),
    'an access token for a path of ours that is no resource': await claiming({ aud: [`${origin}/v1`] }),
    'an access token for the app itself': await claiming({ aud: partsOf(good.access).claims.azp }),
    'an access token for nobody': await claiming({ aud: [] }),
    'an access token of another issuer': await claiming({ iss: 'https://elsewhere.example/api/auth' }),
    'an access token of the bare origin': await claiming({ iss: origin }),
    'an access token of an unknown account': await claiming({ sub: 'usr_nobody' }),
    'an access token of an unknown app': await claiming({ azp: 'nobody' }),
    'an access token outside any grant': await claiming({ gid: undefined }),
    'an access token that says HS256': await headed({ alg: 'HS256' }),
    'an access token that says none': await headed({ alg: 'none' }),
    'an access token without a key id': await headed({ kid: undefined }),
    'an access token of another type': await headed({ typ: 'JWT' }),
    'an access token with another signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'an access token of a disabled app': disabled.accessToken,
    'an access token of a revoked grant': revoked.accessToken,
    'an id token': good.id,
  };
}

async function misplaced(world: World): Promise<Values> {
  const { ctx, service, account, good, orgId } = world;
  const app = await registerApp(service, { token_endpoint_auth_method: 'client_secret_post' });
  const { code } = await grantAccess(account.cookie, authorizationRequest(app.clientId).query);
  const device = (await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' })).body;
  const operator = await service.anonymous.post('/admin/session', { token: ROOT_KEY });
  const link = new URL(await createResetLink(ctx, { userId: account.id }));
  const hook = { url: 'https://93.184.216.34/', orgId };
  const { signingKey, standardSecret } = (await account.cookie.post('/v1/me/webhooks', hook)).body;
  assert.ok(app.clientSecret && code && signingKey);
  return {
    'a feed token': good.feed,
    'a refresh token': good.refresh,
    'the secret of an app': app.clientSecret,
    'the id of an app': app.clientId,
    'a code for an access token': code,
    'a code of a device': device.device_code,
    'a code of its user': device.user_code,
    'an operator’s session': cookiesOf(operator.headers).split(/[=;]/)[1] ?? '',
    'a token for a new password': link.searchParams.get('token') ?? '',
    'a signing key': signingKey,
    'a signing secret': standardSecret,
  };
}

const GATED: [name: string, call: (client: Client, world: World) => Promise<Answer>][] = [
  ['any credential', (client) => client.get('/v1/tokens/me')],
  ['private playbook', (client, { orgId }) => client.get(`/v1/orgs/${orgId}/playbook`)],
  ['write', (client) => client.post('/v1/orgs', { name: 'Written' })],
  ['admin', (client) => client.get('/v1/tokens')],
  ['operator lane', (client) => client.get('/v1/webhooks')],
  ['account', (client) => client.get('/v1/me')],
  ['account, deliveries', (client) => client.get('/v1/me/webhooks/whk_000000000000000000000/deliveries')],
  ['account, change', (client, { orgId }) => client.delete(`/v1/me/follows/org/${orgId}`)],
  ['keys', (client) => client.post('/v1/api-keys', { name: 'minted' })],
];

const REFUSED =
  '401 unauthorized unauthorized · the credential is not valid · Bearer realm="registry", error="invalid_token"';

function reported({ status, body, headers }: Answer): string {
  const { type, code, message } = body?.error ?? {};
  return `${status} ${type} ${code} · ${message} · ${headers.get('www-authenticate')}`;
}

forEachEngine('wrong credentials', (engine) => {
  let world: World;
  before(async () => {
    const app = await engine.openTestApp();
    world = await openWorld(app.ctx, await startService(app));
  });

  const groups: [name: string, values: (world: World) => Promise<Values>][] = [
    ['machine tokens and root keys', wrongMachineTokens],
    ['user keys', wrongKeys],
    ['sessions', wrongSessions],
    ['access tokens', wrongAccessTokens],
    ['secrets of another kind', misplaced],
  ];
  for (const [group, values] of groups) {
    it(`as Bearer values: ${group}`, async () => {
      for (const [name, value] of Object.entries(await values(world))) {
        const client = world.service.as(value);
        for (const [route, call] of GATED) {
          assert.equal(reported(await call(client, world)), REFUSED, `${name}: ${route}`);
        }
        assert.equal((await client.get('/v1/orgs')).status, 200, `${name} on a public route`);
        const option = await client.get('/v1/orgs?trackingRequested=true');
        assert.deepEqual([option.status, option.body.error.code], [403, 'forbidden'], `${name}: admin-only option`);
      }
    });
  }

  it('the right ones still work, also signed again, with either spelling of a resource', async () => {
    const { ctx, service, good } = world;
    const { origin } = service;
    for (const bearer of [good.key, good.session, good.access, await signedAgain(ctx, good.access)]) {
      assert.equal((await service.as(bearer).get('/v1/me')).status, 200);
    }
    for (const aud of [origin, `${origin}/`, `${origin}/mcp`, [`${origin}/mcp/`, 'https://elsewhere.example']]) {
      const token = await signedAgain(ctx, good.access, { claims: { aud } });
      assert.equal((await service.as(token).get('/v1/me')).status, 200, String(aud));
    }
    assert.equal((await service.as(good.machine).get('/v1/tokens')).status, 200);
    assert.equal((await service.anonymous.get(`/v1/feed/${good.feed}`)).status, 200);
  });

  it('as session cookies', async () => {
    const { service, account, good } = world;
    const other = await signIn(service, account.email);
    const signature = (header: string) => decodeURIComponent(header).split('.').at(-1);
    const ended = await signIn(service, account.email);
    await ended.cookie.post('/api/auth/sign-out', {});
    const signed = (token: string) => `${token}.${signature(account.cookieHeader)}`;
    const values = {
      'a token without its signature': account.sessionToken,
      'a token with the signature of another': `${account.sessionToken}.${signature(other.cookieHeader)}`,
      'an ended session': decodeURIComponent(ended.cookieHeader.split('=', 2)[1] ?? ''),
      'a user key': good.key,
      'a signed user key': signed(good.key),
      'an access token': good.access,
      'a machine token': good.machine,
      'the root key': ROOT_KEY,
      'a feed token': good.feed,
      nothing: '',
    };
    for (const [name, value] of Object.entries(values)) {
      const Cookie = `registry.session_token=${encodeURIComponent(value)}`;
      for (const path of ['/v1/me', '/v1/me/webhooks', '/v1/tokens/me', '/v1/tokens']) {
        assert.equal(reported(await service.anonymous.get(path, { Cookie })), REFUSED, `${name}: ${path}`);
      }
      assert.equal((await service.anonymous.get('/v1/orgs', { Cookie })).status, 200, name);
      assert.equal((await service.anonymous.get('/api/auth/get-session', { Cookie })).text, 'null', name);
    }
    const strange = await service.anonymous.get('/v1/me', { Cookie: 'theme=dark; registry_operator=x' });
    assert.equal(strange.headers.get('www-authenticate'), 'Bearer realm="registry"');
  });

  it('as addresses of a feed: 404', async () => {
    const { ctx, service, account, good } = world;
    const stranger = await signUp(service);
    const theirs = feedTokenIn(await stranger.cookie.post('/v1/me/feed/token'));
    const [prefix, lookup] = good.feed.split('_');
    const values = {
      'the secret of another feed': `${prefix}_${lookup}_${theirs.split('_')[2]}`,
      'one letter changed': otherLast(good.feed),
      'cut off': good.feed.slice(0, -1),
      'in another case': good.feed.toLowerCase(),
      'a user key': good.key,
      'a session': good.session,
      'an access token': good.access,
      'a machine token': good.machine,
      'the root key': ROOT_KEY,
    };
    for (const [name, value] of Object.entries(values)) {
      for (const path of [`/v1/feed/${value}`, `/v1/feed/${value}.atom`]) {
        const { status, body } = await service.anonymous.get(path);
        assert.deepEqual([status, body.error.code], [404, 'not_found'], name);
        const own = await account.session.get(path);
        assert.equal(own.status, 404, `${name}, shown by its owner`);
      }
    }
    await ctx.store.transaction(
      (tx) => tx.updateTable('users').set({ disabled_at: PAST }).where('id', '=', stranger.id).execute(),
      'bookkeeping',
    );
    assert.equal((await service.anonymous.get(`/v1/feed/${theirs}`)).status, 404, 'of a disabled account');
  });

  it('at the sign-in of the operator: 401', async () => {
    const { service, good } = world;
    const wrong = await wrongMachineTokens(world);
    const { reader, key, access, session, feed, refresh } = good;
    for (const [name, token] of Object.entries({ ...wrong, reader, key, access, session, feed, refresh })) {
      const answer = await service.anonymous.post('/admin/session', { token });
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [401, []], name);
    }
  });

  it('at the endpoints of apps', async () => {
    const { service, good } = world;
    const client = partsOf(good.access).claims.azp as string;
    const { key, access, session, machine, feed } = good;
    for (const [name, value] of Object.entries({ key, access, session, machine, feed, root: ROOT_KEY })) {
      const refresh = { grant_type: 'refresh_token', refresh_token: value, client_id: client };
      const code = { grant_type: 'authorization_code', code: value, code_verifier: 'v'.repeat(43), client_id: client };
      for (const fields of [refresh, { ...code, redirect_uri: 'http://127.0.0.1:4711/callback' }]) {
        const answer = await tokenRequest(service, fields);
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'], `${name} ${fields.grant_type}`);
      }
      if (name === 'access') continue;
      const info = await service.as(value).get('/api/auth/oauth2/userinfo');
      assert.deepEqual([info.status, info.body.error], [401, 'invalid_token'], name);
    }
    assert.equal((await service.as(good.access).get('/api/auth/oauth2/userinfo')).status, 200);
    // A client id that cannot be decoded identifies nobody.
    const headers = { ...FORM, Authorization: `Basic ${btoa('%zz:x')}` };
    const revoked = await service.anonymous.post('/api/auth/oauth2/revoke', `token=${good.refresh}`, headers);
    assert.ok(revoked.status < 500, revoked.text);
  });
});
