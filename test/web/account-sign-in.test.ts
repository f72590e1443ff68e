// Signing in and out on pages, and what the frame of every page shows of the account.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { type Account, signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('pages around sign-in', (engine) => {
  let service: Service;
  let kim: Account;
  before(async () => {
    service = await startService(await engine.openTestApp());
    kim = await signUp(service, { name: 'Kim <b>Vale</b>' });
  });

  it('lead somebody on who is signed in already', async () => {
    const cases: [path: string, to: string][] = [
      ['/login', '/following'],
      ['/signup', '/following'],
      ['/login?next=/account/keys', '/account/keys'],
      ['/login?next=https://evil.example/', '/following'],
      ['/logout', '/'],
    ];
    for (const [path, to] of cases) {
      const answer = await kim.cookie.get(path);
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${service.origin}${to}`], path);
    }
    assert.equal((await kim.cookie.get('/v1/me')).status, 200, 'a link signs nobody out');
  });

  it('ask for a sign-in where a session is needed, and lead back', async () => {
    for (const path of ['/device?user_code=AAAA-AAAA', '/device']) {
      const answer = await service.anonymous.get(path);
      assert.equal(answer.headers.get('location'), `${service.origin}/login?${new URLSearchParams({ next: path })}`);
    }
  });

  it('show the account in the frame to itself alone', async () => {
    const own = await kim.cookie.get('/catalog');
    const $ = load(own.text);
    assert.equal(own.headers.get('cache-control'), 'private, no-store');
    assert.match($('.head-end').text(), /Kim <b>Vale<\/b>/);
    assert.equal($('.head-end form[data-form=logout] input[name=csrf]').length, 1);
    assert.equal($('.head a[href^="/login"]').length, 0);

    const other = await service.anonymous.get('/catalog');
    assert.equal(other.headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=300');
    assert.doesNotMatch(other.text, /Vale|csrf/);
    assert.equal(load(other.text)('.head-end > a').attr('href'), '/login?next=%2Fcatalog');
    const login = await service.anonymous.get('/forgot-password');
    assert.equal(load(login.text)('.head-end > a').attr('href'), '/login', 'sign-in leads nowhere back to itself');
  });

  it('sign out by the form of the frame, and lead where it says', async () => {
    const browser = browse(service);
    const { cookieHeader, email } = await signUp(service);
    const page = await service.anonymous.get('/catalog', { Cookie: cookieHeader });
    const csrf = load(page.text)('form[data-form=logout] input[name=csrf]').attr('value') ?? '';
    const body = new URLSearchParams({ csrf, next: '/login?next=/account' }).toString();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: service.origin,
      Cookie: cookieHeader,
    };
    const out = await service.anonymous.post('/logout', body, headers);
    assert.equal(out.headers.get('location'), `${service.origin}/login?next=/account`);
    assert.equal((await service.anonymous.get('/v1/me', { Cookie: cookieHeader })).status, 401);

    const wrong = await browser.submit(await browser.get('/login'), { email, password: 'not the right one' });
    const $ = load(wrong.text);
    assert.equal(wrong.status, 422);
    assert.equal($('#email').attr('value'), email);
    assert.equal($('#password').attr('value'), '');
    assert.deepEqual(
      ['#email', '#password'].map((field) => $(field).attr('aria-describedby')),
      ['errors', 'errors'],
    );
    assert.equal($('meta[name=robots]').attr('content'), 'noindex, nofollow');
  });
});
