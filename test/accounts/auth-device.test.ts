// Signing in on a device without a browser.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import type { Context } from '../../src/context.ts';
import { hashOf } from '../../src/domain/secret-text.ts';
import { type Account, signUp } from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

forEachEngine('device login', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  let account: Account;
  before(async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp({ env: { REGISTRY_DEVICE_CLIENTS: 'editor-plugin' } });
    ctx = app.ctx;
    service = await startService(app);
    account = await signUp(service);
  });

  async function begin(clientId = 'registry-cli') {
    const answer = await service.anonymous.post('/api/auth/device/code', { client_id: clientId, scope: 'read' });
    assert.equal(answer.status, 200, answer.text);
    const { device_code: deviceCode, user_code: userCode } = answer.body;
    const poll = (seconds: number, client_id = clientId) => {
      mock.timers.setTime(Date.now() + seconds * 1000);
      return service.anonymous.post('/api/auth/device/token', {
        grant_type: GRANT,
        device_code: deviceCode,
        client_id,
      });
    };
    return { body: answer.body, deviceCode, userCode, poll };
  }

  const look = (userCode: string) => account.cookie.get(`/api/auth/device?user_code=${userCode}`);
  const decide = (decision: string, userCode: string) =>
    account.cookie.post(`/api/auth/device/${decision}`, { userCode });

  function refused(answer: Answer, error: string, status = 400): void {
    assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    assert.ok('error_description' in answer.body);
  }

  it('goes from a code to a key', async () => {
    const { body, userCode, poll } = await begin();
    assert.match(body.device_code, /^\w{40}$/);
    assert.match(userCode, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    assert.deepEqual(
      [body.verification_uri, body.verification_uri_complete, body.expires_in, body.interval],
      [`${service.origin}/device`, `${service.origin}/device?user_code=${userCode}`, 1800, 5],
    );
    refused(await poll(0), 'authorization_pending');

    const typed = userCode.replace('-', '').toLowerCase();
    assert.partialDeepStrictEqual((await look(typed)).body, {
      status: 'pending',
      client_id: 'registry-cli',
      scope: 'read',
    });
    assert.equal((await decide('approve', typed)).status, 200);

    const answer = await poll(6);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.token_type, answer.body.scope, answer.body.expires_in], ['Bearer', 'read', 604_800]);
    const device = service.as(answer.body.access_token);
    assert.equal((await device.get('/api/auth/get-session')).body.user.id, account.id);
    const key = await device.post('/v1/api-keys', { name: 'registry-cli (host)' });
    assert.equal(key.status, 201, key.text);
    assert.equal((await device.post('/api/auth/sign-out', {})).status, 200);
    assert.equal((await device.get('/v1/me')).status, 401);
    assert.equal((await service.as(key.body.key).get('/v1/me')).status, 200);
    refused(await poll(6), 'invalid_grant');
  });

  it('slows down whoever asks too often, by five seconds each time', async () => {
    const { poll } = await begin();
    refused(await poll(0), 'authorization_pending');
    refused(await poll(3), 'slow_down');
    refused(await poll(4), 'slow_down');
    refused(await poll(7), 'slow_down');
    refused(await poll(20), 'authorization_pending');
  });

  it('ends after half an hour', async () => {
    const { userCode, poll } = await begin();
    mock.timers.setTime(Date.now() + 1_801_000);
    refused(await look(userCode), 'expired_token');
    refused(await poll(0), 'expired_token');
    refused(await poll(6), 'invalid_grant');
    mock.timers.setTime(NOON);
  });

  it('tells the device that it was denied, once', async () => {
    const { userCode, poll } = await begin('editor-plugin');
    await look(userCode);
    assert.equal((await decide('deny', userCode)).status, 200);
    refused(await decide('approve', userCode), 'invalid_request');
    refused(await poll(0), 'access_denied');
    refused(await poll(6), 'invalid_grant');
  });

  it('is decided once, and brings one session, however many come at once', async () => {
    const owner = await signUp(service);
    const settle = async (decisions: string[], { userCode }: { userCode: string }) => {
      await owner.cookie.get(`/api/auth/device?user_code=${userCode}`);
      const answers = await Promise.all(
        decisions.map((decision) => owner.cookie.post(`/api/auth/device/${decision}`, { userCode })),
      );
      return decisions.filter((_, index) => answers[index]?.status === 200);
    };
    const requested = await begin();
    const [won, ...more] = await settle(['approve', 'deny', 'approve', 'deny'], requested);
    assert.deepEqual(more, []);
    const answer = await requested.poll(6);
    assert.equal(answer.status, won === 'approve' ? 200 : 400);

    const second = await begin();
    await settle(['approve'], second);
    const polls = await Promise.all(Array.from({ length: 6 }, () => second.poll(0)));
    assert.equal(polls.filter(({ status }) => status === 200).length, 1);
  });

  it('knows its clients', async () => {
    refused(await service.anonymous.post('/api/auth/device/code', { client_id: 'nobody' }), 'invalid_client');
    refused(await service.anonymous.post('/api/auth/device/code', {}), 'invalid_client');
    const { poll } = await begin();
    refused(await poll(0, 'nobody'), 'invalid_client');
    refused(await poll(0, 'editor-plugin'), 'invalid_grant');
  });

  it('is never approved by looking, nor by anybody who is not signed in', async () => {
    const { userCode, poll } = await begin();
    const path = '/api/auth/device/approve';
    for (const answer of [
      await account.cookie.get(`${path}?userCode=${userCode}`),
      await account.cookie.get(`/device?user_code=${userCode}`),
      await account.cookie.get(`/device/approve?user_code=${userCode}`),
    ]) {
      assert.notEqual(answer.body?.success, true);
    }
    refused(await service.anonymous.post(path, { userCode }), 'unauthorized', 401);
    refused(await service.anonymous.get(`/api/auth/device?user_code=${userCode}`), 'unauthorized', 401);
    const foreign = { Cookie: account.cookieHeader, Origin: 'https://evil.example' };
    refused(await service.anonymous.post(path, { userCode }, foreign), 'forbidden', 403);
    refused(await poll(6), 'authorization_pending');
    const other = await signUp(service);
    refused(await other.cookie.post(path, { userCode }), 'access_denied', 403);
  });

  it('is shown with the address that asked, and belongs to nobody in advance', async () => {
    const answer = await service.anonymous.post('/api/auth/device/code', {
      client_id: 'registry-cli',
      user_id: account.id,
    });
    const row = await ctx.store.read
      .selectFrom('device_codes')
      .selectAll()
      .where('device_code', '=', hashOf(answer.body.device_code))
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.ip_address, row.user_id], ['127.0.0.1', null]);
    assert.match((await account.cookie.get(`/device?user_code=${answer.body.user_code}`)).text, /127\.0\.0\.1/);
  });

  it('429 for an account that guesses codes', async () => {
    const guesser = await signUp(service);
    const codes: number[] = [];
    for (let i = 0; i < 11; i += 1)
      codes.push((await guesser.cookie.get('/api/auth/device?user_code=AAAA-AAAA')).status);
    assert.deepEqual(codes, [...Array(10).fill(400), 429]);
  });
});

