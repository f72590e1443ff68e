// A copy of the database gives its owner no session and no device login.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { hashOf } from '../../src/domain/secret-text.ts';
import { type Account, signIn, signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

forEachEngine('secrets at rest', (engine) => {
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });

  const storedTokens = async ({ id }: Account) => {
    const rows = await ctx.store.read.selectFrom('sessions').select('token').where('user_id', '=', id).execute();
    return rows.map(({ token }) => token);
  };
  const askForDevice = async () =>
    (await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' })).body;
  const poll = (device_code: string) =>
    service.anonymous.post('/api/auth/device/token', { grant_type: GRANT, client_id: 'registry-cli', device_code });

  it('a session is stored as the hash of its token, which opens nothing', async () => {
    const account = await signUp(service);
    const stored = await storedTokens(account);

    assert.deepEqual(stored, [hashOf(account.sessionToken)]);
    for (const token of stored) {
      assert.equal((await service.as(token).get('/v1/me')).status, 401);
      assert.equal((await service.as(token).get('/api/auth/get-session')).body, null);
    }
    assert.equal((await account.session.get('/v1/me')).status, 200);
  });

  it('a device code is stored as its hash, which no device can redeem', async () => {
    const account = await signUp(service);
    const { device_code, user_code } = await askForDevice();
    const row = await ctx.store.read
      .selectFrom('device_codes')
      .select('device_code')
      .where('user_code', '=', user_code.replace('-', ''))
      .executeTakeFirstOrThrow();
    await account.cookie.get(`/api/auth/device?user_code=${user_code}`);
    await account.cookie.post('/api/auth/device/approve', { userCode: user_code });

    assert.equal(row.device_code, hashOf(device_code));
    assert.equal((await poll(row.device_code)).body.error, 'invalid_grant');
    const redeemed = await poll(device_code);
    assert.equal(redeemed.status, 200, redeemed.text);
    assert.equal((await service.as(redeemed.body.access_token).get('/v1/me')).body.user.id, account.id);
    assert.ok(!(await storedTokens(account)).includes(redeemed.body.access_token));
  });

  it('whoever was signed in before values were hashed stays so', async () => {
    const account = await signUp(service);
    const { device_code } = await askForDevice();
    await ctx.store.transaction(async (tx) => {
      await tx.updateTable('sessions').set({ token: account.sessionToken }).where('user_id', '=', account.id).execute();
      await tx
        .updateTable('device_codes')
        .set({ device_code })
        .where('device_code', '=', hashOf(device_code))
        .execute();
      await tx.deleteFrom('sessions').where('user_id', '!=', account.id).execute();
      await tx.deleteFrom('device_codes').where('device_code', '!=', device_code).execute();
      await tx.deleteFrom('schema_migrations').where('name', '=', 'hashed-secrets').execute();
    }, 'catalog');

    await ctx.store.migrate();

    assert.deepEqual(await storedTokens(account), [hashOf(account.sessionToken)]);
    assert.equal((await account.session.get('/v1/me')).status, 200);
    assert.equal((await account.cookie.get('/api/auth/get-session')).body.user.id, account.id);
    assert.equal((await poll(device_code)).body.error, 'authorization_pending');
  });

  it('ending other sessions, or one by its id, spares the own', async () => {
    const account = await signUp(service);
    const [second, third] = [await signIn(service, account.email), await signIn(service, account.email)];
    const listed = await account.cookie.get('/api/auth/list-sessions');
    assert.equal(listed.body.length, 3);
    assert.ok(listed.body.every((session: object) => !('token' in session)));

    assert.equal((await account.cookie.post('/api/auth/revoke-session', { id: 'ses_unknown' })).status, 404);
    assert.equal((await account.cookie.post('/api/auth/revoke-other-sessions', {})).status, 200);

    assert.equal((await second.session.get('/v1/me')).status, 401);
    assert.equal((await third.session.get('/v1/me')).status, 401);
    assert.equal((await account.session.get('/v1/me')).status, 200);

    const fourth = await signIn(service, account.email);
    const own = (await fourth.cookie.get('/api/auth/get-session')).body.session.id;
    assert.equal((await account.cookie.post('/api/auth/revoke-session', { id: own })).status, 200);
    assert.equal((await fourth.session.get('/v1/me')).status, 401);
    assert.equal((await account.session.get('/v1/me')).status, 200);
  });
});
