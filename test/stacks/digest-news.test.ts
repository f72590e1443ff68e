// A digest tells what holds when it is sent, loses no news, and one that cannot be made keeps no other waiting.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createMailer } from '../../src/accounts/auth/mail.ts';
import { composeDigests } from '../../src/accounts/digest/compose.ts';
import { sendNextDigest } from '../../src/accounts/digest/send.ts';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import { transact } from '../../src/context.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { type Account, PASSWORD, signIn } from '../support/accounts.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { writtenStatements } from '../support/statements.ts';

const signal = new AbortController().signal;
const BREAK = '### Breaking changes\n- `open` was removed.';

forEachEngine('news of digests', (engine) => {
  const clock = movableClock('2026-03-20T12:00:00.000Z');
  let mails: MailServer;
  let world: UpgradeWorld;
  const sources = new Map<string, string>();
  before(async () => {
    mails = await startMailServer();
    const env = { REGISTRY_SMTP_URL: mails.url, REGISTRY_MAIL_FROM: 'digest@mail.example' };
    world = await openUpgradeWorld(engine, { clock, env });
    for (const name of ['kept', 'hidden']) {
      const { id } = await world.fill([{ version: '1.0.0', content: 'First.' }]);
      await world.service.root.put('/v1/packages', { ecosystem: 'pypi', name, sourceId: id });
      sources.set(name, id);
    }
  });
  after(() => mails.close());

  async function reader(email: string): Promise<Account> {
    await world.service.anonymous.post('/api/auth/sign-up/email', { name: 'Kim', email, password: PASSWORD });
    await world.service.settled();
    mails.received.splice(0);
    await transact(world.ctx, ({ tx }) =>
      tx.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
    );
    const account = await signIn(world.service, email);
    const packages = [...sources.keys()].map((name) => ({ ecosystem: 'pypi', package: name, version: '1.0.0' }));
    assert.equal((await account.session.put('/v1/me/stacks/web', { packages })).status, 201);
    await judgeStale(world.ctx, { signal });
    const on = await account.session.put('/v1/me/digest', { cadence: 'daily' });
    assert.equal(on.status, 200, on.text);
    return account;
  }

  async function release(version: string): Promise<string[]> {
    const ids: string[] = [];
    clock.move(1000);
    for (const [name, sourceId] of sources) {
      const row = releaseRow(version, { content: BREAK, url: `https://x.example/${name}/${version}` });
      ids.push(...(await postReleases(world.ctx, sourceId, [row])).insertedIds);
    }
    clock.move(1000);
    await judgeStale(world.ctx, { signal });
    return ids;
  }

  const setDue = (next_at: string, email?: string) =>
    transact(world.ctx, ({ tx }) => {
      const changed = tx.updateTable('digest_settings').set({ next_at });
      const users = tx
        .selectFrom('users')
        .select('id')
        .where('email', '=', email ?? '');
      return (email === undefined ? changed : changed.where('user_id', 'in', users)).execute();
    });

  async function counted(outcome: string): Promise<number | undefined> {
    const rows = world.ctx.store.read.selectFrom('counters').select('value').where('name', '=', `digests:${outcome}`);
    return (await rows.executeTakeFirst())?.value;
  }

  async function send(): Promise<string[]> {
    while (await sendNextDigest(world.ctx, createMailer(world.ctx)));
    return mails.received
      .splice(0)
      .map(({ to, text }) => `${to.join()}: ${text.match(/^BREAKS {2}.*$/gm)?.join('\n') ?? ''}`);
  }

  it('leave out what was suppressed after the digest was made, and the mail when nothing is left', async () => {
    await reader('kim@news.example');
    const [kept = '', hidden = ''] = await release('2.0.0');
    await setDue('2020-01-01T00:00:00.000Z');
    const written = await writtenStatements(world.ctx, composeDigests);
    assert.deepEqual(
      written.filter(({ sql }) => sql.includes('told_target')).map(({ sql }) => /^update .*returning/is.test(sql)),
      [true],
      'one statement marks and reads, so that no answer is stored in between',
    );
    clock.move(1000);
    await world.service.root.post(`/v1/releases/${hidden}/suppress`, { reason: 'wrong' });
    clock.move(2000);
    await judgeStale(world.ctx, { signal });

    const [mail = '', ...more] = await send();

    assert.equal(more.length, 0);
    assert.match(mail, /BREAKS {2}kept {2}1\.0\.0 -> 2\.0\.0/);
    assert.doesNotMatch(mail, /hidden/);

    const next = await release('3.0.0');
    await setDue('2020-01-01T00:00:00.000Z');
    await composeDigests(world.ctx);
    clock.move(1000);
    for (const id of [...next, kept]) {
      await world.service.root.post(`/v1/releases/${id}/suppress`, { reason: 'wrong' });
    }
    clock.move(10_000);
    await judgeStale(world.ctx, { signal });
    assert.deepEqual(await send(), []);
    assert.equal(await counted('nothing_left'), 1);
  });

  it('of an account whose digest cannot be made are put off, lost by nobody, and others get theirs', async () => {
    const broken = await reader('broken@news.example');
    await reader('fine@news.example');
    await release('4.0.0');
    const { id: stackId } = await world.ctx.store.read
      .selectFrom('stacks')
      .select('id')
      .where('user_id', '=', broken.id)
      .executeTakeFirstOrThrow();
    const answers = await world.ctx.store.read
      .selectFrom('stack_packages')
      .select(['name', 'answer'])
      .where('stack_id', '=', stackId)
      .execute();
    const damage = (answer: (name: string) => (typeof answers)[number]['answer']) =>
      transact(world.ctx, async ({ tx }) => {
        for (const { name } of answers) {
          const own = tx.updateTable('stack_packages').where('stack_id', '=', stackId).where('name', '=', name);
          await own.set({ answer: answer(name) }).execute();
        }
      });
    await damage(() => '{' as never);
    await setDue('2030-01-01T00:00:00.000Z');
    await setDue('2020-01-01T00:00:00.000Z', 'broken@news.example');
    await setDue('2020-01-02T00:00:00.000Z', 'fine@news.example');

    assert.equal(await composeDigests(world.ctx), 2);

    const [first = '', ...others] = await send();
    assert.match(first, /^fine@news\.example: .*4\.0\.0/s);
    assert.equal(others.length, 0);
    assert.equal(await composeDigests(world.ctx), 0, 'it waits');
    assert.equal(await counted('not_made'), 1);

    await damage((name) => answers.find((one) => one.name === name)?.answer ?? null);
    clock.move(3_600_000);
    assert.equal(await composeDigests(world.ctx), 1);
    const [second = ''] = await send();
    assert.match(second, /^broken@news\.example: .*4\.0\.0/s);
  });
});
