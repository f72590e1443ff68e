// What only the owner of an account may do, though somebody else sits at an open session.
import assert from 'node:assert/strict';
import { after, before, it, mock } from 'node:test';
import type { Context } from '../../src/context.ts';
import { PASSWORD, signIn, signUp } from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function linkIn(mail: { text: string } | undefined): string {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? 'none:');
  return `${pathname}${search}`;
}

const tokenIn = (link: string) => new URLSearchParams(link.split('?')[1]).get('token') ?? '';

forEachEngine('an open session', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });

  const change = (newEmail: string, more = {}) => ({ newEmail, ...more });

  it('changes the address and deletes the account with the password alone', async () => {
    const { cookie, email } = await signUp(service);
    for (const [path, body] of [
      ['change-email', change('thief@mail.example')],
      ['delete-user', {}],
    ] as const) {
      const without = await cookie.post(`/api/auth/${path}`, body);
      const wrong = await cookie.post(`/api/auth/${path}`, { ...body, password: 'a wrong password' });

      assert.deepEqual([without.status, without.body.details.reason], [400, 'password_required'], path);
      assert.deepEqual([wrong.status, wrong.body.details.field], [400, 'password'], path);
      assert.equal((await cookie.get('/v1/me')).body.user.email, email);
    }
    const done = await cookie.post('/api/auth/change-email', change('own@mail.example', { password: PASSWORD }));
    assert.equal(done.status, 200, done.text);
    assert.equal((await cookie.get('/v1/me')).body.user.email, 'own@mail.example');
    assert.equal((await cookie.post('/api/auth/delete-user', { password: PASSWORD })).status, 200);
  });

  it('of an account without a password does so for five minutes after the sign-in', async () => {
    const { id, email } = await signUp(service);
    const withoutPassword = () =>
      ctx.store.transaction(
        (tx) => tx.updateTable('identities').set({ provider_id: 'github' }).where('user_id', '=', id).execute(),
        'bookkeeping',
      );
    const fresh = await signIn(service, email);
    await withoutPassword();

    assert.equal((await fresh.cookie.post('/api/auth/change-email', change('moved@mail.example'))).status, 200);
    mock.timers.tick(5 * MINUTE_MS + 1);
    for (const [path, body] of [
      ['change-email', change('again@mail.example')],
      ['delete-user', {}],
    ] as const) {
      const late = await fresh.cookie.post(`/api/auth/${path}`, body);
      assert.deepEqual([late.status, late.body.details.reason], [403, 'recent_sign_in_required'], path);
    }
    assert.equal((await fresh.cookie.get('/v1/me')).body.user.email, 'moved@mail.example');
    const page = await browse(service, { cookies: fresh.cookieHeader }).get('/account/security');
    assert.match(page.text, /sign in again first, and do it within 5 minutes/);
  });

  it('429 after ten wrong passwords within an hour, over all its routes and sessions', async () => {
    const { cookie, email } = await signUp(service);
    const other = await signIn(service, email);
    const wrong = 'a wrong password';
    const guesses = [
      () => cookie.post('/api/auth/change-password', { currentPassword: wrong, newPassword: 'a wholly new sentence' }),
      () => other.cookie.post('/api/auth/change-email', change('thief@mail.example', { password: wrong })),
      () => cookie.post('/api/auth/delete-user', { password: wrong }),
    ];
    // Right passwords in between count for nothing.
    const same = { currentPassword: PASSWORD, newPassword: PASSWORD };
    const codes: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      assert.equal((await cookie.post('/api/auth/change-password', same)).status, 200);
      codes.push((await guesses[i % 3]?.())?.status ?? 0);
      mock.timers.tick(MINUTE_MS);
    }
    for (const guess of guesses) codes.push((await guess()).status);
    const refused = await cookie.post('/api/auth/delete-user', { password: PASSWORD });

    assert.deepEqual(codes, [...Array(10).fill(400), 429, 429, 429]);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await signIn(service, email)).email, email, 'signing in is not held up by it');
    mock.timers.tick(60 * MINUTE_MS);
    assert.equal((await cookie.post('/api/auth/delete-user', { password: PASSWORD })).status, 200);
  });
});

