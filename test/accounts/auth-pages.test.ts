// The sign-in pages in a browser without script, and the operator's sign-in.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { formToken } from '../../src/accounts/auth/form-token.ts';
import { createResetLink } from '../../src/accounts/auth/reset-link.ts';
import { createOperatorSessions } from '../../src/accounts/operator-sessions.ts';
import type { Context } from '../../src/context.ts';
import {
  authorizationRequest,
  cookiesOf,
  exchangeCode,
  PASSWORD,
  registerApp,
  signIn,
  signUp,
} from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

const FORM = 'application/x-www-form-urlencoded';

function locationOf(answer: Answer): URL {
  assert.equal(answer.status, 303, answer.text);
  return new URL(answer.headers.get('location') ?? 'none:');
}

forEachEngine('pages of sign-in', (engine) => {
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });

  it('lead from nothing to an account', async () => {
    const browser = browse(service);
    const form = await browser.get('/signup?next=/account');

    const weak = await browser.submit(form, { name: 'Kim', email: 'kim@mail.example', password: 'short' });
    assert.equal(weak.status, 422);
    const $ = load(weak.text);
    const said = $('[role=alert]');
    assert.ok(said.is('[autofocus][tabindex=-1]'), 'what went wrong has the focus');
    assert.deepEqual([$('[aria-invalid=true]').attr('name'), said.find('a').attr('href')], ['password', '#password']);
    const described = $('#password').attr('aria-describedby')?.split(' ') ?? [];
    assert.ok(described.some((id) => /^The password .* at least 10 characters/.test($(`#${id}`).text())));
    assert.match(weak.text, /at least 10 characters/);
    assert.match(weak.text, /value="kim@mail\.example"/);
    assert.doesNotMatch(weak.text, /value="short"/);
    const made = await browser.submit(weak, { name: 'Kim', email: 'kim@mail.example', password: PASSWORD });

    assert.equal(locationOf(made).href, `${service.origin}/account`);
    assert.equal((await service.anonymous.get('/v1/me', { Cookie: browser.cookies() })).status, 200);
  });

  it('sign in, and never say which part was wrong', async () => {
    const browser = browse(service);
    const form = await browser.get('/login?next=//evil.example');
    const unknown = await browser.submit(form, { email: 'nobody@mail.example', password: PASSWORD });
    const wrong = await browser.submit(form, { email: 'kim@mail.example', password: 'some other words' });
    const said = ({ text }: Answer) => load(text)('[role=alert]').text();

    assert.deepEqual([unknown.status, wrong.status], [422, 422]);
    assert.equal(said(unknown), said(wrong));
    const right = await browser.submit(form, { email: 'kim@mail.example', password: PASSWORD });
    assert.equal(locationOf(right).href, `${service.origin}/following`);
  });

  it('take no form that they did not draw, nor one from another page', async () => {
    const browser = browse(service);
    const form = await browser.get('/login');
    const fill = { email: 'kim@mail.example', password: PASSWORD };

    for (const [change, headers] of [
      [{ csrf: 'made.up' }, {}],
      [{ csrf: '' }, {}],
      [{}, { Origin: 'https://evil.example' }],
    ] as [Record<string, string>, Record<string, string>][]) {
      const refused = await browser.submit(form, { ...fill, ...change }, 0, headers);
      assert.equal(refused.status, 403);
      assert.match(refused.headers.get('content-type') ?? '', /text\/html/);
      assert.equal(browser.cookies(), '');
    }
  });

  it('are plain, private and strict', async () => {
    for (const path of ['/login', '/signup', '/forgot-password', '/reset-password?token=x']) {
      const { status, headers, text } = await browse(service).get(path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('cache-control'), 'private, no-store');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none';.*form-action 'self';/);
      assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow');
      assert.doesNotMatch(text, /<script(?! (?:type="module" )?src="\/assets\/)| style=| on\w+=/);
      const $ = load(text);
      assert.equal($('main').attr('data-page'), path.slice(1).split('?', 1)[0]);
      assert.deepEqual([$('html').attr('lang'), $('h1').length, $('form:not([data-form])').length], ['en', 1, 0]);
      $('input:not([type=hidden])').each((_, input) => {
        assert.equal($(`label[for=${$(input).attr('id')}]`).length, 1, `${path} labels its fields`);
      });
    }
    assert.match((await browse(service).get('/forgot-password')).text, /operator/);
  });

  it('carry an app through sign-in and consent, and show what it wants', async () => {
    const browser = browse(service);
    const client = await registerApp(service, { client_name: 'Bold <b>App</b>' });
    const { query, verifier } = authorizationRequest(client.clientId, { scope: 'openid read account' });
    const toLogin = await browser.get(`/api/auth/oauth2/authorize?${query}`);
    assert.equal(toLogin.status, 302);
    const login = await browser.get(toLogin.headers.get('location') ?? '');
    assert.match(login.headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/127\.0\.0\.1:4711;/);

    const signedIn = await browser.submit(login, { email: 'kim@mail.example', password: PASSWORD });
    const consentAt = locationOf(signedIn);
    assert.equal(consentAt.pathname, '/oauth/consent');
    const consent = await browser.get(consentAt.href);
    assert.match(consent.text, /Bold &lt;b&gt;App&lt;\/b&gt;<\/strong> \(unverified\)/);
    assert.match(consent.text, /kim@mail\.example/);
    assert.match(consent.text, /127\.0\.0\.1:4711/);
    assert.match(consent.text, /change what you follow/);
    const back = locationOf(await browser.submit(consent, { decision: 'allow' }));

    const code = back.searchParams.get('code') ?? '';
    assert.equal(back.searchParams.get('state'), 'the-state');
    const { body } = await exchangeCode(service, client, { code, verifier });
    assert.equal((await service.as(body.access_token).get('/v1/me')).body.user.email, 'kim@mail.example');
    const refused = await browser.get(
      `/api/auth/oauth2/authorize?${authorizationRequest(client.clientId, { prompt: 'consent' }).query}`,
    );
    const again = await browser.get(refused.headers.get('location') ?? '');
    const denied = locationOf(await browser.submit(again, { decision: 'deny' }));
    assert.equal(denied.searchParams.get('error'), 'access_denied');
  });

  it('let a device in by a code that is shown first', async () => {
    const browser = browse(service);
    const begun = await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' });
    const { user_code, device_code, verification_uri_complete } = begun.body;
    const toLogin = locationOf(await browser.get(verification_uri_complete));
    assert.equal(toLogin.pathname, '/login');
    const signedIn = await browser.submit(await browser.get(toLogin.href), {
      email: 'kim@mail.example',
      password: PASSWORD,
    });
    const page = await browser.get(locationOf(signedIn).href);
    assert.match(page.text, new RegExp(`registry-cli.*${user_code}.*127\\.0\\.0\\.1`, 's'));

    const done = await browser.submit(page, {});

    assert.equal(done.status, 200);
    assert.match(done.text, /Done/);
    const token = await service.anonymous.post('/api/auth/device/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id: 'registry-cli',
    });
    assert.equal(token.status, 200);
    const unknown = await browser.get('/device?user_code=AAAA-AAAA');
    assert.equal(unknown.status, 422);
    assert.match((await browser.get('/device')).text, /<label for="user_code">/);
  });

  it('set a new password by a link, once', async () => {
    const { id, email } = await signUp(service);
    const link = await createResetLink(ctx, { userId: id });
    const browser = browse(service);
    const form = await browser.get(link);
    const common = await browser.submit(form, { password: 'qwertyuiop' });
    assert.deepEqual([common.status, /common/.test(common.text)], [422, true]);

    const done = await browser.submit(common, { password: 'a wholly new sentence' });

    assert.equal(locationOf(done).pathname, '/login');
    assert.equal((await signIn(service, email, 'a wholly new sentence')).id, id);
    const again = await browser.submit(form, { password: 'another new sentence' });
    assert.equal(again.status, 422);
    assert.match(again.text, /used or is too old/);
  });

  it('sign out by a form, not by a link', async () => {
    const { cookie, cookieHeader } = await signUp(service);
    const { id: sessionId } = (await cookie.get('/api/auth/get-session')).body.session;
    const send = (csrf: string) =>
      cookie.post('/logout', new URLSearchParams({ csrf }).toString(), { 'Content-Type': FORM });

    assert.equal(locationOf(await cookie.get('/logout')).pathname, '/');
    assert.equal((await send('none')).status, 403);
    assert.equal((await service.anonymous.get('/v1/me', { Cookie: cookieHeader })).status, 200);
    assert.equal(locationOf(await send(formToken(ctx, { sessionId, form: '/logout' }))).pathname, '/');
    assert.equal((await service.anonymous.get('/v1/me', { Cookie: cookieHeader })).status, 401);
  });
});

