// Accounts with a configured mail server, and sign-in through an identity provider.
import assert from 'node:assert/strict';
import { after, before, it, mock } from 'node:test';
import type { Context } from '../../src/context.ts';
import { cookiesOf, PASSWORD, signIn } from '../support/accounts.ts';
import type { Answer } from '../support/client.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

function linkIn(mail: { text: string } | undefined): URL {
  return new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? 'none:');
}

forEachEngine('sign-in with a mail server', (engine) => {
  holdTime(NOON);
  let mails: MailServer;
  let service: Service;
  before(async () => {
    mails = await startMailServer();
    const env = { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'registry@mail.example' };
    service = await startService(await engine.openTestApp({ env }));
  });
  after(() => mails.close());

  const post = (path: string, body: unknown) => service.anonymous.post(`/api/auth${path}`, body);
  const take = async () => {
    await service.settled();
    return mails.received.splice(0);
  };

  it('an address is confirmed before it signs in, and the mail comes again', async () => {
    const body = { name: 'Kim', email: 'kim@mail.example', password: PASSWORD };

    const made = await post('/sign-up/email', body);
    const [first, ...more] = await take();
    const early = await post('/sign-in/email', body);
    const [second] = await take();

    assert.deepEqual([made.status, made.body.token, made.headers.getSetCookie()], [200, null, []]);
    assert.deepEqual([first?.from, first?.to, more], ['registry@mail.example', ['kim@mail.example'], []]);
    assert.deepEqual([early.status, early.body.code], [403, 'EMAIL_NOT_VERIFIED']);
    const link = linkIn(second);
    assert.equal(link.pathname, '/api/auth/verify-email');
    const confirmed = await service.anonymous.get(`${link.pathname}${link.search}`);
    assert.deepEqual([confirmed.status, confirmed.headers.get('location')], [302, `${service.origin}/`]);
    assert.equal((await signIn(service, 'kim@mail.example')).email, 'kim@mail.example');
  });

  it('signing up twice looks the same, to whoever does it', async () => {
    const body = { name: 'Other', email: 'kim@mail.example', password: PASSWORD };
    const known = await post('/sign-up/email', body);
    const fresh = await post('/sign-up/email', { ...body, email: 'lee@mail.example' });
    const shape = ({ status, body }: Answer) => [status, body.token, Object.keys(body.user).sort()];

    assert.deepEqual(shape(known), shape(fresh));
    assert.deepEqual(
      (await take()).map(({ to }) => to),
      [['lee@mail.example']],
    );
  });

  it('a link for a new password is mailed to those who have an account, and nobody can tell', async () => {
    const known = await post('/request-password-reset', { email: 'Kim@mail.example' });
    const unknown = await post('/request-password-reset', { email: 'nobody@mail.example' });
    const [mail, ...more] = await take();

    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
    assert.deepEqual([mail?.to, more], [['kim@mail.example'], []]);
    const link = linkIn(mail);
    assert.equal(`${link.origin}${link.pathname}`, `${service.origin}/reset-password`);
    const token = link.searchParams.get('token');
    assert.equal((await post('/reset-password', { token, newPassword: 'a wholly new sentence' })).status, 200);
    assert.equal((await signIn(service, 'kim@mail.example', 'a wholly new sentence')).email, 'kim@mail.example');
  });

  it('a confirmed address is changed by a link to the new one', async () => {
    const { cookie } = await signIn(service, 'kim@mail.example', 'a wholly new sentence');

    const change = { newEmail: 'new@mail.example', password: 'a wholly new sentence' };
    assert.equal((await cookie.post('/api/auth/change-email', change)).status, 200);

    const [mail] = await take();
    assert.deepEqual(mail?.to, ['new@mail.example']);
    assert.equal((await cookie.get('/v1/me')).body.user.email, 'kim@mail.example');
    const link = linkIn(mail);
    await cookie.get(`${link.pathname}${link.search}`);
    assert.equal((await cookie.get('/v1/me')).body.user.email, 'new@mail.example');
  });

  it('a mail that cannot be sent fails nobody', async () => {
    await mails.close();
    const answer = await post('/request-password-reset', { email: 'new@mail.example' });
    await service.settled();
    assert.equal(answer.status, 200);
    mails = await startMailServer();
  });
});

interface GithubUser {
  id: number;
  email: string;
  verified: boolean;
}

