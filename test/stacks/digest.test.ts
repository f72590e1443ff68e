// Digest mails over a real mail server: what they tell, when none is sent, how they stop, and that no kill loses one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { createMailer } from '../../src/accounts/auth/mail.ts';
import { composeDigests } from '../../src/accounts/digest/compose.ts';
import { sendNextDigest } from '../../src/accounts/digest/send.ts';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import type { Context } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { type Account, PASSWORD, signIn } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { NODE_FLAGS, testProgram } from '../support/program.ts';

const DOOMED = testProgram('test/stacks/doomed-digest.ts');
const NEVER = new AbortController().signal;
const DAY = 86_400_000;

forEachEngine('digest mails', (engine) => {
  let mails: MailServer;
  let env: Record<string, string>;
  let database: Record<string, string>;
  let clock: MovableClock;
  let world: UpgradeWorld;
  let ctx: Context;
  let account: Account;
  let sourceId = '';
  before(async () => {
    mails = await startMailServer();
    database = await engine.openTestDatabase();
    env = { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'digest@mail.example' };
    // Children use the clock of the machine.
    clock = movableClock(new Date().toISOString());
    world = await openUpgradeWorld(engine, { database, clock, env });
    ctx = world.ctx;
    account = await verified('kim@digest.example');
    const source = await world.fill([{ version: '1.0.0', content: 'First.' }]);
    sourceId = source.id;
    await putPackage(as(ctx, 'admin'), { ecosystem: 'pypi', name: 'breaker', sourceId });
    await account.session.put('/v1/me/stacks/web', {
      packages: [{ ecosystem: 'pypi', package: 'breaker', version: '1.0.0' }],
    });
    await judgeStale(ctx, { signal: NEVER });
  });
  after(() => mails.close());

  async function verified(email: string): Promise<Account> {
    await world.service.anonymous.post('/api/auth/sign-up/email', { name: 'Kim', email, password: PASSWORD });
    await world.service.settled();
    mails.received.splice(0);
    await ctx.store.transaction(
      (tx) => tx.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
      'catalog',
    );
    return signIn(world.service, email);
  }

  const verify = (email_verified: 0 | 1) =>
    ctx.store.transaction(
      (tx) => tx.updateTable('users').set({ email_verified }).where('email', '=', account.email).execute(),
      'catalog',
    );

  let released = 0;
  async function release(version: string, content: string): Promise<void> {
    released += 1;
    const publishedAt = new Date(clock().getTime() - 1000).toISOString();
    const url = `https://x.example/${released}`;
    await postReleases(as(ctx, 'admin'), sourceId, [releaseRow(version, { content, publishedAt, url })]);
    clock.move(1000);
    await judgeStale(ctx, { signal: NEVER });
  }
  const due = () =>
    ctx.store.transaction(
      (tx) =>
        tx
          .updateTable('digest_settings')
          .set({ next_at: '2020-01-01T00:00:00.000Z' })
          .where('cadence', '<>', 'off')
          .execute(),
      'catalog',
    );
  async function run(): Promise<MailServer['received']> {
    await composeDigests(ctx);
    while (await sendNextDigest(ctx, createMailer(ctx)));
    return mails.received.splice(0);
  }
  const waiting = async () => (await ctx.store.read.selectFrom('digest_mails').selectAll().execute()).length;

  it('are off by default, and need a verified address', async () => {
    const { body } = await account.session.get('/v1/me/digest');
    assert.deepEqual([body.cadence, body.nextAt, body.isAvailable, body.isVerified], ['off', null, true, true]);
    await verify(0);
    const refused = await account.session.put('/v1/me/digest', { cadence: 'daily' });
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.details.reason],
      [403, 'forbidden', 'address_unverified'],
    );
    assert.equal((await account.session.put('/v1/me/digest', { cadence: 'off' })).status, 200, 'it can stay off');
    await verify(1);
    for (const wrong of [
      { cadence: 'hourly' },
      { cadence: 'daily', zone: 'Nowhere' },
      { cadence: 'daily', hour: 24 },
    ]) {
      assert.equal((await account.session.put('/v1/me/digest', wrong)).status, 400, JSON.stringify(wrong));
    }
    await release('1.0.1', '### Fixed\n- A typo.');
    assert.deepEqual(await run(), []);
    const on = await account.session.put('/v1/me/digest', { cadence: 'daily', hour: 8, zone: 'Asia/Tokyo' });
    assert.equal(on.status, 200, on.text);
    assert.match(on.body.nextAt, /T23:00:00/);
    await due();
    assert.deepEqual(await run(), [], 'what came before is no news');
    await due();
    assert.deepEqual(await run(), [], 'nothing new');
  });

  it('tell breaks first, in text and HTML, with one click that stops them', async () => {
    await release('2.0.0', '### Breaking changes\n- `open` was removed, use <b>`read`</b> instead.');
    await due();
    const [mail, ...more] = await run();
    assert.ok(mail);
    assert.deepEqual([more.length, mail.to, mail.from], [0, ['kim@digest.example'], 'digest@mail.example']);
    assert.match(mail.raw, /^Subject: 1 update breaks web$/m);
    assert.match(mail.raw, /^List-Unsubscribe:\s*<http\S*\/digest\/off\?t=[\w-]+>$/im);
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im);
    assert.match(mail.raw, /^Message-ID: <dgm_\w+@\S+>$/im);
    assert.match(mail.raw, /multipart\/alternative/);
    assert.match(mail.text, /BREAKS {2}breaker {2}1\.0\.0 -> 2\.0\.0/);
    assert.doesNotMatch(mail.text, /<b>/, 'no HTML of a stranger');
    await due();
    assert.deepEqual(await run(), [], 'told once');
  });

  it('wait for an address that is no longer verified', async () => {
    await release('2.1.0', '### Breaking changes\n- `seek` was removed.');
    await due();
    await verify(0);
    assert.deepEqual([await run(), await waiting()], [[], 0]);
    await verify(1);
    assert.equal((await run()).length, 1);
  });

  it('tell of what is followed, and only what passes the filter', async () => {
    const org = await createOrg(as(ctx, 'admin'), { name: 'Reedbank' });
    const followed = await createSource(as(ctx, 'admin'), { orgId: org.id });
    await account.session.post('/v1/me/follows', { targetType: 'org', targetId: org.id });
    const publish = (version: string, content: string) =>
      postReleases(as(ctx, 'admin'), followed.id, [
        releaseRow(version, { content, publishedAt: clock().toISOString(), url: `https://x.example/f/${version}` }),
      ]);
    await publish('1.0.0', 'Plain.');
    await due();
    const [mail] = await run();
    assert.match(mail?.text ?? '', /1 release, none that breaks by its notes: Reedbank 1/);
    await account.session.put('/v1/me/digest', { cadence: 'weekly', minBreaking: 'major', security: true });
    clock.move(1000);
    await publish('1.1.0', 'Plain again.');
    await due();
    assert.deepEqual(await run(), []);
    await publish('2.0.0', '### Breaking changes\n- `go` was removed.');
    await due();
    assert.equal((await run()).length, 1);
    await account.session.put('/v1/me/digest', { cadence: 'daily' });
  });

  for (const when of ['composed', 'handover'] as const) {
    it(`are not lost when the process is killed (${when})`, async () => {
      await release(when === 'composed' ? '3.0.0' : '4.0.0', '### Breaking changes\n- `close` was removed.');
      await due();
      const child = spawn(process.execPath, [...NODE_FLAGS, DOOMED, when], {
        env: { ...process.env, ...database, ...env, REGISTRY_LOG_LEVEL: 'silent', REGISTRY_SECRET: 'ab'.repeat(32) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
      const before = mails.received.splice(0);
      assert.equal(await waiting(), 1);
      clock.move(10 * 60_000);
      const after = await run();
      assert.deepEqual([before.length, after.length, await waiting()], [when === 'composed' ? 0 : 1, 1, 0]);
      const ids = [...before, ...after].map((mail) => /^Message-ID: (\S+)/im.exec(mail.raw)?.[1]);
      assert.equal(new Set(ids).size, 1, 'a repeated mail has the same id');
    });
  }

  it('stop by POST alone, and after three refusals in a row', async () => {
    await release('5.0.0', '### Breaking changes\n- `x` was removed.');
    await due();
    const [mail] = await run();
    const url = new URL(/^List-Unsubscribe:\s*<(\S+)>/im.exec(mail?.raw ?? '')?.[1] ?? '');
    const path = `${url.pathname}${url.search}`;
    const cadence = async () => (await account.session.get('/v1/me/digest')).body.cadence;
    assert.equal((await world.service.anonymous.get(path)).status, 200);
    assert.equal(await cadence(), 'daily', 'a GET stops nothing');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const stopped = await fetch(`${world.service.url}${path}`, {
      method: 'POST',
      headers: form,
      body: 'List-Unsubscribe=One-Click',
    });
    assert.deepEqual([stopped.status, await cadence()], [200, 'off']);
    const wrong = await fetch(`${world.service.url}/digest/off?t=abc`, {
      method: 'POST',
      headers: form,
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(wrong.status, 404);

    await account.session.put('/v1/me/digest', { cadence: 'daily' });
    for (const [index, left] of [
      ['6.0.0', 'daily'],
      ['7.0.0', 'daily'],
      ['8.0.0', 'off'],
    ] as const) {
      await release(index, '### Breaking changes\n- `y` was removed.');
      await due();
      mails.refuse('550 no such mailbox');
      assert.deepEqual(await run(), []);
      assert.deepEqual([await waiting(), await cadence()], [0, left]);
    }
    assert.match((await account.session.get('/v1/me/digest')).body.stoppedReason, /3 mails/);
    mails.refuse('451 later');
    await account.session.put('/v1/me/digest', { cadence: 'daily' });
    await release('9.0.0', '### Breaking changes\n- `z` was removed.');
    await due();
    assert.deepEqual([await run(), await waiting()], [[], 1]);
    const metrics = (await world.service.root.get('/metrics')).text;
    assert.match(metrics, /^registry_digests_waiting 1$/m);
    assert.match(metrics, /^registry_digests_put_off 1$/m);
    assert.match(metrics, /^registry_digests_total\{outcome="refused"\} 3$/m);
    assert.match(metrics, /^registry_digests_total\{outcome="sent"\} [1-9]/m);
    mails.refuse(null);
    clock.move(DAY);
    assert.equal((await run()).length, 1, 'it comes when the server takes it');
  });
});
