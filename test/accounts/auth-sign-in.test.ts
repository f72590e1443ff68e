// Accounts without a configured mail server: sign-up, sign-in and sign-out, new passwords, the deletion of an account.
import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { before, it, mock } from 'node:test';
import { createApiKey } from '../../src/accounts/api-keys/manage.ts';
import { createResetLink } from '../../src/accounts/auth/reset-link.ts';
import { hashOf } from '../../src/accounts/machine-token.ts';
import { forgetOldRows } from '../../src/accounts/retention.ts';
import { createLog } from '../../src/cli/log.ts';
import { type Context, transact } from '../../src/context.ts';
import { cookiesOf, PASSWORD, signIn, signUp } from '../support/accounts.ts';
import { createClient } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const NEW_PASSWORD = 'a wholly new sentence';

// A remote address: a client on this machine would be exempt from limits by address.
const FROM_AFAR = { 'X-Forwarded-For': '203.0.113.7' };

function addWebhook(ctx: Context, userId: string): Promise<unknown> {
  const at = ctx.clock().toISOString();
  const row = {
    id: `whk_${userId}`,
    user_id: userId,
    scope: 'follows',
    exclude_prereleases: 0,
    url: 'https://hook.example/',
    target: 'hook.example:443',
    format: 'json',
    enabled: 1,
    secret_version: 1,
    created_at: at,
    updated_at: at,
  };
  return transact(ctx, ({ tx }) =>
    tx
      .insertInto('webhook_subscriptions')
      .values(row as never)
      .execute(),
  );
}

// Without a replaced hashing function, as in the program.
forEachEngine('a stored password', (engine) => {
  it('is hashed with scrypt at a cost of 32 MB, and opens the account by no other way', async () => {
    const app = await engine.openTestApp({ passwords: undefined });
    const service = await startService(app);
    const { id, email, cookie } = await signUp(service);
    const stored = async () => {
      const query = app.ctx.store.read.selectFrom('identities').select('password').where('user_id', '=', id);
      return (await query.executeTakeFirstOrThrow()).password ?? '';
    };

    const [salt = '', key] = (await stored()).split(':');

    const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
    assert.equal(scryptSync(PASSWORD, salt, 64, cost).toString('hex'), key);
    assert.equal((await signIn(service, email)).id, id);
    const wrong = { email, password: 'correct horse batterz' };
    assert.equal((await service.anonymous.post('/api/auth/sign-in/email', wrong)).status, 401);
    assert.equal((await cookie.post('/api/auth/delete-user', { password: wrong.password })).status, 400);
    assert.equal((await cookie.post('/api/auth/delete-user', { password: PASSWORD })).status, 200);
  });
});

