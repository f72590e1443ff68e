// Signing up and signing in without a mail server.
import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { before, it, mock } from 'node:test';
import { cookiesOf, PASSWORD, signIn, signUp } from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const NEW_PASSWORD = 'a wholly new sentence';

// A remote address: a client on this machine would be exempt from limits by address.
const FROM_AFAR = { 'X-Forwarded-For': '203.0.113.7' };

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
  let service: Service;
  before(async () => {
    mock.timers.setTime(NOON);
    const app = await engine.openTestApp({ env: { REGISTRY_TRUSTED_ORIGINS: 'https://partner.example' } });
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
});
