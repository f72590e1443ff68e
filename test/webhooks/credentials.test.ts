// The access of each credential of an account to its webhooks.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { signUp } from '../support/accounts.ts';
import type { Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { HOOK_URL, openWorld } from './fixture.ts';

forEachEngine('webhooks by credential', (engine) => {
  it('all may read; an app changes nothing without the grant for it', async () => {
    const { app, org } = await openWorld(engine, { clock: () => new Date() });
    const service = await startService(app);
    const account = await signUp(service);
    const body = { url: HOOK_URL, orgSlug: org.slug };
    const { id } = (await account.session.post('/v1/me/webhooks', body)).body;
    const path = `/v1/me/webhooks/${id}`;

    const reads = (client: Client) => [
      client.get('/v1/me/webhooks'),
      client.get(path),
      client.get(`${path}/deliveries`),
    ];
    const writes = (client: Client) => [
      () => client.patch(path, { description: 'changed' }),
      () => client.post(`${path}/rotate-secret`),
      () => client.post(`${path}/test`),
      () => client.post(`${path}/replay`, { since: '1d' }),
      () => client.post('/v1/me/webhooks', body),
    ];
    const full = [
      account.cookie,
      account.session,
      (await account.key()).client,
      (await account.oauth('read account')).client,
    ];
    const reader = (await account.oauth('openid read')).client;
    for (const client of [...full, reader]) {
      for (const answer of await Promise.all(reads(client))) assert.equal(answer.status, 200, answer.text);
    }
    for (const client of full) {
      for (const call of writes(client)) {
        const answer = await call();
        assert.ok(answer.status < 300, answer.text);
      }
    }
    for (const call of [...writes(reader), () => reader.delete(path)]) {
      const { status, body } = await call();
      assert.deepEqual(
        [status, body.error.code, body.error.details],
        [403, 'insufficient_scope', { required: 'account' }],
      );
    }
    for (const client of [...full, reader]) assert.equal((await client.get('/v1/webhooks')).status, 403);
  });

  it('end with the account', async () => {
    const { app, ctx, org } = await openWorld(engine, { clock: () => new Date() });
    const service = await startService(app);
    const account = await signUp(service);
    const { id } = (await account.session.post('/v1/me/webhooks', { url: HOOK_URL, orgSlug: org.slug })).body;
    await account.session.post(`/v1/me/webhooks/${id}/test`);

    const gone = await account.cookie.post('/api/auth/delete-user', { password: 'correct horse battery' });

    assert.equal(gone.status, 200, gone.text);
    for (const table of ['webhook_subscriptions', 'webhook_deliveries'] as const) {
      assert.deepEqual(await ctx.store.read.selectFrom(table).select('id').execute(), [], table);
    }
  });
});
