// Attacks on sign-in.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { authorizationRequest, PASSWORD, registerApp, signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('hostile requests to sign-in', (engine) => {
  let service: Service;
  before(async () => {
    service = await startService(await engine.openTestApp());
  });

  const policyOf = async (path: string) => (await browse(service).get(path)).headers.get('content-security-policy');

  it('no address that a link names enters the policy of a page', async () => {
    const plain = await policyOf('/login');
    const uris = ['https://evil.example/', "https://evil;script-src'unsafe-inline'/", 'com.evil.app:/back'];
    for (const uri of uris) {
      for (const page of ['/login', '/signup']) {
        const made = new URLSearchParams({ redirect_uri: uri, client_id: 'any', exp: '9999999999', sig: 'made-up' });
        assert.equal(await policyOf(`${page}?${made}`), plain, `${page} ${uri}`);
      }
    }
  });

  it('a signed request that was changed does not, either', async () => {
    const app = await registerApp(service);
    const requested = await browse(service).get(
      `/api/auth/oauth2/authorize?${authorizationRequest(app.clientId).query}`,
    );
    const login = new URL(requested.headers.get('location') ?? '');
    const changed = new URL(login);
    changed.searchParams.set('redirect_uri', 'https://evil.example/');
    const doubled = new URL(login);
    doubled.searchParams.append('redirect_uri', 'https://evil.example/');

    assert.match((await policyOf(`/login${login.search}`)) ?? '', /form-action 'self' http:\/\/127\.0\.0\.1:4711;/);
    for (const { search } of [changed, doubled]) {
      assert.match((await policyOf(`/login${search}`)) ?? '', /form-action 'self';/);
    }
    const { cookie } = await signUp(service);
    assert.equal((await cookie.get(`/oauth/consent${changed.search}`)).status, 400);
  });

  it('an app cannot register an address that means something in a header', async () => {
    for (const uri of [
      "https://app;script-src'unsafe-inline'/",
      'https://app.example/日本',
      'https://app,x.example/',
    ]) {
      const answer = await service.anonymous.post('/api/auth/oauth2/register', {
        client_name: 'An app',
        redirect_uris: [uri],
        token_endpoint_auth_method: 'none',
      });
      assert.equal(answer.status, 400, uri);
    }
  });

  it('wrong tokens on reads are counted like attempts to sign in', async () => {
    const env = { REGISTRY_BASE_URL: 'https://registry.example' };
    const { anonymous } = await startService(await engine.openTestApp({ env }));
    const wrong = { Authorization: `Bearer ${'x'.repeat(32)}` };
    const statuses = async (path: string, headers: Record<string, string>) => {
      const seen: number[] = [];
      for (let n = 0; n < 31; n += 1) seen.push((await anonymous.get(path, headers)).status);
      return seen;
    };

    assert.deepEqual(await statuses('/api/auth/oauth2/userinfo', {}), Array(31).fill(401));
    assert.deepEqual(await statuses('/api/auth/oauth2/userinfo', wrong), [...Array(30).fill(401), 429]);
    assert.equal((await anonymous.get('/api/auth/get-session', wrong)).status, 429);
    assert.equal((await anonymous.get('/api/auth/get-session')).status, 200);
  });

  it('a way back in any letters is followed', async () => {
    const { email } = await signUp(service);
    const browser = browse(service);
    const form = await browser.get(`/login?${new URLSearchParams({ next: '/suche?q=日本 ł' })}`);

    const onward = await browser.submit(form, { email, password: PASSWORD });

    assert.equal(onward.status, 303);
    assert.equal(onward.headers.get('location'), `${service.origin}/suche?q=%E6%97%A5%E6%9C%AC%20%C5%82`);
    const direct = await service.anonymous.post('/api/auth/sign-in/email', {
      email,
      password: PASSWORD,
      callbackURL: '/日本',
    });
    assert.deepEqual([direct.status, direct.body.url], [200, `${service.origin}/%E6%97%A5%E6%9C%AC`]);
  });

  it('JSON that is nested too deeply is a bad request on every route', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const type = { 'Content-Type': 'application/json' };
    for (const path of ['/api/auth/sign-in/email', '/api/auth/sign-up/email', '/api/auth/reset-password', '/login']) {
      const answer = await service.anonymous.post(path, `{"email":${nested}}`, type);
      assert.equal(answer.status, 400, path);
      if (path.startsWith('/api')) assert.equal(answer.body.code, 'invalid_json', path);
    }
    const oauth = await service.anonymous.post('/api/auth/oauth2/register', `{"redirect_uris":${nested}}`, type);
    assert.deepEqual([oauth.status, oauth.body.error], [400, 'invalid_json']);
    const feedback = await service.anonymous.post('/v1/feedback', `{"message":${nested}}`, type);
    assert.deepEqual([feedback.status, feedback.body.error.code], [400, 'invalid_json']);
  });

  it('a password that is easy to guess is refused, with words that help', async () => {
    const { cookie, email, id } = await signUp(service);
    for (const password of ['aaaaaaaaaa', '0123456789', 'Password123!', ' '.repeat(12)]) {
      const body = { name: 'New', email: 'weak@mail.example', password };
      const answer = await service.anonymous.post('/api/auth/sign-up/email', body);
      assert.deepEqual([answer.status, answer.body.details?.field], [400, 'password'], answer.text);
      assert.match(answer.body.message, /; use .* words/);
      const changed = await cookie.post('/api/auth/change-password', {
        currentPassword: PASSWORD,
        newPassword: password,
      });
      assert.equal(changed.status, 400, password);
    }
    const signedIn = await service.anonymous.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    assert.equal(signedIn.body.user.id, id);
  });

  it('403 before 400 for a credential that may not mint keys', async () => {
    const account = await signUp(service);
    const [key, app] = [await account.key(), await account.oauth('read account')];
    for (const path of ['/v1/me/api-keys', '/v1/api-keys']) {
      for (const body of [{}, { name: 'x'.repeat(33) }, 'no json', { name: 'fine' }]) {
        for (const client of [key.client, app.client]) {
          const answer = await client.post(path, body);
          assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
          assert.equal(answer.body.error.details.reason, 'session_required');
        }
      }
      assert.equal((await account.session.post(path, {})).status, 400);
    }
  });
});