forEachEngine('a changed address', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let mails: MailServer;
  let service: Service;
  before(async () => {
    mails = await startMailServer();
    const env = { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'registry@mail.example' };
    const app = await engine.openTestApp({ env });
    ctx = app.ctx;
    service = await startService(app);
  });
  after(() => mails.close());

  const post = (path: string, body: unknown) => service.anonymous.post(`/api/auth${path}`, body);
  const take = async () => {
    await service.settled();
    return mails.received.splice(0);
  };
  const mailTo = (list: Awaited<ReturnType<typeof take>>, email: string) => list.find(({ to }) => to.includes(email));

  async function confirmedAccount(email: string) {
    await post('/sign-up/email', { name: 'Kim', email, password: PASSWORD });
    await service.anonymous.get(linkIn(mailTo(await take(), email)));
    return signIn(service, email);
  }

  // Changes the address; gives the link to the new one and the link in the mail to the former one.
  async function move({ cookie, email }: Awaited<ReturnType<typeof signIn>>, to: string) {
    const body = { newEmail: to, password: PASSWORD };
    assert.equal((await cookie.post('/api/auth/change-email', body)).status, 200);
    const confirm = linkIn(mailTo(await take(), to));
    await cookie.get(confirm);
    return { confirm, mail: mailTo(await take(), email) };
  }
  const addressOf = async (id: string) =>
    (await ctx.store.read.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email;

  it('is told to the former one, with a link that undoes it and signs everybody out', async () => {
    const owner = await confirmedAccount('kim@mail.example');
    const thief = await signIn(service, 'kim@mail.example');
    const { confirm, mail } = await move(thief, 'thief@mail.example');
    assert.match(mail?.text ?? '', /changed to thief@mail\.example/);
    assert.equal(await addressOf(owner.id), 'thief@mail.example');
    await post('/request-password-reset', { email: 'thief@mail.example' });
    const reset = linkIn(mailTo(await take(), 'thief@mail.example'));
    mock.timers.tick(6 * DAY_MS);

    const browser = browse(service);
    const page = await browser.get(linkIn(mail));
    assert.equal(await addressOf(owner.id), 'thief@mail.example', 'opening the link changes nothing');
    const done = await browser.submit(page, {}, 'undo-email');

    assert.equal(done.status, 200);
    assert.match(done.text, /It is kim@mail\.example again/);
    assert.equal(await addressOf(owner.id), 'kim@mail.example');
    for (const { cookie } of [owner, thief]) assert.equal((await cookie.get('/v1/me')).status, 401);
    const stolen = await post('/reset-password', { token: tokenIn(reset), newPassword: 'a wholly new sentence' });
    assert.equal(stolen.status, 400, 'a link that was mailed to the other address is over');
    assert.match((await service.anonymous.get(confirm)).headers.get('location') ?? '', /error=/i);
    assert.equal(await addressOf(owner.id), 'kim@mail.example', 'the link to the other address works once');
    const again = await post('/undo-change-email', { token: tokenIn(linkIn(mail)) });
    assert.equal(again.status, 400);
    const chosen = /href="(\/reset-password\?token=[^"]+)"/.exec(done.text)?.[1] ?? '';
    const saved = await browser.submit(await browser.get(chosen), { password: 'an even newer sentence' });
    assert.equal(saved.headers.get('location'), `${service.origin}/login?done=password`);
    assert.equal((await signIn(service, 'kim@mail.example', 'an even newer sentence')).id, owner.id);
  });

  it('comes back for seven days, and not any more afterwards', async () => {
    const account = await confirmedAccount('lee@mail.example');
    const { mail } = await move(account, 'lee@new.example');
    mock.timers.tick(7 * DAY_MS + 1);

    const late = await post('/undo-change-email', { token: tokenIn(linkIn(mail)) });
    const page = await browse(service).get(linkIn(mail));

    assert.deepEqual([late.status, late.body.details.field], [400, 'token']);
    assert.equal(page.status, 422);
    assert.match(page.text, /older than 7 days/);
    assert.equal(await addressOf(account.id), 'lee@new.example');
  });

  it('after several changes the first owner has the last word', async () => {
    const account = await confirmedAccount('one@mail.example');
    const first = await move(account, 'two@mail.example');
    mock.timers.tick(MINUTE_MS);
    const second = await move({ ...account, email: 'two@mail.example' }, 'three@mail.example');
    const undo = (mail: { text: string } | undefined) => post('/undo-change-email', { token: tokenIn(linkIn(mail)) });

    assert.equal((await undo(second.mail)).body.email, 'two@mail.example');
    assert.equal((await undo(first.mail)).body.email, 'one@mail.example');
    assert.equal((await undo(second.mail)).status, 400);
    assert.equal(await addressOf(account.id), 'one@mail.example');
  });

  it('cannot be kept by signing up with the former one', async () => {
    const account = await confirmedAccount('sam@mail.example');
    const { mail } = await move(account, 'sam@new.example');
    await post('/sign-up/email', { name: 'Squatter', email: 'sam@mail.example', password: PASSWORD });
    await take();

    const undone = await post('/undo-change-email', { token: tokenIn(linkIn(mail)) });

    assert.deepEqual([undone.status, undone.body.email], [200, 'sam@mail.example']);
    assert.equal(await addressOf(account.id), 'sam@mail.example');
  });

  it('stays with another account that uses the former one', async () => {
    const account = await confirmedAccount('pat@mail.example');
    const { mail } = await move(account, 'pat@new.example');
    await confirmedAccount('pat@mail.example');

    const undone = await post('/undo-change-email', { token: tokenIn(linkIn(mail)) });

    assert.deepEqual([undone.status, undone.body.code], [409, 'conflict']);
    assert.equal(await addressOf(account.id), 'pat@new.example');
  });
});
