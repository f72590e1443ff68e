// The account pages for keys, the private feed and security.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import {
  type Account,
  authorizationRequest,
  exchangeCode,
  PASSWORD,
  REDIRECT_URI,
  signIn,
  signUp,
  tokenRequest,
} from '../support/accounts.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

const DAY = 86_400_000;

forEachEngine('pages of an account', (engine) => {
  let ctx: Context;
  let clock: MovableClock;
  let service: Service;
  let kim: Account;
  let browser: ReturnType<typeof browse>;
  before(async () => {
    // The sign-in library uses the system clock.
    clock = movableClock(new Date().toISOString());
    const app = await engine.openTestApp({ clock });
    ctx = app.ctx;
    service = await startService(app);
    kim = await signUp(service, { name: 'Kim', email: 'kim@pages.example' });
    browser = browse(service, { cookies: kim.cookieHeader });
  });

  const textOf = (html: string) => load(html)('main').text();

  it('need a session, are never cached, and every form of them carries a token', async () => {
    for (const path of [
      '/account',
      '/account/webhooks',
      '/account/keys',
      '/account/feed',
      '/account/digest',
      '/account/stacks',
      '/account/security',
    ]) {
      const stranger = await service.anonymous.get(path);
      const login = `${service.origin}/login?${new URLSearchParams({ next: path })}`;
      assert.deepEqual([stranger.status, stranger.headers.get('location')], [303, login]);
      const page = await browser.get(path);
      const $ = load(page.text);
      assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'private, no-store'], path);
      assert.equal(page.headers.get('x-robots-tag'), 'noindex, nofollow');
      assert.equal($('h1').length, 1, path);
      assert.equal($('.side-nav [aria-current]').attr('href'), path);
      $('form[method=post]').each((_, form) => {
        assert.equal($(form).find('input[name=csrf]').length, 1, `${path} ${$(form).attr('data-form')}`);
      });
      const ids = $('[id]')
        .map((_, element) => $(element).attr('id'))
        .get();
      assert.equal(new Set(ids).size, ids.length, `${path}: ids are unique`);
    }
  });

  it('make a key once, and revoke it', async () => {
    const page = await browser.get('/account/keys');
    const nameless = await browser.submit(page, { name: ' ' }, 'key');
    assert.equal(nameless.status, 422);
    assert.match(load(nameless.text)('#name-e').text(), /The name is needed/);
    const long = await browser.submit(page, { name: 'x'.repeat(33) }, 'key');
    assert.equal(load(long.text)('#name').attr('value'), 'x'.repeat(33));

    const made = await browser.submit(page, { name: 'build server', expiresInDays: '30' }, 'key');
    assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'private, no-store']);
    const value = load(made.text)('.once output').text();
    assert.equal((await service.as(value).get('/v1/me')).body.user.email, kim.email);
    const again = await browser.submit(page, { name: 'build server' }, 'key');
    assert.match(load(again.text)('[role=status]').text(), /already created/);
    assert.doesNotMatch(again.text, new RegExp(value));
    const list = await browser.get('/account/keys');
    assert.match(textOf(list.text), /1 of 5 in use/);
    assert.match(textOf(list.text), new RegExp(`build server.*${value.slice(0, 6)}…`, 's'));

    for (let i = 0; i < 4; i += 1) await browser.submit(await browser.get('/account/keys'), { name: `n${i}` }, 'key');
    const full = await browser.submit(await browser.get('/account/keys'), { name: 'one more' }, 'key');
    assert.equal(full.status, 422);
    assert.match(load(full.text)('[role=alert]').text(), /at most 5 active keys/);
    const revoked = await browser.submit(await browser.get('/account/keys'), {}, 'revoke');
    assert.equal(revoked.headers.get('location'), `${service.origin}/account/keys?done=revoked`);
    assert.match(textOf((await browser.get('/account/keys')).text), /4 of 5 in use/);
  });

  it('give the private feed an address, another one, and none', async () => {
    const addressOn = async () => load((await browser.get('/account/feed')).text)('output').text();
    await browser.submit(await browser.get('/account/feed'), {}, 'feed-new');
    const first = await addressOn();
    const read = (address: string) => service.anonymous.get(new URL(address).pathname);
    assert.equal((await read(first)).status, 200);
    await browser.submit(await browser.get('/account/feed'), {}, 'feed-new');
    const second = await addressOn();
    assert.deepEqual([(await read(first)).status, (await read(second)).status], [404, 200]);
    await browser.submit(await browser.get('/account/feed'), {}, 'feed-remove');
    assert.equal((await read(second)).status, 404);
  });

  it('change password and address, and place what is wrong', async () => {
    const page = await browser.get('/account/security');
    const fields = { currentPassword: 'not the right one', newPassword: 'a wholly new sentence' };
    const wrong = await browser.submit(page, fields, 'password');
    assert.equal(wrong.status, 422);
    assert.match(load(wrong.text)('#currentPassword-e').text(), /wrong/);
    assert.doesNotMatch(wrong.text, /a wholly new sentence|not the right one/);
    const weak = await browser.submit(page, { currentPassword: PASSWORD, newPassword: 'qwertyuiop' }, 'password');
    assert.match(load(weak.text)('#newPassword-e').text(), /common/);
    const other = await signIn(service, kim.email);
    const done = await browser.submit(page, { ...fields, currentPassword: PASSWORD }, 'password');
    assert.equal(done.headers.get('location'), `${service.origin}/account/security?done=password`);
    assert.equal((await other.cookie.get('/v1/me')).status, 401, 'other sessions are ended');

    const move = async (newEmail: string, password: string) =>
      browser.submit(await browser.get('/account/security'), { newEmail, password }, 'email');
    const address = await move('no address', fields.newPassword);
    assert.deepEqual([address.status, load(address.text)('#newEmail').attr('value')], [422, 'no address']);
    const guessed = await move('kim@new.example', PASSWORD);
    assert.match(load(guessed.text)('#email-password-e').text(), /wrong/);
    await move('kim@new.example', fields.newPassword);
    assert.match(textOf((await browser.get('/account/security')).text), /It is kim@new\.example/);
  });

  it('end sessions and the access of apps', async () => {
    const me = await signIn(service, 'kim@new.example', 'a wholly new sentence');
    const [first, second] = [
      await signIn(service, 'kim@new.example', 'a wholly new sentence'),
      await signIn(service, 'kim@new.example', 'a wholly new sentence'),
    ];
    const [brief, lasting] = [await me.oauth('openid read account'), await me.oauth('openid read offline_access')];
    for (const { client } of [brief, lasting]) assert.equal((await client.get('/v1/me')).status, 200);
    const own = browse(service, { cookies: me.cookieHeader });
    const page = await own.get('/account/security');
    assert.match(textOf(page.text), /This one/);
    assert.match(textOf(page.text), /An app \(unverified\).*change what you follow/s);
    const secondId = (await second.cookie.get('/api/auth/get-session')).body.session.id;
    await own.submit(page, { id: secondId }, 'sign-out');
    assert.equal((await second.cookie.get('/v1/me')).status, 401);
    assert.equal((await first.cookie.get('/v1/me')).status, 200);
    await own.submit(page, {}, 'sign-out-others');
    assert.equal((await first.cookie.get('/v1/me')).status, 401);

    // Tokens are dated by the system clock, which has moved on since this one was set.
    clock.move(3_600_000);
    for (const { app, client, refreshToken = '' } of [brief, lasting]) {
      const revoked = await own.submit(page, { clientId: app.clientId }, 'revoke-app');
      assert.equal(revoked.headers.get('location'), `${service.origin}/account/security?done=app`);
      assert.equal((await client.get('/v1/me')).status, 401, 'the token in the hands of the app ends too');
      const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: app.clientId };
      assert.equal((await tokenRequest(service, refresh)).status, 400);
    }
    assert.equal((await own.submit(page, { clientId: 'nobody' }, 'revoke-app')).status, 404);
    assert.match(textOf((await own.get('/account/security')).text), /No app has access/);
  });

  it('list and revoke an app that the operator trusts, which never asks', async () => {
    const me = await signIn(service, 'kim@new.example', 'a wholly new sentence');
    const trusted = { name: 'House app', redirectUris: [REDIRECT_URI], public: true, trusted: true };
    const app = (await service.root.post('/v1/admin/oauth/clients', trusted)).body;
    const { query, verifier } = authorizationRequest(app.clientId, { scope: 'openid read offline_access' });
    const requested = await me.cookie.get(`/api/auth/oauth2/authorize?${query}`, { Accept: 'text/html' });
    const code = new URL(requested.headers.get('location') ?? 'none:').searchParams.get('code');
    assert.ok(code, 'no page of consent comes in between');
    const { access_token: token, refresh_token } = (await exchangeCode(service, app, { code, verifier })).body;
    assert.equal((await service.as(token).get('/v1/me')).status, 200);

    const own = browse(service, { cookies: me.cookieHeader });
    const page = await own.get('/account/security');
    assert.match(textOf(page.text), /House app.*read the registry.*trusts it, so it does not ask you/s);
    assert.doesNotMatch(textOf(page.text), /House app \(unverified\)/);
    clock.move(3_600_000);
    const revoked = await own.submit(page, { clientId: app.clientId }, 'revoke-app');
    assert.equal(revoked.headers.get('location'), `${service.origin}/account/security?done=app`);
    assert.equal((await service.as(token).get('/v1/me')).status, 401);
    const refresh = { grant_type: 'refresh_token', refresh_token, client_id: app.clientId };
    assert.equal((await tokenRequest(service, refresh)).status, 400);
    assert.match(textOf((await own.get('/account/security')).text), /No app has access/);
  });

  it('say who is signed in on pages of errors, too', async () => {
    const me = await signIn(service, 'kim@new.example', 'a wholly new sentence');
    const header = (text: string) => load(text)('header.head').text();
    for (const path of ['/nothing-like-that', '/nobody/nothing', '/account/webhooks/whk_none']) {
      const own = await me.cookie.get(path, { Accept: 'text/html' });
      assert.deepEqual([own.status, own.headers.get('cache-control')], [404, 'private, no-store'], path);
      assert.match(header(own.text), /Following.*Kim/s, path);
      assert.doesNotMatch(header(own.text), /Sign in/, path);
    }
    const stranger = await service.anonymous.get('/nothing-like-that', { Accept: 'text/html' });
    assert.equal(load(stranger.text)('header.head a:contains("Sign in")').first().attr('href'), '/login');
    // A page that is the same for all readers does not identify them.
    const reference = load((await me.cookie.get('/v1/docs')).text);
    assert.equal(reference('header.head a[href="/login?next=%2Faccount"]').first().text(), 'Account');
  });

  it('delete the account with its password alone', async () => {
    const me = await signIn(service, 'kim@new.example', 'a wholly new sentence');
    const own = browse(service, { cookies: me.cookieHeader });
    const page = await own.get('/account/security');
    for (const [password, words] of [
      ['', /needed/],
      ['not the right one', /wrong/],
    ] as const) {
      const refused = await own.submit(page, { password }, 'delete-account');
      assert.equal(refused.status, 422);
      assert.match(load(refused.text)('#delete-password-e').text(), words);
      assert.equal(load(refused.text)('#errors a').attr('href'), '#delete-password');
    }
    const done = await own.submit(page, { password: 'a wholly new sentence' }, 'delete-account');
    assert.equal(done.headers.get('location'), `${service.origin}/login?done=deleted`);
    assert.equal((await me.cookie.get('/v1/me')).status, 401);
    assert.match(textOf((await service.anonymous.get('/login?done=deleted')).text), /was deleted/);
    assert.equal((await ctx.store.read.selectFrom('users').selectAll().execute()).length, 0);
  });

  it('ask for a fresh sign-in after a day', async () => {
    const other = await signUp(service);
    browser = browse(service, { cookies: other.cookieHeader });
    clock.move(DAY + 60_000);
    const page = await browser.get('/account/security');
    assert.match(textOf(page.text), /sign in again first/);
    const refused = await browser.submit(page, { newEmail: 'kim@third.example' }, 'email');
    assert.equal(refused.status, 422);
    assert.match(load(refused.text)('[role=alert]').text(), /Sign in again first/);
    const out = await browser.submit(page, {}, 'sign-in-again');
    assert.equal(out.headers.get('location'), `${service.origin}/login?next=/account/security`);
  });
});
