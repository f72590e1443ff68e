// The access of each kind of credential to each group of routes.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setUserDisabled } from '../../src/accounts/auth/users.ts';
import type { Context } from '../../src/context.ts';
import { type Account, type OAuthAccess, PASSWORD, signUp } from '../support/accounts.ts';
import type { Answer, Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const JWT_OF_NOBODY = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"usr_nobody"}')}.c2lnbmF0dXJl`.replaceAll('=', '');

type Kind =
  | 'nothing'
  | 'unknown machine token'
  | 'unknown key'
  | 'unknown jwt'
  | 'unknown session'
  | 'read token'
  | 'write token'
  | 'admin token'
  | 'root key'
  | 'cookie'
  | 'session bearer'
  | 'user key'
  | 'app'
  | 'app with account scope';

const INVALID: Kind[] = ['unknown machine token', 'unknown key', 'unknown jwt', 'unknown session'];
const ACCOUNTS: Kind[] = ['cookie', 'session bearer', 'user key', 'app', 'app with account scope'];

// Status and code; kinds that are not listed get what the first line says for their group.
interface Family {
  name: string;
  call: (client: Client, world: World) => Promise<Answer>;
  expected: Partial<Record<Kind | 'invalid' | 'accounts' | 'machines', string>>;
}

interface World {
  ctx: Context;
  service: Service;
  account: Account;
  clients: Record<Kind, Client>;
  key: { value: string; id: string; client: Client };
  otherKey: string;
  apps: Record<'app' | 'app with account scope', OAuthAccess>;
  orgId: string;
}

let unique = 0;

const FAMILIES: Family[] = [
  {
    name: 'public read',
    call: (client) => client.get('/v1/orgs'),
    expected: { nothing: '200', invalid: '200', machines: '200', accounts: '200' },
  },
  {
    name: 'own credential',
    call: (client) => client.get('/v1/tokens/me'),
    expected: { nothing: '401 unauthorized', invalid: '401 unauthorized', machines: '200', accounts: '200' },
  },
  {
    name: 'private playbook',
    call: (client, { orgId }) => client.get(`/v1/orgs/${orgId}/playbook`),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '200',
      accounts: '200',
    },
  },
  {
    name: 'write',
    call: (client) => {
      unique += 1;
      return client.post('/v1/orgs', { name: `Written ${unique}` });
    },
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '201',
      'read token': '403 insufficient_scope write',
      accounts: '403 insufficient_scope write',
    },
  },
  {
    name: 'administration',
    call: (client) => client.get('/v1/tokens'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '200',
      'read token': '403 insufficient_scope admin',
      'write token': '403 insufficient_scope admin',
      accounts: '403 insufficient_scope admin',
    },
  },
  {
    name: 'admin-only option of a public route',
    call: (client) => client.get('/v1/orgs?trackingRequested=true'),
    expected: {
      nothing: '403 forbidden',
      invalid: '403 forbidden',
      machines: '200',
      'read token': '403 forbidden',
      'write token': '403 forbidden',
      accounts: '403 forbidden',
    },
  },
  ...['/v1/me', '/v1/me/follows', '/v1/me/feed', '/v1/me/webhooks', '/v1/me/api-keys', '/v1/api-keys'].map((path) => ({
    name: `read ${path}`,
    call: (client: Client) => client.get(path),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '200',
    },
  })),
  {
    name: 'change follows',
    call: (client, { orgId }) => client.post('/v1/me/follows', { targetType: 'org', targetId: orgId }),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '201',
      accounts: '200',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'make a feed token',
    call: (client) => client.post('/v1/me/feed/token'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '201',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'change webhooks',
    call: (client) => client.delete('/v1/me/webhooks/whk_000000000000000000000'),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      accounts: '404 not_found',
      app: '403 insufficient_scope account',
    },
  },
  {
    name: 'mint a user key',
    call: (client) => client.post('/v1/me/api-keys', { name: 'minted' }),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '201',
      'session bearer': '201',
      'user key': '403 forbidden session_required',
      app: '403 forbidden session_required',
      'app with account scope': '403 forbidden session_required',
    },
  },
  {
    name: 'revoke another user key',
    call: (client, { otherKey }) => client.delete(`/v1/me/api-keys/${otherKey}`),
    expected: {
      nothing: '401 unauthorized',
      invalid: '401 unauthorized',
      machines: '401 unauthorized',
      cookie: '200',
      'session bearer': '404 not_found',
      'user key': '403 forbidden session_required',
      app: '403 forbidden session_required',
      'app with account scope': '403 forbidden session_required',
    },
  },
  ...['/list-sessions'].map((path) => ({
    name: `account security: GET ${path}`,
    call: (client: Client) => client.get(`/api/auth${path}`),
    expected: { ...securityRefusals(), cookie: '200' },
  })),
  {
    name: 'account security: password',
    call: (client) =>
      client.post('/api/auth/change-password', {
        currentPassword: 'wrong password',
        newPassword: 'a wholly new sentence',
      }),
    expected: { ...securityRefusals(), cookie: '400 INVALID_PASSWORD' },
  },
  {
    name: 'account security: e-mail',
    call: (client) => client.post('/api/auth/change-email', { newEmail: 'not an address', password: PASSWORD }),
    expected: { ...securityRefusals(), cookie: '400 VALIDATION_ERROR' },
  },
  {
    name: 'account security: deletion',
    call: (client) => client.post('/api/auth/delete-user', { password: 'wrong password' }),
    expected: { ...securityRefusals(), cookie: '400 bad_request' },
  },
];

