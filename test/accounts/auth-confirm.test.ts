// From a follow button to a confirmed account: the wish of a reader survives the mail.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import { PASSWORD } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { browse } from '../support/forms.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('confirming an address', (engine) => {
  let mails: MailServer;
  let service: Service;
  let ctx: Context;
  before(async () => {
    mails = await startMailServer();
    const env = { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'registry@mail.example' };
    const app = await engine.openTestApp({ env });
    ctx = app.ctx;
    await createOrg(as(ctx, 'admin'), { name: 'Quayside', slug: 'quayside' });
    service = await startService(app);
  });
  after(() => mails.close());

  const takeLink = async () => {
    await service.settled();
    const [mail, ...more] = mails.received.splice(0);
    assert.deepEqual(more, []);
    return /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? 'no link';
  };
  const sessions = async () => (await ctx.store.read.selectFrom('sessions').select('id').execute()).length;

  it('keeps what the reader wanted to follow, and signs in the browser that asked', async () => {
    const browser = browse(service);
    const pressed = await browser.submit(await browser.get('/quayside'), {}, 'follow');
    const login = await browser.get(pressed.headers.get('location') ?? '');
    const signup = await browser.get(load(login.text)('main a[href^="/signup"]').attr('href') ?? '');
    const person = { name: 'Kim', email: 'kim@mail.example', password: PASSWORD };
    const sent = await browser.submit(signup, person, 'signup');
    assert.match(load(sent.text)('[role=status]').text(), /kim@mail\.example/);
    await takeLink();
    const again = await browser.submit(sent, {}, 'signup-again');
    assert.match(load(again.text)('[role=status]').text(), /again, to kim@mail\.example/);
    const link = await takeLink();

    const confirmed = await browser.get(link);
    assert.equal(confirmed.status, 302);
    const done = await browser.get(confirmed.headers.get('location') ?? '');

    assert.equal(done.headers.get('location'), `${service.origin}/quayside`);
    const follows = await service.anonymous.get('/v1/me/follows', { Cookie: browser.cookies() });
    assert.deepEqual(
      follows.body.follows.map(({ name }: { name: string }) => name),
      ['Quayside'],
    );
  });

  it('signs nobody in who opens the link in another browser', async () => {
    const browser = browse(service);
    const person = { name: 'Lee', email: 'lee@mail.example', password: PASSWORD };
    await browser.submit(await browser.get('/signup'), person, 'signup');
    const link = await takeLink();
    const before = await sessions();

    const elsewhere = await service.anonymous.get(link.slice(service.origin.length));
    assert.deepEqual([elsewhere.status, elsewhere.headers.getSetCookie()], [302, []]);
    assert.equal(await sessions(), before, 'no session is left behind');
    const late = await browser.get(link);
    assert.ok(!late.headers.getSetCookie().some((cookie) => cookie.includes('session_token=')), 'a link works once');
    const { email, password } = person;
    const answer = await browser.submit(await browser.get('/login'), { email, password }, 'login');
    assert.equal(answer.status, 303, 'the address is confirmed');
  });

  it('sends no second mail to an address that is confirmed or unknown, and does not tell', async () => {
    const browser = browse(service);
    const page = await browser.submit(
      await browser.get('/signup'),
      { name: 'Pat', email: 'pat@mail.example', password: PASSWORD },
      'signup',
    );
    await takeLink();
    for (const email of ['kim@mail.example', 'nobody@mail.example']) {
      const answer = await browser.submit(page, { email }, 'signup-again');
      assert.deepEqual([answer.status, load(answer.text)('h1').text()], [200, 'Nearly there']);
    }
    await service.settled();
    assert.deepEqual(mails.received, []);
  });
});
