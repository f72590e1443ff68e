// What is the same for all kinds of credentials, and where one differs from the others.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setUserDisabled } from '../../src/accounts/auth/users.ts';
import { signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import {
  ACCOUNTS,
  type CredentialWorld,
  INVALID,
  type Kind,
  openCredentialWorld,
} from '../support/credential-kinds.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('rules of credentials', (engine) => {
  let world: CredentialWorld;
  before(async () => {
    const app = await engine.openTestApp();
    world = await openCredentialWorld(app.ctx, await startService(app));
  });

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
      [{ Referer: `${service.origin}/page` }, 201],
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
