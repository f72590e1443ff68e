// Rules around the sign-in library: each test fails without its rule.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import type { Context } from '../../src/context.ts';
import {
  type Account,
  type App,
  authorizationRequest,
  exchangeCode,
  grantAccess,
  PASSWORD,
  REDIRECT_URI,
  registerApp,
  signUp,
  tokenRequest,
} from '../support/accounts.ts';
import { createClient } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { startMailServer } from '../support/mail-server.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const AT_ONCE = 4;

forEachEngine('around the sign-in library', (engine) => {
  holdTime(NOON);
  let database: Record<string, string>;
  let ctx: Context;
  let service: Service;
  let account: Account;
  let app: App;

  before(async () => {
    mock.timers.setTime(NOON);
    database = await engine.openTestDatabase();
    const opened = await engine.openTestApp({ database });
    ctx = opened.ctx;
    service = await startService(opened);
    account = await signUp(service);
    app = await registerApp(service);
  });

  const backFrom = async (query: URLSearchParams, { cookie } = account) => {
    const answer = await cookie.get(`/api/auth/oauth2/authorize?${query}`);
    return new URL(answer.headers.get('location') ?? 'none:');
  };
  const reported = ({ searchParams }: URL) => [searchParams.get('error'), searchParams.get('error_description')];
  const askedTwice = (name: string, value: string) => {
    const { query } = authorizationRequest(app.clientId);
    query.append(name, value);
    return query;
  };
  const requested = (change: Record<string, string>) => authorizationRequest(app.clientId, change).query;
  const refusals: [name: string, query: () => URLSearchParams, answer: [string, string]][] = [
    ['a repeated state', () => askedTwice('state', 'other'), ['invalid_request', 'state must not be repeated']],
    [
      'a repeated challenge',
      () => askedTwice('code_challenge', 'x'),
      ['invalid_request', 'code_challenge must not be repeated'],
    ],
    [
      'a challenge that is no hash',
      () => requested({ code_challenge: 'short' }),
      ['invalid_request', 'code_challenge is required'],
    ],
    [
      'unknown scopes',
      () => requested({ scope: 'openid write all' }),
      ['invalid_scope', 'there is no scope write, all'],
    ],
    [
      'a foreign resource',
      () => requested({ resource: 'https://elsewhere.example' }),
      ['invalid_target', 'resource is not served here'],
    ],
  ];
  for (const [name, query, answer] of refusals) {
    it(`tells an app what is wrong: ${name}`, async () => {
      const back = await backFrom(query());

      assert.ok(back.href.startsWith(`${REDIRECT_URI}?`), back.href);
      assert.deepEqual(reported(back), answer);
    });
  }

  it('an app is refused a scope that it has not registered', async () => {
    const modest = await registerApp(service, { scope: 'openid' });

    const back = await backFrom(authorizationRequest(modest.clientId, { scope: 'openid read' }).query);

    assert.deepEqual(reported(back), ['invalid_scope', 'this app may not ask for read']);
  });

  it('a service behind plain http is its own issuer', async () => {
    const origin = 'http://registry.example';
    const plain = await startService(await engine.openTestApp({ env: { REGISTRY_BASE_URL: origin } }));
    const somebody = await signUp(plain);
    const theirs = await registerApp(plain);
    await grantAccess(somebody.cookie, authorizationRequest(theirs.clientId).query);

    // The second time the consent is stored, and the library sends the code to the app at once.
    const back = await backFrom(authorizationRequest(theirs.clientId).query, somebody);

    assert.ok(back.searchParams.get('code'), back.href);
    assert.equal(back.searchParams.get('iss'), `${origin}/api/auth`);
  });

  const exchanges: [name: string, change: Record<string, string>, answer: [string, string]][] = [
    ['client assertions', { client_assertion: 'x.y.z' }, ['invalid_client', 'client assertions are not supported']],
    ['no verifier', { code_verifier: '' }, ['invalid_request', 'code_verifier is required']],
    [
      'another grant',
      { grant_type: 'client_credentials' },
      ['unsupported_grant_type', 'grant_type must be authorization_code or refresh_token'],
    ],
  ];
  for (const [name, change, [error, description]] of exchanges) {
    it(`gives no token for ${name}`, async () => {
      const request = authorizationRequest(app.clientId, { scope: 'openid read' });
      const { code } = await grantAccess(account.cookie, request.query);
      const fields = { grant_type: 'authorization_code', code, code_verifier: request.verifier };

      const answer = await tokenRequest(service, {
        ...fields,
        redirect_uri: REDIRECT_URI,
        client_id: app.clientId,
        ...change,
      });

      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual([answer.body.error, answer.body.error_description], [error, description]);
    });
  }

  it('hands out no token that would be refused at once', async () => {
    const leaving = await signUp(service);
    const request = authorizationRequest(app.clientId, { scope: 'openid read' });
    const { code } = await grantAccess(leaving.cookie, request.query);
    await disable(leaving.id);

    const answer = await exchangeCode(service, app, { code, verifier: request.verifier });

    assert.deepEqual([answer.status, answer.body.error, answer.body.access_token], [400, 'invalid_grant', undefined]);
  });

  it('an access token that has run out ends nothing', async () => {
    const request = authorizationRequest(app.clientId, { scope: 'openid read offline_access' });
    const { code } = await grantAccess(account.cookie, request.query);
    const { body } = await exchangeCode(service, app, { code, verifier: request.verifier });
    mock.timers.setTime(NOON + HOUR_MS + 60_000);

    const revoked = await service.anonymous.post('/api/auth/oauth2/revoke', {
      token: body.access_token,
      client_id: app.clientId,
    });
    const refreshed = await tokenRequest(service, {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: app.clientId,
    });
    mock.timers.setTime(NOON);

    assert.equal(revoked.status, 200, revoked.text);
    assert.equal(refreshed.status, 200, refreshed.text);
  });

  it('signing up takes what it names, and no other option of the library', async () => {
    const body = { name: 'Kim', email: 'options@mail.example', password: PASSWORD, rememberMe: false };

    const answer = await service.anonymous.post('/api/auth/sign-up/email', body);

    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.getSetCookie().join('\n'), /session_token=[^\n]*; Max-Age=\d+/i);
  });

  it('of those who sign up with one address in one moment, all but one hear that it is taken', async () => {
    const body = { name: 'Kim', email: 'together@mail.example', password: PASSWORD };
    const post = () => service.anonymous.post('/api/auth/sign-up/email', body);

    const answers = await Promise.all(Array.from({ length: AT_ONCE }, post));
    const later = await post();

    const shape = ({ status, body: { code } }: typeof later) => `${status} ${code}`;
    const expected = [...Array.from({ length: AT_ONCE - 1 }, () => shape(later)), '200 undefined'];
    assert.deepEqual(answers.map(shape).sort(), expected.sort());
  });

  it('a row that another request has stored in the same moment is a conflict, not a failure of the service', async () => {
    const randomBytes = (size: number) => new Uint8Array(size).fill(7);
    const repeating = await startService(await engine.openTestApp({ database, randomBytes }));
    const metadata = { client_name: 'An app', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' };
    const register = () => repeating.anonymous.post('/api/auth/oauth2/register', metadata);

    const [first, second] = [await register(), await register()];

    assert.equal(first.status, 201, first.text);
    assert.equal(second.status, 409, second.text);
    assert.equal(second.body.error, 'conflict');
  });

  it('an address that several take in one moment is answered to all of them alike', async () => {
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => signUp(service)));
    const change = ({ cookie }: Account) =>
      cookie.post('/api/auth/change-email', { newEmail: 'wanted@mail.example', password: PASSWORD });

    const answers = await Promise.all(people.map(change));

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      answers.map(() => [200, { status: true }]),
    );
    const owners = await ctx.store.read
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'wanted@mail.example')
      .execute();
    assert.equal(owners.length, 1);
  });

  it('whoever is disabled learns no more than from a wrong password', async () => {
    const leaving = await signUp(service);
    await disable(leaving.id);
    const enter = (password: string) =>
      service.anonymous.post('/api/auth/sign-in/email', { email: leaving.email, password });

    const [right, wrong] = [await enter(PASSWORD), await enter('not the password')];

    assert.equal(right.status, 401, right.text);
    assert.deepEqual(
      [right.status, right.body.code, right.body.message],
      [wrong.status, wrong.body.code, wrong.body.message],
    );
    assert.deepEqual(right.headers.getSetCookie(), wrong.headers.getSetCookie());
  });

  it('the library sees the one credential that counts: never a Bearer beside a cookie, nor a session that ended', async () => {
    const [other, leaving] = [await signUp(service), await signUp(service)];
    await disable(leaving.id);
    const session = async (headers: Record<string, string>) =>
      (await createClient(service.url, headers).get('/api/auth/get-session')).body;

    const beside = await session({ Authorization: `Bearer ${account.sessionToken}`, Cookie: other.cookieHeader });

    assert.equal(beside.user.id, other.id);
    assert.equal(await session({ Cookie: leaving.cookieHeader }), null);
    const ended = { Authorization: `Bearer ${account.sessionToken}`, Cookie: leaving.cookieHeader };
    assert.equal((await session(ended)).user.id, account.id);
  });

  it('tokens are signed with a new key where the old ones cannot be read any more', async () => {
    await account.oauth();
    const env = { REGISTRY_SECRET: '7a'.repeat(32) };
    const moved = await startService(await engine.openTestApp({ database, env }));
    const somebody = await signUp(moved);

    const { client } = await somebody.oauth();

    assert.equal((await client.get('/v1/tokens/me')).body.kind, 'oauth');
  });

  it('a link for a new password is on its way before anything is looked up', async (t) => {
    const mails = await startMailServer();
    t.after(() => mails.close());
    const opened = await engine.openTestApp({
      env: { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'registry@mail.example' },
    });
    const mailing = await startService(opened);
    const person = { name: 'Kim', email: 'kim@mail.example', password: PASSWORD };
    assert.equal((await mailing.anonymous.post('/api/auth/sign-up/email', person)).status, 200);
    await mailing.settled();
    mails.received.splice(0);
    const { store } = opened.ctx;
    const gate = Promise.withResolvers<void>();
    const transaction = store.transaction.bind(store);
    // Nothing is written until the response has been read.
    store.transaction = async (...work) => {
      await gate.promise;
      return transaction(...work);
    };

    const answer = await mailing.anonymous.post('/api/auth/request-password-reset', { email: person.email });
    gate.resolve();
    await mailing.settled();

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      mails.received.map(({ to }) => to),
      [[person.email]],
    );
  });

  it('the library writes nothing to the terminal', async (t) => {
    const printed = (['error', 'warn', 'log', 'info', 'debug'] as const).map((name) => t.mock.method(console, name));

    await service.anonymous.post('/api/auth/sign-in/email', { email: 'nobody@mail.example', password: PASSWORD });
    await service.anonymous.post('/api/auth/sign-in/email', { email: account.email, password: 'not the password' });

    assert.deepEqual(
      printed.flatMap(({ mock: { calls } }) => calls.map((call) => call.arguments)),
      [],
    );
  });

  async function disable(id: string): Promise<void> {
    const at = ctx.clock().toISOString();
    await ctx.store.transaction(
      (tx) => tx.updateTable('users').set({ disabled_at: at }).where('id', '=', id).execute(),
      'catalog',
    );
  }
});
