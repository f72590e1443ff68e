// What a disabled account can no longer do, and can do again once it is enabled.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setUserDisabled } from '../../src/accounts/auth/users.ts';
import type { Context } from '../../src/context.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('a disabled account', (engine) => {
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp();
    ctx = app.ctx;
    service = await startService(app);
  });

  let made = 0;
  async function addWebhook({ id: user_id }: Account, orgId: string, enabled = 1): Promise<string> {
    made += 1;
    const at = ctx.clock().toISOString();
    const row = {
      id: `whk_${made}`,
      user_id,
      org_id: orgId,
      scope: 'org',
      exclude_prereleases: 0,
      url: 'https://hook.example/',
      target: 'hook.example:443',
      format: 'json',
      enabled,
      disabled_reason: enabled ? null : 'paused by the owner',
      secret_version: 1,
      created_at: at,
      updated_at: at,
    };
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('webhook_subscriptions')
          .values(row as never)
          .execute(),
      'catalog',
    );
    return row.id;
  }
  const record = async (id: string) => (await service.root.get(`/v1/webhooks/${id}`)).body;
  const disable = (account: Account, disabled: boolean) => setUserDisabled(ctx, { userId: account.id, disabled });

  it('sends nothing, says why, and goes on where it was when it is enabled again', async () => {
    const account = await signUp(service);
    const org = await createOrg(as(ctx, 'admin'));
    const source = await createSource(as(ctx, 'admin'), { orgId: org.id });
    const [sending, paused] = [await addWebhook(account, org.id), await addWebhook(account, org.id, 0)];
    const publish = async (version: string) => {
      await postReleases(as(ctx, 'admin'), source.id, [releaseRow(version)]);
      return (await fanOut(ctx)).deliveries;
    };
    assert.equal(await publish('1.0.0'), 1);

    await disable(account, true);

    assert.equal(await publish('1.1.0'), 0);
    assert.partialDeepStrictEqual(await record(sending), {
      enabled: false,
      disabledReason: 'account disabled',
      deliveryHealth: 'paused',
    });
    const forced = await service.root.patch(`/v1/webhooks/${sending}`, { enabled: true });
    assert.deepEqual([forced.status, forced.body.error.details], [409, { reason: 'account_disabled' }]);

    await disable(account, false);

    assert.partialDeepStrictEqual(await record(sending), { enabled: true, disabledReason: null });
    assert.partialDeepStrictEqual(await record(paused), { enabled: false, disabledReason: 'paused by the owner' });
    assert.equal(await publish('1.2.0'), 1);
  });

  it('was silent already when it was disabled before', async () => {
    const account = await signUp(service);
    const org = await createOrg(as(ctx, 'admin'));
    const sending = await addWebhook(account, org.id);
    await ctx.store.transaction(async (tx) => {
      await tx
        .updateTable('users')
        .set({ disabled_at: '2026-01-01T00:00:00.000Z' })
        .where('id', '=', account.id)
        .execute();
      await tx.deleteFrom('sessions').execute();
      await tx.deleteFrom('schema_migrations').where('name', '=', 'hashed-secrets').execute();
    }, 'catalog');

    await ctx.store.migrate();

    assert.equal((await record(sending)).disabledReason, 'account disabled');
  });

  it('an app that only reads does not learn the address of the private feed', async () => {
    const account = await signUp(service);
    const [reader, writer] = [await account.oauth('read'), await account.oauth('read account')];
    await account.session.post('/v1/me/feed/token');

    const refused = await reader.client.get('/v1/me/feed/token');
    assert.deepEqual([refused.status, refused.body.error.details], [403, { required: 'account' }]);
    assert.equal((await reader.client.get('/v1/me/feed')).status, 200);
    for (const client of [writer.client, account.session, (await account.key()).client]) {
      assert.ok((await client.get('/v1/me/feed/token')).body.token.feedUrl);
    }
  });

  it('every call that changes an account is described with its 403', async () => {
    const { paths } = (await service.anonymous.get('/v1/openapi.json')).body;
    const own = Object.entries<Record<string, { responses: object }>>(paths).filter(([path]) =>
      /^\/v1\/(me|api-keys)(\/|$)/.test(path),
    );
    assert.ok(own.length > 5);
    for (const [path, methods] of own) {
      for (const [method, { responses }] of Object.entries(methods)) {
        if (method !== 'get') assert.ok('403' in responses, `${method} ${path}`);
      }
    }
  });
});