// Under /api/auth only sessions are accepted; all other credentials are ignored.
function securityRefusals(): Family['expected'] {
  return {
    nothing: '401 unauthorized',
    invalid: '401 unauthorized',
    machines: '401 unauthorized',
    accounts: '401 unauthorized',
    'session bearer': '403 forbidden session_required',
  };
}

function expectedOf({ expected }: Family, kind: Kind): string {
  const group = INVALID.includes(kind) ? 'invalid' : ACCOUNTS.includes(kind) ? 'accounts' : 'machines';
  return expected[kind] ?? expected[group as 'invalid'] ?? 'not said';
}

function seen({ status, body }: Answer): string {
  const error = body?.error ?? (status >= 400 ? body : undefined);
  if (!error) return String(status);
  const detail = error.details?.required ?? error.details?.reason;
  const known = ['insufficient_scope', 'forbidden'].includes(error.code) ? detail : undefined;
  return [status, error.code, known].filter((part) => part !== undefined).join(' ');
}

async function openWorld(ctx: Context, service: Service): Promise<World> {
  const account = await signUp(service);
  const key = await account.key('the key');
  const otherKey = await account.key('another');
  const apps = { app: await account.oauth(), 'app with account scope': await account.oauth('openid read account') };
  const machine = async (scope: string) =>
    service.as((await service.root.post('/v1/tokens', { name: scope, scopes: [scope] })).body.token);
  const { id: orgId } = await createOrg(ctx);
  await createSource(ctx, { orgId });
  const clients: Record<Kind, Client> = {
    nothing: service.anonymous,
    'unknown machine token': service.as(`relk_${'a'.repeat(12)}_${'b'.repeat(32)}`),
    'unknown key': service.as(`relu_${'a'.repeat(64)}`),
    'unknown jwt': service.as(JWT_OF_NOBODY),
    'unknown session': service.as('a'.repeat(32)),
    'read token': await machine('read'),
    'write token': await machine('write'),
    'admin token': await machine('admin'),
    'root key': service.root,
    cookie: account.cookie,
    'session bearer': account.session,
    'user key': key.client,
    app: apps.app.client,
    'app with account scope': apps['app with account scope'].client,
  };
  return { ctx, service, account, clients, key, otherKey: otherKey.id, apps, orgId: String(orgId) };
}

