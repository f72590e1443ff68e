// The worker's loops around deliveries: figures, mails to owners.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MailMessage } from '../../src/accounts/auth/mail.ts';
import { workFigures } from '../../src/packages/work-figures.ts';
import { createDelivering } from '../../src/worker/delivering.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { openDelivering, subscribeTo } from './delivery-fixture.ts';
import { newAccount, subscribe } from './fixture.ts';

forEachEngine('the worker', (engine) => {
  it('sends what is new in one pass, counts it, and tells the owner of what it had to disable', async (t) => {
    const delivering = await openDelivering(t, engine);
    const { ctx, world, orgId, sourceId, clock } = delivering;
    const me = await newAccount(ctx);
    world.route('/ok', { status: 204 });
    world.route('/late', { status: 503 });
    world.route('/gone', { status: 410 });
    await subscribeTo(delivering, '/ok');
    await subscribeTo(delivering, '/late');
    const { id } = await subscribe(me.ctx, { orgId, url: `${world.url}/gone?token=secret` });
    await subscribeTo(delivering, '/gone');
    clock.move(1);
    const mails: MailMessage[] = [];
    const mailer = {
      available: true,
      send: async (message: MailMessage) => void mails.push(message),
      deliver: async () => {},
    };
    const worker = createWorker(ctx, { tasks: createDelivering({ mailer }) });
    await postReleases(ctx, sourceId, [releaseRow('1.0.0')]);

    await worker.drain();

    assert.deepEqual(
      ['/ok', '/late', '/gone'].map((path) => world.requested(path).length),
      [1, 1, 2],
    );
    assert.equal(mails.length, 1, 'an operator’s own has nobody to write to');
    const [mail] = mails;
    const text = mail?.lines.join('\n') ?? '';
    assert.equal(mail?.to, `${me.userId}@webhooks.example`);
    assert.match(text, new RegExp(`^Your webhook to ${world.host} was auto-disabled: endpoint answered 410 Gone`));
    assert.ok(text.includes(`/account/webhooks/${id}`) && !text.includes('secret'));
    const { attempts, deliveriesWaiting, deliveriesInFlight } = await workFigures(ctx);
    assert.deepEqual(Object.fromEntries(attempts.map(({ outcome, count }) => [outcome, count])), {
      perm_fail: 2,
      retry: 1,
      success: 1,
    });
    assert.deepEqual([deliveriesWaiting, deliveriesInFlight], [1, 0]);
    await worker.stop();
  });
});