forEachEngine('operator sessions', (engine) => {
  let ctx: Context;
  let service: Service;
  const clock = movableClock('2026-11-20T12:00:00.000Z');
  before(async () => {
    const app = await engine.openTestApp({ clock });
    ctx = app.ctx;
    service = await startService(app);
  });

  const identify = (cookies: string) => createOperatorSessions(ctx, ROOT_KEY).identify(cookies);
  const open = (token: string, headers = {}) => service.anonymous.post('/admin/session', { token }, headers);
  const mint = async (scope: string) => (await service.root.post('/v1/tokens', { name: scope, scopes: [scope] })).body;

  it('are opened by those who may write, and carry their scope', async () => {
    const cases: [token: string, scope: string | null][] = [
      [ROOT_KEY, 'admin'],
      [(await mint('admin')).token, 'admin'],
      [(await mint('write')).token, 'write'],
      [(await mint('read')).token, null],
      [(await signUp(service)).sessionToken, null],
      ['nobody', null],
      ['', null],
    ];
    for (const [token, scope] of cases) {
      const answer = await open(token);
      assert.equal(answer.status, scope === null ? 401 : 204, answer.text);
      if (scope === null) continue;
      const [cookie = ''] = answer.headers.getSetCookie();
      assert.match(cookie, /^registry_operator=\w{43}; Max-Age=28800; Path=\/admin; HttpOnly; SameSite=Strict$/);
      assert.equal((await identify(cookiesOf(answer.headers)))?.scope, scope);
      const stored = JSON.stringify(await ctx.store.read.selectFrom('operator_sessions').selectAll().execute());
      assert.ok(!stored.includes(cookiesOf(answer.headers).split('=')[1] ?? ''));
    }
  });

  it('end with their token, after an idle hour, after eight hours, and when asked', async () => {
    const alive = async (cookie: string) => (await identify(cookie)) !== null;
    const { id, token } = await mint('write');
    const revoked = cookiesOf((await open(token)).headers);
    await service.root.post(`/v1/tokens/${id}/revoke`);
    assert.equal(await alive(revoked), false);

    const idle = cookiesOf((await open(ROOT_KEY)).headers);
    const busy = cookiesOf((await open(ROOT_KEY)).headers);
    for (let minutes = 0; minutes < 60; minutes += 20) {
      clock.move(20 * 60_000);
      assert.equal(await alive(busy), true);
    }
    clock.move(60_000);
    assert.deepEqual([await alive(idle), await alive(busy)], [false, true]);
    for (let hours = 0; hours < 8; hours += 0.5) {
      clock.move(30 * 60_000);
      await alive(busy);
    }
    assert.equal(await alive(busy), false);

    const ended = cookiesOf((await open(ROOT_KEY)).headers);
    const headers = { Cookie: ended, Origin: service.origin };
    assert.equal((await service.anonymous.post('/admin/session/end', {}, { Cookie: ended })).status, 403);
    const answer = await service.anonymous.post('/admin/session/end', {}, headers);
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^registry_operator=; Max-Age=0; Path=\/admin/);
    assert.equal(await alive(ended), false);
  });

  it('end with the root key that opened them, and those of a token stay', async () => {
    const database = await engine.openTestDatabase();
    const serviceWith = async (key: string) =>
      startService(await engine.openTestApp({ clock, database, env: { REGISTRY_ROOT_KEY: key } }));
    const former = await serviceWith(ROOT_KEY);
    const later = await serviceWith('another-root-key-0123456789-0123456789');
    const { token } = (await former.root.post('/v1/tokens', { name: 'writer', scopes: ['write'] })).body;
    const cookieOf = async (secret: string) =>
      cookiesOf((await former.anonymous.post('/admin/session', { token: secret })).headers);
    const [root, writer] = [await cookieOf(ROOT_KEY), await cookieOf(token)];
    const seenBy = async ({ anonymous }: Service, cookie: string) =>
      (await anonymous.get('/admin', { Cookie: cookie, Accept: 'text/html' })).status;

    assert.deepEqual([await seenBy(former, root), await seenBy(former, writer)], [200, 200]);
    assert.deepEqual([await seenBy(later, root), await seenBy(later, writer)], [401, 200]);
  });

  it('take forms that were drawn for them, not for another session of the same key or token', async () => {
    for (const token of [ROOT_KEY, (await mint('admin')).token]) {
      const [drawn, other] = [cookiesOf((await open(token)).headers), cookiesOf((await open(token)).headers)];
      const { text } = await service.anonymous.get('/admin/notice', { Cookie: drawn, Accept: 'text/html' });
      const csrf = String(load(text)('form[action="/admin/notice/save"] input[name="csrf"]').val());
      const body = new URLSearchParams({ csrf, message: 'Maintenance tonight' }).toString();
      const send = async (cookie: string) => {
        const headers = { 'Content-Type': FORM, Origin: service.origin, Cookie: cookie, Accept: 'application/json' };
        return service.anonymous.post('/admin/notice/save', body, headers);
      };
      const refused = await send(other);

      assert.deepEqual([refused.status, refused.body.error?.details?.reason], [403, 'csrf']);
      assert.notEqual((await send(drawn)).status, 403);
    }
  });

  it('take forms, from our own pages', async () => {
    const body = new URLSearchParams({ token: ROOT_KEY }).toString();
    const send = (origin: string) =>
      service.anonymous.post('/admin/session', body, { 'Content-Type': FORM, Origin: origin });
    assert.equal(locationOf(await send(service.origin)).pathname, '/admin');
    assert.equal((await send('https://evil.example')).status, 403);
  });

  it('429 after ten wrong tokens from one address', async () => {
    const env = { REGISTRY_BASE_URL: 'https://registry.example' };
    const own = await startService(await engine.openTestApp({ clock, env }));
    const attempt = (token: string) => own.anonymous.post('/admin/session', { token });
    const codes: number[] = [(await attempt(ROOT_KEY)).status];
    for (let i = 0; i < 11; i += 1) codes.push((await attempt('wrong')).status);
    assert.deepEqual(codes, [204, ...Array(10).fill(401), 429]);
    clock.move(601_000);
    assert.equal((await attempt(ROOT_KEY)).status, 204);
  });
});