forEachEngine('credentials', (engine) => {
  let world: World;
  before(async () => {
    const app = await engine.openTestApp();
    world = await openWorld(app.ctx, await startService(app));
  });

  for (const family of FAMILIES) {
    it(family.name, async () => {
      const reported: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [kind, client] of Object.entries(world.clients) as [Kind, Client][]) {
        reported[kind] = seen(await family.call(client, world));
        wanted[kind] = expectedOf(family, kind);
      }
      assert.deepEqual(reported, wanted);
    });
  }

  it('the playbook in an org is shown to whoever has a valid credential', async () => {
    for (const [kind, client] of Object.entries(world.clients) as [Kind, Client][]) {
      const { status, body } = await client.get(`/v1/orgs/${world.orgId}`);
      const hidden = kind === 'nothing' || INVALID.includes(kind);
      assert.deepEqual([status, body.playbook === null], [200, hidden], kind);
    }
  });

  it('401 says whether a credential was sent, and that an account is needed', async () => {
    const { clients } = world;
    const bare = 'Bearer realm="registry"';
    const expected: [Kind, string, RegExp][] = [
      ['nothing', bare, /needs a credential/],
      ['unknown key', `${bare}, error="invalid_token"`, /not valid/],
      ['root key', `${bare}, error="invalid_token"`, /account/],
      ['write token', `${bare}, error="invalid_token"`, /account/],
    ];
    for (const [kind, challenge, message] of expected) {
      const answer = await clients[kind].get('/v1/me');
      assert.equal(answer.headers.get('www-authenticate'), challenge, kind);
      assert.match(answer.body.error.message, message, kind);
    }
  });

  it('every kind is told what it is', async () => {
    const { clients, account, key } = world;
    const owner = { principalType: 'user', principalId: account.id, userId: account.id };
    const expected: [Kind, object][] = [
      ['cookie', { kind: 'session', scopes: ['read'], ...owner }],
      ['session bearer', { kind: 'session', scopes: ['read'], ...owner }],
      ['user key', { kind: 'user_key', name: 'the key', scopes: ['read'], tokenId: key.id, expiresAt: null, ...owner }],
      ['app with account scope', { kind: 'oauth', name: 'An app', scopes: ['openid', 'read', 'account'], ...owner }],
      ['write token', { kind: 'token', name: 'write', scopes: ['write'], userId: null }],
      ['root key', { kind: 'root', scopes: ['*'], userId: null }],
    ];
    for (const [kind, fields] of expected)
      assert.partialDeepStrictEqual((await clients[kind].get('/v1/tokens/me')).body, fields);
  });

  it('a cookie changes nothing for a page that is not trusted', async () => {
    const { service, account, orgId } = world;
    const body = { targetType: 'org', targetId: orgId };
    const cases: [headers: Record<string, string>, status: number][] = [
      [{}, 403],
      [{ Origin: 'https://evil.example' }, 403],
      [{ Origin: 'null' }, 403],
      [{ Origin: 'https://evil.example', Referer: `${service.origin}/page` }, 403],
      [{ Referer: 'https://evil.example/page' }, 403],
      [{ Referer: `${service.origin}/page` }, 200],
      [{ Origin: service.origin }, 200],
    ];
    for (const [headers, status] of cases) {
      const answer = await service.anonymous.post('/v1/me/follows', body, { Cookie: account.cookieHeader, ...headers });
      assert.equal(answer.status, status, JSON.stringify(headers));
      if (status === 403) assert.deepEqual(answer.body.error.details, { reason: 'origin' });
    }
    const read = await service.anonymous.get('/v1/me', {
      Cookie: account.cookieHeader,
      Origin: 'https://evil.example',
    });
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('access-control-allow-origin'), '*');
    assert.equal(read.headers.get('access-control-allow-credentials'), null);
    const signOut = await service.anonymous.post('/api/auth/sign-out', {}, { Cookie: account.cookieHeader });
    assert.deepEqual([signOut.status, signOut.body.details], [403, { reason: 'origin' }]);
  });

  it('400 bad_request when cookie and Bearer value belong to different accounts', async () => {
    const { service, account, key } = world;
    const other = await signUp(service);
    const call = (path: string, bearer: string) =>
      service.as(bearer).get(path, { Cookie: account.cookieHeader, Origin: service.origin });

    const strange = await call('/v1/me', other.sessionToken);
    assert.deepEqual([strange.status, strange.body.error.code], [400, 'bad_request']);
    assert.equal((await call('/v1/tokens/me', key.value)).body.kind, 'session');
    assert.equal((await call('/v1/me', 'nobody')).status, 200);
    // An operator's token has no account: it counts only where none is required.
    const { token } = (await service.root.post('/v1/tokens', { name: 'ops', scopes: ['admin'] })).body;
    assert.equal((await call('/v1/tokens', token)).status, 200);
    assert.equal((await call('/v1/me', token)).status, 200);
  });

  it('kept answers are not shared between anonymous callers and cookies', async () => {
    const { service, account } = world;
    const path = '/v1/orgs?limit=1';
    await service.anonymous.get(path);
    const kept = await service.anonymous.get(path);
    const personal = await service.anonymous.get(path, { Cookie: account.cookieHeader });
    assert.match(kept.headers.get('cache-control') ?? '', /^public/);
    assert.equal(personal.headers.get('cache-control'), 'private, no-store');
    assert.deepEqual(personal.body, kept.body);
  });

  it('a user key revokes itself, and nothing else can', async () => {
    const { clients, account } = world;
    const spare = await account.key('spare');

    assert.equal((await spare.client.delete('/v1/tokens/me')).status, 204);

    assert.equal((await spare.client.get('/v1/tokens/me')).status, 401);
    for (const kind of ['cookie', 'session bearer', 'app', 'write token', 'root key'] as const) {
      const answer = await clients[kind].delete('/v1/tokens/me');
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden'], kind);
    }
  });

  it('last use is noted once a minute', async () => {
    const { account, key } = world;
    const noted = async () => {
      const { apiKeys } = (await account.cookie.get('/v1/me/api-keys')).body;
      return apiKeys.find((row: { id: string }) => row.id === key.id).lastRequest;
    };
    await key.client.get('/v1/me');
    const first = await noted();
    await key.client.get('/v1/me');

    assert.ok(first);
    assert.equal(await noted(), first);
  });

  it('a disabled account is nobody, by any credential', async () => {
    const { ctx, service, account, clients, apps } = world;

    await setUserDisabled(ctx, { userId: account.id, disabled: true });

    for (const kind of ACCOUNTS) assert.equal((await clients[kind].get('/v1/me')).status, 401, kind);
    assert.equal((await clients.cookie.get('/api/auth/get-session')).text, 'null');
    assert.equal((await clients.app.get('/api/auth/oauth2/userinfo')).status, 401);
    const signIn = await service.anonymous.post('/api/auth/sign-in/email', {
      email: account.email,
      password: 'correct horse battery',
    });
    assert.deepEqual([signIn.status, signIn.body.code], [401, 'INVALID_EMAIL_OR_PASSWORD']);
    assert.ok(apps.app.accessToken);

    await setUserDisabled(ctx, { userId: account.id, disabled: false });
    for (const kind of ACCOUNTS) assert.equal((await clients[kind].get('/v1/me')).status, 200, kind);
  });
});
