// Sign-in at an address that others reach: its cookie, its limits, and what it says when it is closed or broken.
import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { createLog } from '../../src/cli/log.ts';
import { cookiesOf, PASSWORD, signUp } from '../support/accounts.ts';
import { createClient } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

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