forEachEngine('sign-in without a mail server', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  before(async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp({ env: { REGISTRY_TRUSTED_ORIGINS: 'https://partner.example' } });
    ctx = app.ctx;
    service = await startService(app);
  });

  const tryPassword = (email: string, password: string, headers = {}) =>
    service.anonymous.post('/api/auth/sign-in/email', { email, password }, headers);

  it('an account works at once, and its address counts in any case', async () => {
    const { cookie, id } = await signUp(service, { email: 'Kim@Mail.Example', name: 'Kim' });
    const { user } = (await cookie.get('/api/auth/get-session')).body;

    assert.partialDeepStrictEqual(user, {
      id,
      name: 'Kim',
      email: 'kim@mail.example',
      emailVerified: false,
      image: null,
    });
    assert.equal((await signIn(service, 'KIM@mail.example')).id, id);
    const again = await service.anonymous.post('/api/auth/sign-up/email', {
      name: 'Kim',
      email: 'kim@mail.EXAMPLE',
      password: PASSWORD,
    });
    assert.deepEqual([again.status, again.body.code], [422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL']);
    assert.equal((await cookie.get('/v1/me')).body.user.email, 'kim@mail.example');
  });

  it('the cookie is what was promised', async () => {
    const answer = await service.anonymous.post('/api/auth/sign-up/email', {
      name: 'Lee',
      email: 'lee@mail.example',
      password: PASSWORD,
    });
    const [cookie = '', device = '', ...more] = answer.headers.getSetCookie();

    assert.deepEqual(more, []);
    assert.match(device, /^registry\.device=\w{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(cookie, /^registry\.session_token=\S+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal(answer.headers.get('set-auth-token'), null);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    const changed = cookiesOf(answer.headers).replace(/=(.)/, (_, first) => `=${first === 'a' ? 'b' : 'a'}`);
    assert.equal((await service.anonymous.get('/v1/me', { Cookie: changed })).status, 401);
  });

  const refusals: [name: string, change: Record<string, unknown>, message: RegExp][] = [
    ['a short password', { password: 'short1234' }, /at least 10/],
    ['a long password', { password: 'x'.repeat(129) }, /at most 128/],
    ['a common password', { password: 'qwertyuiop' }, /common/],
    ['the address as password', { password: 'New@mail.example' }, /e-mail/],
    ['no address', { email: undefined }, /e-mail/],
    ['a broken address', { email: 'nobody' }, /email/i],
    ['no name', { name: ' ' }, /name/],
    ['a long name', { name: 'x'.repeat(81) }, /name/],
    ['a picture that is none', { image: 'javascript:alert(1)' }, /image/],
  ];
  for (const [name, change, message] of refusals) {
    it(`400 for sign-up with ${name}`, async () => {
      const body = { name: 'New', email: 'new@mail.example', password: PASSWORD, ...change };
      const answer = await service.anonymous.post('/api/auth/sign-up/email', body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.message, message);
    });
  }

  it('a session is extended once a day while it is used, wherever that is', async () => {
    const { cookieHeader, sessionToken } = await signUp(service);
    const expires = async () => {
      const query = ctx.store.read
        .selectFrom('sessions')
        .select('expires_at')
        .where('token', '=', hashOf(sessionToken));
      return Date.parse((await query.executeTakeFirstOrThrow()).expires_at);
    };
    const read = () => service.anonymous.get('/v1/me', { Cookie: cookieHeader });
    mock.timers.setTime(NOON + 0.9 * DAY_MS);
    assert.deepEqual((await read()).headers.getSetCookie(), []);
    mock.timers.setTime(NOON + 1.5 * DAY_MS);

    const renewed = await read();
    await service.settled();

    assert.equal(await expires(), NOON + 8.5 * DAY_MS);
    assert.equal(cookiesOf(renewed.headers), cookieHeader.split('; ')[0]);
    mock.timers.setTime(NOON + 8 * DAY_MS);
    assert.equal((await read()).status, 200);
    mock.timers.setTime(NOON + 30 * DAY_MS);
    assert.equal((await read()).status, 401);
    mock.timers.setTime(NOON);
  });

  it('sessions are shown without their tokens, ended by id, and end at once', async () => {
    const { email, cookie, sessionToken } = await signUp(service);
    const other = await signIn(service, email);
    const listed = await cookie.get('/api/auth/list-sessions');
    const own = (await cookie.get('/api/auth/get-session')).body.session.id;

    assert.equal(listed.body.length, 2);
    for (const text of [listed.text, (await cookie.get('/api/auth/get-session')).text]) {
      assert.ok(!text.includes(sessionToken) && !text.includes(other.sessionToken));
    }
    const { id } = listed.body.find((session: { id: string }) => session.id !== own);
    assert.equal((await cookie.post('/api/auth/revoke-session', { id })).status, 200);
    assert.equal((await other.session.get('/v1/me')).status, 401);
    const stranger = await signUp(service);
    assert.equal((await stranger.cookie.post('/api/auth/revoke-session', { id: own })).status, 404);
    const third = await signIn(service, email);
    assert.equal((await cookie.post('/api/auth/revoke-other-sessions', {})).status, 200);
    assert.equal((await third.session.get('/v1/me')).status, 401);
    assert.equal((await cookie.post('/api/auth/sign-out', {})).status, 200);
    assert.equal((await cookie.get('/v1/me')).status, 401);
  });

  it('account security needs a recent sign-in', async () => {
    const { cookie, email } = await signUp(service);
    mock.timers.setTime(NOON + DAY_MS + 1000);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

    const late = await cookie.post('/api/auth/change-password', change);

    assert.deepEqual(
      [late.status, late.body.code, late.body.details],
      [403, 'forbidden', { reason: 'recent_sign_in_required' }],
    );
    const again = await signIn(service, email);
    assert.equal((await again.cookie.post('/api/auth/change-password', change)).status, 200);
    assert.equal((await tryPassword(email, NEW_PASSWORD)).status, 200);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    const common = await again.cookie.post('/api/auth/change-password', {
      currentPassword: NEW_PASSWORD,
      newPassword: 'qwertyuiop',
    });
    assert.deepEqual([common.status, common.body.code], [400, 'bad_request']);
    mock.timers.setTime(NOON);
  });

  it('an address is changed at once, and none that is taken', async () => {
    const { cookie, id } = await signUp(service);
    const taken = await signUp(service);
    const user = async () => (await cookie.get('/v1/me')).body.user;
    const { email: before } = await user();

    assert.equal(
      (await cookie.post('/api/auth/change-email', { newEmail: taken.email, password: PASSWORD })).status,
      200,
    );
    assert.equal((await user()).email, before);
    assert.equal(
      (await cookie.post('/api/auth/change-email', { newEmail: 'Moved@mail.example', password: PASSWORD })).status,
      200,
    );
    assert.equal((await user()).email, 'moved@mail.example');
    assert.equal(
      (await cookie.post('/api/auth/update-user', { name: 'Renamed', email: 'x@mail.example' })).status,
      200,
    );
    assert.partialDeepStrictEqual(await user(), { id, name: 'Renamed', email: 'moved@mail.example' });
    assert.equal((await cookie.post('/api/auth/update-user', { name: '' })).status, 400);
  });

  it('of those who want the same address or link at once, one gets it, and nobody sees a fault', async () => {
    const tally = (answers: { status: number; body: { code?: string } }[]) =>
      Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    const body = { name: 'Twin', email: 'twin@mail.example', password: PASSWORD };
    const twins = tally(
      await Promise.all(Array.from({ length: 6 }, () => service.anonymous.post('/api/auth/sign-up/email', body))),
    );
    assert.deepEqual(
      Object.entries(twins)
        .map(([title, all]) => [title, all?.length])
        .sort(),
      [
        ['200', 1],
        ['422 USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 5],
      ],
    );

    const movers = [await signUp(service), await signUp(service), await signUp(service)];
    const moved = await Promise.all(
      movers.map(({ cookie }) =>
        cookie.post('/api/auth/change-email', { newEmail: 'wanted@mail.example', password: PASSWORD }),
      ),
    );
    assert.deepEqual(new Set(moved.map(({ status }) => status)), new Set([200]));
    const emails = await Promise.all(movers.map(async ({ cookie }) => (await cookie.get('/v1/me')).body.user.email));
    assert.equal(emails.filter((email) => email === 'wanted@mail.example').length, 1);

    const link = new URL(await createResetLink(ctx, { userId: movers[0]?.id ?? '' }));
    const token = link.searchParams.get('token');
    const resets = await Promise.all(
      [1, 2, 3].map((n) =>
        service.anonymous.post('/api/auth/reset-password', { token, newPassword: `a wholly new sentence ${n}` }),
      ),
    );
    assert.deepEqual(resets.map(({ status }) => status).sort(), [200, 400, 400]);
  });

  it('a new password comes by a link of the operator: once, for an hour, and ends all sessions', async () => {
    const { id, email, cookie } = await signUp(service);
    const reset = (token: string, newPassword = NEW_PASSWORD) =>
      service.anonymous.post('/api/auth/reset-password', { token, newPassword });
    const link = new URL(await createResetLink(ctx, { userId: id }));
    const token = link.searchParams.get('token') ?? '';

    assert.equal(link.origin + link.pathname, `${service.origin}/reset-password`);
    const stored = JSON.stringify(await ctx.store.read.selectFrom('verifications').selectAll().execute());
    assert.ok(!stored.includes(token));
    for (const bad of ['short', 'qwertyuiop', email]) assert.equal((await reset(token, bad)).status, 400, bad);
    assert.equal((await reset(token)).status, 200);
    assert.equal((await cookie.get('/v1/me')).status, 401);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    assert.equal((await tryPassword(email, NEW_PASSWORD)).status, 200);
    assert.deepEqual((await reset(token)).body.code, 'INVALID_TOKEN');

    const late = new URL(await createResetLink(ctx, { userId: id })).searchParams.get('token') ?? '';
    mock.timers.setTime(NOON + 3_601_000);
    assert.deepEqual((await reset(late)).body.code, 'INVALID_TOKEN');
    mock.timers.setTime(NOON);
    const requested = await service.anonymous.post('/api/auth/request-password-reset', { email });
    assert.deepEqual([requested.status, requested.body.details], [400, { reason: 'no_mail' }]);
  });

  it('sign-in tells nothing about who has an account', async () => {
    const { email } = await signUp(service);
    const wrong = await tryPassword(email, 'some other password');
    const unknown = await tryPassword('nobody@mail.example', 'some other password');

    assert.equal(wrong.status, 401);
    assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body]);
  });

  it('429 after five wrong passwords for an address from one place, however many come at once', async () => {
    const { email } = await signUp(service);
    const attempts = await Promise.all(Array.from({ length: 20 }, () => tryPassword(email, 'some other password')));
    const count = (status: number) => attempts.filter((answer) => answer.status === status).length;

    assert.deepEqual([count(401), count(429)], [5, 15]);
    const refused = await tryPassword(email, PASSWORD);
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.equal(refused.headers.get('retry-after'), '900');
    assert.equal((await tryPassword(email, PASSWORD, FROM_AFAR)).status, 429, 'the proxy is not trusted');
    mock.timers.setTime(NOON + 900_000);
    for (let i = 0; i < 7; i += 1) assert.equal((await tryPassword(email, PASSWORD)).status, 200);
    mock.timers.setTime(NOON);
  });

  it('nobody is signed in by a page that is not trusted, and nothing leads away afterwards', async () => {
    const { email } = await signUp(service);
    const body = (callbackURL: string) => ({ email, password: PASSWORD, callbackURL });
    const from = (origin: string) => service.anonymous.post('/api/auth/sign-in/email', body('/a'), { Origin: origin });

    assert.deepEqual((await from('https://evil.example')).body.details, { reason: 'origin' });
    assert.equal((await from('https://partner.example')).status, 200);
    for (const [wanted, url] of [
      ['/account?x=1', '/account?x=1'],
      ['//evil.example', '/following'],
      ['https://evil.example', '/following'],
    ] as const) {
      const answer = await service.anonymous.post('/api/auth/sign-in/email', body(wanted));
      assert.equal(answer.body.url, `${service.origin}${url}`);
    }
  });

  it('what the service does not offer is not there', async () => {
    const { cookie } = await signUp(service);
    const absent = [
      'GET /token',
      'POST /api-key/create',
      'GET /api-key/list',
      'POST /sign-in/social',
      'GET /callback/github',
      'POST /admin/oauth2/create-client',
      'POST /oauth2/create-client',
      'GET /oauth2/get-clients',
      'POST /set-password',
      'GET /ok',
      'GET /error',
      'GET /nothing',
    ];
    for (const route of absent) {
      const [method = '', path = ''] = route.split(' ');
      const body = method === 'GET' ? undefined : { provider: 'github' };
      const answer = await cookie.request(method, `/api/auth${path}`, body);
      assert.equal(answer.status, 404, route);
      assert.ok(answer.body.code ?? answer.body.error, route);
    }
    const wrongMethod = await cookie.get('/api/auth/sign-out');
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [404, 'POST, OPTIONS']);
    const preflight = await service.anonymous.request('OPTIONS', '/api/auth/oauth2/token');
    assert.equal(preflight.status, 204);
    const large = await service.anonymous.post('/api/auth/sign-in/email', { email: 'x'.repeat(70_000) });
    assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large']);
    const broken = await service.anonymous.post('/api/auth/sign-in/email', '{"email"');
    assert.deepEqual([broken.status, broken.body.code], [400, 'invalid_json']);
  });

  it('400 for a NUL, wherever it stands but in a password', async () => {
    const { cookie, email } = await signUp(service);
    const nul = 'x\0y';
    const answers = {
      name: await cookie.post('/api/auth/update-user', { image: `https://a.example/${nul}` }),
      session: await cookie.post('/api/auth/revoke-session', { id: nul }),
      reset: await service.anonymous.post('/api/auth/reset-password', { token: nul, newPassword: NEW_PASSWORD }),
      scope: await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli', scope: nul }),
      nested: await service.anonymous.post('/api/auth/oauth2/register', { client_name: 'x', more: [{ [nul]: 1 }] }),
      form: await service.anonymous.post('/api/auth/oauth2/revoke', 'token=%00&client_id=x', {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
      query: await cookie.get('/api/auth/oauth2/authorize?client_id=%00'),
      page: await cookie.get('/oauth/consent?sig=x&client_id=%00'),
      operator: await service.anonymous.post('/admin/session', { token: nul }),
    };
    for (const [name, { status, text }] of Object.entries(answers)) {
      assert.equal(status, 400, `${name}: ${text}`);
      assert.match(text, /NUL/, name);
    }
    const change = { currentPassword: PASSWORD, newPassword: `\0${NEW_PASSWORD}` };
    assert.equal((await cookie.post('/api/auth/change-password', change)).status, 200);
    assert.equal((await tryPassword(email, `\0${NEW_PASSWORD}`)).status, 200);
    assert.equal((await tryPassword(email, NEW_PASSWORD)).status, 401);
  });

  it('with an account goes everything that belongs to it', async () => {
    const { id, cookie, email, oauth } = await signUp(service);
    const org = await createOrg(ctx);
    const access = await oauth('openid read account offline_access');
    const { key } = await createApiKey(ctx, { userId: id, name: 'k', expiresAt: null });
    await cookie.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    await cookie.post('/v1/me/feed/token');
    await addWebhook(ctx, id);
    await createResetLink(ctx, { userId: id });

    const deleted = await cookie.post('/api/auth/delete-user', { password: PASSWORD });

    assert.equal(deleted.status, 200);
    assert.match(deleted.headers.getSetCookie()[0] ?? '', /^registry\.session_token=; Max-Age=0/);
    for (const bearer of [key, access.accessToken]) assert.equal((await service.as(bearer).get('/v1/me')).status, 401);
    assert.equal((await cookie.get('/v1/me')).status, 401);
    assert.equal((await tryPassword(email, PASSWORD)).status, 401);
    const left: string[] = [];
    for (const [table, column] of [
      ['users', 'id'],
      ['sessions', 'user_id'],
      ['identities', 'user_id'],
      ['api_keys', 'user_id'],
      ['oauth_refresh_tokens', 'user_id'],
      ['oauth_consents', 'user_id'],
      ['follows', 'user_id'],
      ['feed_tokens', 'user_id'],
      ['webhook_subscriptions', 'user_id'],
      ['verifications', 'value'],
    ] as const) {
      const rows = await ctx.store.read
        .selectFrom(table)
        .selectAll()
        .where(column as never, '=', id as never)
        .execute();
      if (rows.length > 0) left.push(table);
    }
    assert.deepEqual(left, []);
  });

  it('what is over is forgotten', async () => {
    const { sessionToken, id } = await signUp(service);
    await createResetLink(ctx, { userId: id });
    mock.timers.setTime(NOON + 8 * DAY_MS);

    await forgetOldRows(ctx);

    const sessions = await ctx.store.read.selectFrom('sessions').select('token').execute();
    assert.ok(!sessions.some(({ token }) => token === hashOf(sessionToken)));
    assert.deepEqual(await ctx.store.read.selectFrom('verifications').selectAll().execute(), []);
    mock.timers.setTime(NOON);
  });
});

forEachEngine('sign-in in public', (engine) => {
  holdTime(NOON);
  it('the cookie is secure on https, and every POST counts for its address', async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp({
      env: { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_COOKIE_DOMAIN: 'registry.example' },
    });
    const service = await startService(app);
    const body = { name: 'Kim', email: 'kim@mail.example', password: PASSWORD };

    const answer = await service.anonymous.post('/api/auth/sign-up/email', body);

    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^__Secure-registry\.session_token=\S+; /);
    for (const attribute of ['Domain=registry.example', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
      assert.ok(cookie.includes(attribute), attribute);
    }
    const own = createClient(service.url, { Cookie: cookiesOf(answer.headers), Origin: 'https://registry.example' });
    assert.equal((await own.get('/v1/me')).status, 200);
    assert.equal(answer.headers.get('ratelimit-policy'), '"auth";q=30;w=60');
    const codes: number[] = [];
    for (let i = 0; i < 31; i += 1) codes.push((await service.anonymous.post('/api/auth/nothing', {})).status);
    assert.deepEqual(codes, [...Array(29).fill(404), 429, 429]);
    assert.equal((await own.get('/api/auth/get-session')).status, 200, 'reads do not count');
  });

  it('limits what an account reads, all its credentials together', async () => {
    mock.timers.setTime(NOON);
    const env = { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_RATE_ACCOUNT: '3' };
    const service = await startService(await engine.openTestApp({ env }));
    const account = await signUp(service);
    const key = await account.key();

    const first = await account.cookie.get('/v1/me');
    await key.client.get('/v1/orgs');
    const third = await account.session.get('/v1/me');
    const fourth = await key.client.get('/v1/me');

    assert.equal(first.headers.get('ratelimit-policy'), '"account";q=3;w=60');
    assert.equal(first.headers.get('ratelimit'), '"account";r=2;t=60');
    assert.equal(third.status, 200);
    assert.deepEqual([fourth.status, fourth.body.error.code], [429, 'rate_limited']);
    assert.equal((await service.anonymous.get('/v1/orgs')).status, 200);
  });

  it('holds its limits under load: exactly the quota passes, whoever comes at once', async () => {
    mock.timers.setTime(NOON);
    const env = { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_RATE_ACCOUNT: '25' };
    const database = await engine.openTestDatabase();
    const services = [
      await startService(await engine.openTestApp({ database, env })),
      await startService(await engine.openTestApp({ database, env })),
    ];
    const [first, second] = services as [Service, Service];
    const account = await signUp(first);
    const clients = [account.cookie, account.session, (await account.key()).client, first.as(account.sessionToken)];

    const reads = await Promise.all(Array.from({ length: 100 }, (_, index) => clients[index % 4]?.get('/v1/me')));
    const wrong = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        services[index % 2]?.anonymous.post('/api/auth/sign-in/email', {
          email: account.email,
          password: 'some other password',
        }),
      ),
    );
    const posts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => services[index % 2]?.anonymous.post('/api/auth/nothing', {})),
    );

    const count = (answers: typeof reads, status: number) => answers.filter((one) => one?.status === status).length;
    assert.deepEqual([count(reads, 200), count(reads, 429)], [25, 75]);
    for (const refused of reads.filter((one) => one?.status === 429)) {
      assert.deepEqual([refused?.body.error.code, refused?.headers.get('retry-after')], ['rate_limited', '60']);
      assert.equal(refused?.headers.get('ratelimit'), '"account";r=0;t=60');
    }
    assert.deepEqual([count(wrong, 401), count(wrong, 429)], [5, 11], 'over both processes');
    // One of the attempts was the sign-up, 16 were wrong passwords.
    assert.deepEqual([count(posts, 404), count(posts, 429)], [13, 17], 'over both processes');
    assert.equal((await second.as(account.sessionToken).get('/v1/me')).status, 200, 'tiers are those of one process');
  });

  it('403 forbidden for sign-up while it is closed', async () => {
    const service = await startService(await engine.openTestApp({ env: { REGISTRY_SIGNUP: 'closed' } }));
    const body = { name: 'Kim', email: 'kim@mail.example', password: PASSWORD };

    const answer = await service.anonymous.post('/api/auth/sign-up/email', body);

    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden']);
    assert.equal((await service.anonymous.get('/signup')).status, 403);
  });

  it('500 internal_error for what nobody foresaw, told to the log alone', async (t) => {
    const lines: string[] = [];
    const terminal = t.mock.method(console, 'error', () => {});
    const app = await engine.openTestApp({ log: createLog('info', (line) => lines.push(line)) });
    const service = await startService(app);
    await signUp(service, { email: 'kim@mail.example' });
    await app.ctx.store.transaction((tx) => tx.schema.alterTable('sessions').renameTo('gone').execute(), 'bookkeeping');

    const answer = await service.anonymous.post('/api/auth/sign-in/email', {
      email: 'kim@mail.example',
      password: PASSWORD,
    });

    assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error']);
    assert.equal(lines.filter((line) => line.includes('request failed')).length, 1);
    assert.equal(terminal.mock.callCount(), 0);
    assert.ok(!lines.join('').includes(PASSWORD));
  });

  it('503 service_unavailable without a secret', async () => {
    const app = await engine.openTestApp();
    app.ctx.secrets = null;
    const service = await startService(app);
    const answer = await service.anonymous.post('/api/auth/sign-in/email', {
      email: 'a@b.example',
      password: PASSWORD,
    });
    const token = await service.anonymous.post('/api/auth/oauth2/token', {});

    assert.deepEqual([answer.status, answer.body.code], [503, 'service_unavailable']);
    assert.deepEqual([token.status, token.body.error], [503, 'service_unavailable']);
    assert.equal((await service.anonymous.get('/login')).status, 503);
    assert.equal((await service.anonymous.get('/v1/orgs', { Cookie: 'registry.session_token=a.b' })).status, 200);
  });
});
