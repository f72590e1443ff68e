// The routes of an account, over a real socket and with real credentials of every kind.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('routes of an account', (engine) => {
  let service: Service;
  let admin: Context;
  before(async () => {
    const app = await engine.openTestApp();
    admin = as(app.ctx, 'admin');
    service = await startService(app);
  });

  async function open() {
    const org = await createOrg(admin);
    const source = await createSource(admin, { orgId: org.id });
    await postReleases(admin, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    return { org, account: await signUp(service) };
  }

  it('tell who is calling, for every kind of credential, and are kept by nobody', async () => {
    const { account } = await open();
    const [key, app] = [await account.key(), await account.oauth()];
    const callers = { session: account.session, cookie: account.cookie, user_key: key.client, oauth: app.client };
    for (const [kind, client] of Object.entries(callers)) {
      const answer = await client.get('/v1/me');
      assert.equal(answer.status, 200, kind);
      assert.equal(answer.body.user.email, account.email);
      assert.equal(answer.body.credential.kind, kind === 'cookie' ? 'session' : kind);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    }
    const refusals: [string, Awaited<ReturnType<typeof account.session.get>>][] = [
      ['nobody', await service.anonymous.get('/v1/me')],
      ['the operator', await service.root.get('/v1/me')],
      ['a wrong key', await service.as(`relu_${'x'.repeat(64)}`).get('/v1/me')],
    ];
    for (const [who, answer] of refusals) {
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'unauthorized'], who);
    }
  });

  it('follow and unfollow by every credential that may, and by no other', async () => {
    const { account, org } = await open();
    const target = { targetType: 'org', targetId: org.id };
    const [key, reader, writer] = [await account.key(), await account.oauth(), await account.oauth('read account')];

    const refused = await reader.client.post('/v1/me/follows', target);
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
    assert.deepEqual(refused.body.error.details, { required: 'account' });
    assert.equal((await key.client.post('/v1/me/follows', target)).status, 201);
    assert.equal((await writer.client.post('/v1/me/follows', target)).status, 200);
    assert.equal((await reader.client.get('/v1/me/follows')).body.follows.length, 1);
    const gone = await account.cookie.delete(`/v1/me/follows/org/${org.id}`);
    assert.deepEqual([gone.status, gone.body], [200, { success: true, following: false }]);
    assert.equal((await account.session.delete('/v1/me/follows/team/x')).status, 400);
    assert.equal((await account.session.post('/v1/me/follows', { targetType: 'team', targetId: 'x' })).status, 400);
    assert.equal((await account.session.get('/v1/me/follows?targetType=team')).status, 400);
  });

  it('read the feed by cursor alone', async () => {
    const { account, org } = await open();
    await account.session.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    const first = await account.session.get('/v1/me/feed?limit=1');
    const second = await account.session.get(`/v1/me/feed?limit=1&cursor=${first.body.pagination.nextCursor}`);
    const versions = [...first.body.items, ...second.body.items].map((item: { version: string }) => item.version);
    assert.deepEqual(versions.sort(), ['1.0.0', '1.1.0']);
    assert.equal((await account.session.get('/v1/me/feed')).body.pagination.limit, 30);
    const refusals = [
      ['/v1/me/feed?page=1', 'bad_request'],
      ['/v1/me/feed?cursor=x', 'invalid_cursor'],
      ['/v1/me/feed?since=never', 'bad_request'],
    ];
    for (const [path = '', code] of refusals) {
      const answer = await account.session.get(path);
      assert.deepEqual([answer.status, answer.body.error.code], [400, code], path);
    }
  });

  it('open the private Atom feed to whoever has its address', async () => {
    const { account, org } = await open();
    await account.session.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    const { feedUrl } = (await account.session.post('/v1/me/feed/token', {})).body;
    const path = new URL(feedUrl).pathname;

    const answer = await service.anonymous.get(path);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/atom\+xml/);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    assert.equal(answer.text.match(/<entry>/g)?.length, 2);
    const etag = answer.headers.get('etag') ?? '';
    assert.notEqual(etag, '');
    assert.equal((await service.anonymous.get(path, { 'If-None-Match': etag })).status, 304);
    assert.equal((await service.anonymous.get(path.replace('.atom', ''))).status, 200);
    assert.equal((await service.anonymous.get(`${path.slice(0, -10)}0000000000`)).status, 404);
    assert.equal((await account.session.delete('/v1/me/feed/token')).status, 200);
    assert.equal((await service.anonymous.get(path)).status, 404);
  });

  it('mint keys from a session alone, under both paths', async () => {
    const { account } = await open();
    const minted = await account.session.post('/v1/api-keys', { name: 'laptop', expiresInDays: 30 });
    assert.equal(minted.status, 201);
    const client = service.as(minted.body.key);
    const refused = await client.post('/v1/me/api-keys', { name: 'x' });
    assert.deepEqual([refused.status, refused.body.error.details], [403, { reason: 'session_required' }]);
    const list = await client.get('/v1/me/api-keys');
    assert.deepEqual(
      list.body.apiKeys.map((key: { id: string; key?: string }) => [key.id, key.key]),
      [[minted.body.id, undefined]],
    );
    assert.equal((await account.session.post('/v1/me/api-keys', { name: 'x', scope: 'write' })).status, 400);
    for (const body of [
      { name: 'x'.repeat(33) },
      { name: '' },
      {},
      { name: 'x', expiresInDays: 0 },
      { name: 'x', expiresInDays: 366 },
      { name: 'x', expiresInDays: 1.5 },
    ]) {
      const { status, body: said } = await account.session.post('/v1/me/api-keys', body);
      assert.deepEqual([status, said.error.code], [400, 'validation_failed'], JSON.stringify(body));
    }
    const lasting = await account.session.post('/v1/me/api-keys', { name: 'x'.repeat(32) });
    assert.deepEqual([lasting.status, lasting.body.expiresAt, lasting.body.remaining], [201, null, null]);
    const newest = (await account.session.get('/v1/api-keys')).body.apiKeys[0];
    assert.equal(newest.id, lasting.body.id);
    assert.deepEqual((await client.delete(`/v1/api-keys/${minted.body.id}`)).body, { success: true });
    assert.equal((await client.get('/v1/me')).status, 401);
    assert.equal((await account.session.delete('/v1/me/api-keys/key_none')).status, 404);
  });

  it('say where the new thing is, and keep no secret of it for repeated calls', async () => {
    const { account, org } = await open();
    const post = (path: string, body: object) =>
      account.session.post(path, body, { 'Idempotency-Key': `once-${path}`.padEnd(24, '.') });
    const cases: [path: string, body: object, secret: string | null, location: (body: { id: string }) => string][] = [
      ['/v1/me/follows', { targetType: 'org', targetId: org.id }, null, () => `/v1/me/follows/org/${org.id}`],
      ['/v1/me/api-keys', { name: 'laptop' }, 'key', ({ id }) => `/v1/me/api-keys/${id}`],
      ['/v1/me/feed/token', {}, 'feedUrl', () => '/v1/me/feed/token'],
      [
        '/v1/me/webhooks',
        { url: 'https://93.184.216.34/', orgId: org.id },
        'signingKey',
        ({ id }) => `/v1/me/webhooks/${id}`,
      ],
    ];
    for (const [path, body, secret, location] of cases) {
      const first = await post(path, body);
      const again = await post(path, body);
      assert.deepEqual([first.status, again.status], [201, 201], first.text);
      for (const { headers } of [first, again]) assert.equal(headers.get('location'), location(first.body));
      if (secret === null) continue;
      assert.equal(again.body[secret], undefined, secret);
      const kept = JSON.stringify(await admin.store.read.selectFrom('idempotency').selectAll().execute());
      const value: string = first.body[secret];
      assert.ok(value && !kept.includes(value) && !kept.includes(value.slice(-30)), secret);
    }
    const { token } = (await account.session.get('/v1/me/feed/token')).body;
    assert.equal((await service.anonymous.get(new URL(token.feedUrl).pathname)).status, 200);
  });
});