forEachEngine('sign-in with another service', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  let user: GithubUser = { id: 1, email: '', verified: true };
  before(async () => {
    const env = { REGISTRY_GITHUB_ID: 'github-app', REGISTRY_GITHUB_SECRET: 'github-secret' };
    const app = await engine.openTestApp({ env });
    ctx = app.ctx;
    service = await startService(app);
  });

  // The identity provider, as far as the library calls it.
  const genuine = globalThis.fetch;
  before(() => {
    mock.method(globalThis, 'fetch', async (input: string | URL | Request, init?: RequestInit) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.hostname === 'github.com')
        return Response.json({ access_token: 'gho_1', token_type: 'bearer', scope: '' });
      if (url.pathname === '/user/emails') {
        return Response.json([{ email: user.email, primary: true, verified: user.verified, visibility: null }]);
      }
      if (url.hostname === 'api.github.com') {
        return Response.json({
          id: user.id,
          login: 'octo',
          name: 'Octo',
          email: user.email,
          avatar_url: 'https://a.example/o',
        });
      }
      return genuine(input, init);
    });
  });
  after(() => mock.restoreAll());

  async function comeBack(who: GithubUser, begin = { callbackURL: '/account' }) {
    user = who;
    const begun = await service.anonymous.post('/api/auth/sign-in/social', { provider: 'github', ...begin });
    const there = new URL(begun.body.url);
    assert.equal(there.hostname, 'github.com');
    assert.equal(there.searchParams.get('redirect_uri'), `${service.origin}/api/auth/callback/github`);
    const query = new URLSearchParams({ code: 'from-github', state: there.searchParams.get('state') ?? '' });
    const back = await service.anonymous.get(`/api/auth/callback/github?${query}`, {
      Cookie: cookiesOf(begun.headers),
    });
    return { location: back.headers.get('location') ?? '', cookie: cookiesOf(back.headers) };
  }

  const verify = (email: string) =>
    ctx.store.transaction(
      (tx) => tx.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
      'bookkeeping',
    );

  it('makes an account, and finds it again', async () => {
    const first = await comeBack({ id: 7, email: 'octo@mail.example', verified: true });
    const again = await comeBack({ id: 7, email: 'octo@mail.example', verified: true });

    assert.equal(first.location, `${service.origin}/account`);
    const who = async (cookie: string) => (await service.anonymous.get('/v1/me', { Cookie: cookie })).body.user;
    assert.equal((await who(first.cookie)).email, 'octo@mail.example');
    assert.equal((await who(first.cookie)).id, (await who(again.cookie)).id);
  });

  const linking: [local: boolean, remote: boolean, linked: boolean][] = [
    [true, true, true],
    [false, true, false],
    [true, false, false],
  ];
  for (const [local, remote, linked] of linking) {
    const name = `${local ? 'confirmed' : 'unconfirmed'} here, ${remote ? 'confirmed' : 'unconfirmed'} there`;
    it(`${linked ? 'joins' : 'does not join'} an account with the same address: ${name}`, async () => {
      const email = `${local}-${remote}@mail.example`;
      await service.anonymous.post('/api/auth/sign-up/email', { name: 'Kim', email, password: PASSWORD });
      if (local) await verify(email);

      const back = await comeBack({ id: local === remote ? 20 : local ? 21 : 22, email, verified: remote });

      const signedIn = (await service.anonymous.get('/v1/me', { Cookie: back.cookie })).status === 200;
      assert.equal(signedIn, linked, back.location);
      if (!linked) assert.match(back.location, /\/login\?error=|error=/);
    });
  }

  it('leads nowhere else afterwards, and knows only what is configured', async () => {
    const back = await comeBack(
      { id: 30, email: 'p@mail.example', verified: true },
      { callbackURL: 'https://evil.example/' },
    );
    assert.equal(back.location, `${service.origin}/following`);
    const google = await service.anonymous.post('/api/auth/sign-in/social', { provider: 'google' });
    assert.deepEqual([google.status, google.body.code], [404, 'not_found']);
    assert.equal((await service.anonymous.get('/api/auth/callback/google')).status, 404);
    const page = (await service.anonymous.get('/login')).text;
    assert.match(page, /Continue with GitHub/);
    assert.doesNotMatch(page, /Google/);
  });
});