forEachEngine('device login in public', (engine) => {
  holdTime(NOON);
  it('429 for an address that begins too many', async () => {
    mock.timers.setTime(NOON);
    const env = { REGISTRY_BASE_URL: 'https://registry.example' };
    const service = await startService(await engine.openTestApp({ env }));
    const codes: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      codes.push((await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' })).status);
    }
    assert.deepEqual(codes, [...Array(10).fill(200), 429]);

    const app = { client_name: 'App', redirect_uris: ['https://app.example/cb'] };
    const registered: number[] = [];
    for (let i = 0; i < 6; i += 1)
      registered.push((await service.anonymous.post('/api/auth/oauth2/register', app)).status);
    assert.deepEqual(registered, [...Array(5).fill(201), 429]);
    mock.timers.setTime(NOON + 61_000);
    const later = await service.anonymous.post('/api/auth/oauth2/register', app);
    assert.equal(later.status, 201);
    assert.equal(later.headers.get('ratelimit-policy'), '"registration-daily";q=50;w=86400');

    // Six attempts were allowed so far, one of them in the second minute.
    const rest: number[] = [];
    for (let count = 0; count < 45; count += 1) {
      if (count % 4 === 0) mock.timers.setTime(Date.now() + 61_000);
      rest.push((await service.anonymous.post('/api/auth/oauth2/register', app)).status);
    }
    assert.deepEqual(rest, [...Array(44).fill(201), 429]);
  });
});
