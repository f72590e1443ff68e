import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transact } from '../../src/context.ts';
import type { WebhookChange, WebhookCreation } from '../../src/contract/webhooks.ts';
import { signingKeys } from '../../src/webhooks/keys.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { deleteSubscription } from '../../src/webhooks/subscriptions/delete.ts';
import { getSubscription, listAll, listOwn } from '../../src/webhooks/subscriptions/list.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { rotateKey } from '../../src/webhooks/subscriptions/rotate.ts';
import { updateSubscription } from '../../src/webhooks/subscriptions/update.ts';
import { sendTest } from '../../src/webhooks/test-event.ts';
import { forEachEngine } from '../support/engines.ts';
import { plain } from '../support/named.ts';
import { refused } from '../support/refused.ts';
import {
  DISCORD_URL,
  HOOK_URL,
  logAttempt,
  newAccount,
  openWorld,
  SLACK_URL,
  setRow,
  storedRow,
  subscribe,
  type World,
} from './fixture.ts';

const HOUR = 3_600_000;
const FAILING = {
  consecutive_failures: 7,
  consecutive_lost_events: 3,
  failure_streak_started_at: '2026-02-28T00:00:00.000Z',
  last_error_at: '2026-02-28T00:00:00.000Z',
  last_error_msg: 'no',
};
const FRESH = { consecutiveFailures: 0, consecutiveLostEvents: 0, failureStreakStartedAt: null };

forEachEngine('changing a webhook', (engine) => {
  let opened: Promise<World> | null = null;
  const world = () => {
    opened ??= openWorld(engine);
    return opened;
  };
  async function setUp(input: Partial<WebhookCreation> = {}) {
    const here = await world();
    const me = await newAccount(here.ctx);
    const made = await subscribe(me.ctx, input.scope === 'follows' ? input : { orgId: here.org.id, ...input });
    const owner = accountOwner(me.ctx);
    const patch = (change: WebhookChange) => updateSubscription(me.ctx, { id: made.id, owner, change });
    return { ...here, me: me.ctx, owner, made, id: made.id, patch };
  }

  type Rule = [
    name: string,
    given: Partial<WebhookCreation>,
    change: (world: World) => WebhookChange,
    expected: Record<string, unknown>,
  ];
  const rules: Rule[] = [
    ['address', {}, () => ({ url: 'https://other.example/x#y' }), { url: 'https://other.example/x', enabled: true }],
    ['address without a host record', {}, () => ({ url: 'https://new.example/' }), { warnings: ['url_unresolved'] }],
    ['description', {}, () => ({ description: 'New' }), { description: 'New' }],
    ['description cleared', { description: 'Old' }, () => ({ description: null }), { description: null }],
    ['release type', {}, () => ({ releaseType: 'rollup' }), { releaseType: 'rollup' }],
    ['release type cleared', { releaseType: 'rollup' }, () => ({ releaseType: null }), { releaseType: null }],
    ['pre-releases', {}, () => ({ excludePrereleases: true }), { excludePrereleases: true }],
    [
      'pre-releases of follows',
      { scope: 'follows' },
      () => ({ excludePrereleases: false }),
      { excludePrereleases: false },
    ],
    [
      'disabled',
      {},
      () => ({ enabled: false }),
      { enabled: false, disabledReason: 'paused by owner', deliveryHealth: 'paused' },
    ],
    [
      'disabled for a reason',
      {},
      () => ({ enabled: false, disabledReason: 'holiday' }),
      { enabled: false, disabledReason: 'holiday' },
    ],
    [
      'reason of a disabled one',
      { enabled: false },
      () => ({ disabledReason: 'moving' }),
      { enabled: false, disabledReason: 'moving' },
    ],
    ['reason cleared', { enabled: false }, () => ({ disabledReason: null }), { enabled: false, disabledReason: null }],
    ['enabled', { enabled: false }, () => ({ enabled: true }), { enabled: true, disabledReason: null, ...FRESH }],
    ['source filter', {}, ({ source }) => ({ sourceSlug: source.slug }), { productId: null }],
    ['format to the same', {}, () => ({ format: 'json' }), { format: 'json', secretVersion: 1, signingKey: undefined }],
    ['format null is json', {}, () => ({ format: null }), { format: 'json', secretVersion: 1 }],
    ['JSON to text keeps the key', {}, () => ({ format: 'text' }), { secretVersion: 1, signingKey: undefined }],
    [
      'to Slack',
      {},
      () => ({ format: 'slack', url: SLACK_URL }),
      { format: 'slack', secretVersion: 0, url: SLACK_URL },
    ],
    [
      'Slack to Discord',
      { format: 'slack', url: SLACK_URL },
      () => ({ format: 'discord', url: DISCORD_URL }),
      { format: 'discord', secretVersion: 0 },
    ],
  ];
  for (const [name, given, change, expected] of rules) {
    it(name, async () => {
      const here = await setUp(given);
      here.clock.move(1000);
      const changed: Record<string, unknown> = await here.patch(change(here));
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(changed[key], value, key);
      assert.equal(changed.updatedAt, here.clock().toISOString());
      const { warnings: _warnings, ...record } = changed;
      assert.deepEqual(plain(await getSubscription(here.me, here)), plain(record));
    });
  }

  it('sets, keeps and clears filters one by one', async () => {
    const { patch, source, product, loose } = await setUp();
    const filters = async (change: WebhookChange) => {
      const { sourceSlug, productSlug } = await patch(change);
      return [sourceSlug, productSlug];
    };
    assert.deepEqual(await filters({ sourceId: source.id }), [source.slug, null]);
    assert.deepEqual(await filters({ productSlug: product.slug }), [source.slug, product.slug]);
    assert.deepEqual(await refused(patch({ sourceSlug: loose.slug })), {
      code: 'bad_request',
      details: { field: 'productSlug', reason: 'the source is not tied to this product' },
    });
    assert.deepEqual(await filters({ sourceSlug: null }), [null, product.slug]);
    assert.deepEqual(await filters({ productId: null, sourceSlug: loose.slug }), [loose.slug, null]);
  });

  it('to the address counts the new receiver', async () => {
    const { ctx, id, patch } = await setUp();
    await patch({ url: 'https://other.example:8443/x' });
    assert.equal((await storedRow(ctx, id)).target, 'other.example:8443');
  });

  it('to enabled forgets what went wrong, also of one that is enabled; no other change does', async () => {
    const { ctx, id, patch } = await setUp();
    await setRow(ctx, id, FAILING);
    assert.equal((await patch({ description: 'x' })).deliveryHealth, 'failing');
    const { lastErrorMsg, lastErrorAt, deliveryHealth, ...now } = await patch({ enabled: true });
    assert.deepEqual([lastErrorMsg, lastErrorAt, deliveryHealth], ['no', FAILING.last_error_at, 'healthy']);
    assert.deepEqual(
      [now.consecutiveFailures, now.consecutiveLostEvents, now.failureStreakStartedAt],
      Object.values(FRESH),
    );
  });

  it('from a chat format to json makes a key and shows it; back destroys it', async () => {
    const { ctx, id, patch, made } = await setUp();
    const away = await patch({ format: 'slack', url: SLACK_URL });
    assert.deepEqual([away.secretVersion, away.signingKey], [0, undefined]);
    const { signing_key, previous_key } = await storedRow(ctx, id);
    assert.deepEqual([signing_key, previous_key], [null, null]);
    const back = await patch({ format: 'json' });
    assert.match(back.signingKey ?? '', /^[0-9a-f]{64}$/);
    assert.notEqual(back.signingKey, made.signingKey);
    assert.deepEqual([back.secretVersion, back.url], [1, SLACK_URL]);
    const keys = signingKeys(ctx, await storedRow(ctx, id), ctx.clock());
    assert.equal(Buffer.from(keys?.current ?? []).toString('hex'), back.signingKey);
  });

  describe('is refused:', () => {
    const url = (reason: string) => ({ field: 'url', reason });
    const follows = 'the scope follows takes no org, source or product';
    type Refusal = [
      name: string,
      given: Partial<WebhookCreation>,
      change: WebhookChange,
      code: string,
      details?: unknown,
    ];
    const refusals: Refusal[] = [
      ['an address inside', {}, { url: 'https://inside.example/' }, 'bad_request', url('private_address')],
      ['plain http', {}, { url: 'http://hooks.example/' }, 'bad_request', url('not_https')],
      ['a format that does not fit the address', {}, { format: 'slack' }, 'bad_request', url('chat_host')],
      [
        'an address that does not fit the format',
        { format: 'discord', url: DISCORD_URL },
        { url: SLACK_URL },
        'bad_request',
        url('chat_host'),
      ],
      [
        'a path of another format',
        { format: 'discord', url: DISCORD_URL },
        { url: `${DISCORD_URL}/github` },
        'bad_request',
        url('chat_path'),
      ],
      [
        'an unknown format',
        {},
        { format: 'telegram' },
        'bad_request',
        { field: 'format', reason: 'must be one of json, slack, discord, teams, google_chat, text' },
      ],
      [
        'a source of follows',
        { scope: 'follows' },
        { sourceSlug: 'x' },
        'bad_request',
        { field: 'sourceSlug', reason: follows },
      ],
      [
        'even a cleared product of follows',
        { scope: 'follows' },
        { productId: null },
        'bad_request',
        { field: 'productId', reason: follows },
      ],
      [
        'a source named twice',
        {},
        { sourceSlug: 'x', sourceId: 'src_x' },
        'bad_request',
        { field: 'sourceId', reason: 'give sourceSlug or sourceId, not both' },
      ],
      ['an unknown source', {}, { sourceSlug: 'nothing' }, 'not_found'],
      ['an unknown product', {}, { productSlug: 'nothing' }, 'not_found'],
      [
        'a reason of an enabled one',
        {},
        { disabledReason: 'x' },
        'bad_request',
        { field: 'disabledReason', reason: 'only a webhook that is disabled has one' },
      ],
      ['a reason for enabling', { enabled: false }, { enabled: true, disabledReason: 'x' }, 'bad_request'],
    ];
    for (const [name, given, change, code, details] of refusals) {
      it(name, async () => {
        const { ctx, id, patch } = await setUp(given);
        const before = await storedRow(ctx, id);
        const refusal = await refused(patch(change));
        assert.equal(refusal?.code, code);
        if (details) assert.deepEqual(refusal?.details, details);
        assert.deepEqual(plain(await storedRow(ctx, id)), plain(before));
      });
    }

    it('everything that is somebody else’s, as if it were not there', async () => {
      const { ctx, id } = await setUp();
      const stranger = await newAccount(ctx);
      const theirs = { id, owner: accountOwner(stranger.ctx) };
      for (const call of [
        () => getSubscription(stranger.ctx, theirs),
        () => updateSubscription(stranger.ctx, { ...theirs, change: { enabled: false } }),
        () => deleteSubscription(stranger.ctx, theirs),
        () => rotateKey(stranger.ctx, theirs),
        () => sendTest(stranger.ctx, theirs),
      ]) {
        assert.deepEqual(await refused(call()), { code: 'not_found', details: { entity: 'webhook', value: id } });
      }
      assert.deepEqual(await listOwn(stranger.ctx, theirs), { subscriptions: [] });
    });
  });

  it('lists the newest first, by whether they are enabled', async () => {
    const { clock, org, me, owner, id } = await setUp();
    clock.move(1);
    const second = await subscribe(me, { orgId: org.id, enabled: false });
    const ids = async (enabled?: boolean) =>
      (await listOwn(me, { owner, enabled })).subscriptions.map((subscription) => subscription.id);
    assert.deepEqual(await ids(), [second.id, id]);
    assert.deepEqual(await ids(true), [id]);
    assert.deepEqual(await ids(false), [second.id]);
  });

  it('deletes with everything that hangs on it', async () => {
    const { ctx, me, owner, id } = await setUp();
    const { deliveryId, eventId } = await sendTest(me, { id, owner });
    await logAttempt(ctx, { subscription_id: id, event_id: eventId, delivery_id: deliveryId });
    await deleteSubscription(me, { id, owner });
    for (const table of ['webhook_deliveries', 'webhook_attempts'] as const) {
      const rows = await ctx.store.read.selectFrom(table).select('id').where('subscription_id', '=', id).execute();
      assert.deepEqual(rows, [], table);
    }
    assert.equal((await refused(deleteSubscription(me, { id, owner })))?.code, 'not_found');
  });

  describe('rotation', () => {
    const hexOf = (key: Uint8Array | null | undefined) => (key ? Buffer.from(key).toString('hex') : null);

    it('keeps exactly one previous key for a day', async () => {
      const { ctx, clock, me, owner, id, made } = await setUp();
      const keys = async () => {
        const found = signingKeys(ctx, await storedRow(ctx, id), clock());
        return [hexOf(found?.current), hexOf(found?.previous)];
      };
      const second = await rotateKey(me, { id, owner });
      assert.deepEqual(await keys(), [second.signingKey, made.signingKey]);
      const endsAt = new Date(clock().getTime() + 24 * HOUR).toISOString();
      assert.deepEqual([second.secretVersion, second.previousKeyExpiresAt], [2, endsAt]);
      assert.equal((await getSubscription(me, { id, owner })).previousKeyExpiresAt, endsAt);

      clock.move(HOUR);
      const third = await rotateKey(me, { id, owner });
      assert.deepEqual(await keys(), [third.signingKey, second.signingKey]);
      clock.move(24 * HOUR);
      assert.deepEqual(await keys(), [third.signingKey, null]);
      assert.equal((await getSubscription(me, { id, owner })).previousKeyExpiresAt, null);
    });

    it('ends the old key at once when told to', async () => {
      const { ctx, clock, me, owner, id } = await setUp();
      const { signingKey, previousKeyExpiresAt } = await rotateKey(me, { id, owner, revokeOld: true });
      assert.equal(previousKeyExpiresAt, null);
      const row = await storedRow(ctx, id);
      assert.deepEqual([row.previous_key, row.previous_key_expires_at], [null, null]);
      assert.equal(hexOf(signingKeys(ctx, row, clock())?.current), signingKey);
    });

    it('is for signed formats, with a secret', async () => {
      const chat = await setUp({ format: 'slack', url: SLACK_URL });
      assert.equal((await refused(rotateKey(chat.me, chat)))?.code, 'bad_request');
      const json = await setUp();
      assert.equal((await refused(rotateKey({ ...json.me, secrets: null }, json)))?.code, 'service_unavailable');
      assert.equal((await storedRow(json.ctx, json.id)).secret_version, 1);
    });

    it('counts as a change', async () => {
      const { me, owner, id, patch } = await setUp();
      for (let call = 1; call < 60; call += 1)
        await (call % 2 ? rotateKey(me, { id, owner }) : patch({ description: 'x' }));
      assert.equal((await refused(rotateKey(me, { id, owner })))?.code, 'rate_limited');
      assert.equal((await refused(patch({ description: 'x' })))?.code, 'rate_limited');
    });
  });

  describe('by an operator', () => {
    const operator = 'operator' as const;

    it('shows the host alone of an address that belongs to an account', async () => {
      const { ctx, org, id } = await setUp({ format: 'slack', url: SLACK_URL });
      const own = await createSubscription(ctx, { owner: operator, input: { url: HOOK_URL, orgId: org.id } });
      assert.equal((await getSubscription(ctx, { id, owner: operator })).url, 'hooks.slack.com');
      assert.equal((await getSubscription(ctx, { id: own.id, owner: operator })).url, HOOK_URL);
      const { subscriptions } = await listAll(ctx, { owner: 'user', page: 1, limit: 500 });
      assert.ok(
        subscriptions.length > 0 && subscriptions.every((one) => one.userId !== null && !one.url.includes('/')),
      );
    });

    it('lists by owner, org and state', async () => {
      const here = await world();
      const me = await newAccount(here.ctx);
      const mine = await subscribe(me.ctx, { orgId: here.org.id });
      const input = { url: HOOK_URL, orgId: here.org.id, enabled: false };
      const theirs = await createSubscription(here.ctx, { owner: operator, input });
      const has = async (filter: object) => {
        const { subscriptions } = await listAll(here.ctx, { page: 1, limit: 500, ...filter });
        const ids = subscriptions.map((one) => one.id);
        return [ids.includes(mine.id), ids.includes(theirs.id)];
      };
      assert.deepEqual(await has({}), [true, true]);
      assert.deepEqual(await has({ org: here.org.slug }), [true, true]);
      assert.deepEqual(await has({ owner: 'admin' }), [false, true]);
      assert.deepEqual(await has({ owner: 'user' }), [true, false]);
      assert.deepEqual(await has({ enabled: true }), [true, false]);
      assert.equal((await refused(has({ org: 'nobody' })))?.code, 'not_found');
    });

    it('stops and restarts what belongs to an account, and changes nothing else of it', async () => {
      const { ctx, id } = await setUp();
      const patch = (change: WebhookChange) => updateSubscription(ctx, { id, owner: operator, change });
      assert.equal((await patch({ enabled: false })).disabledReason, 'paused by the operator');
      assert.equal((await patch({ enabled: false, disabledReason: 'abuse' })).disabledReason, 'abuse');
      assert.equal((await patch({ enabled: true })).enabled, true);
      for (const change of [{ url: HOOK_URL }, { description: 'x' }, { enabled: true, releaseType: null }]) {
        assert.equal((await refused(patch(change)))?.code, 'bad_request');
      }
      assert.equal((await refused(rotateKey(ctx, { id, owner: operator })))?.code, 'forbidden');
      assert.equal((await storedRow(ctx, id)).secret_version, 1);
    });

    it('leaves a trace that holds no address and no key', async () => {
      const { ctx, org } = await world();
      const input = { url: SLACK_URL, orgId: org.id, format: 'slack' };
      const { id } = await createSubscription(ctx, { owner: operator, input });
      const { signingKey = '-' } = await updateSubscription(ctx, { id, owner: operator, change: { format: 'json' } });
      const rotated = await rotateKey(ctx, { id, owner: operator });
      await deleteSubscription(ctx, { id, owner: operator });
      const rows = await ctx.store.read.selectFrom('audit_log').selectAll().where('target_id', '=', id).execute();
      assert.deepEqual(rows.map((row) => row.action).toSorted(), [
        'webhook.create',
        'webhook.delete',
        'webhook.rotate',
        'webhook.update',
      ]);
      const text = JSON.stringify(rows);
      assert.ok(text.includes('hooks.slack.com'));
      for (const secret of ['services/T0', signingKey, rotated.signingKey ?? '-']) assert.ok(!text.includes(secret));
    });

    it('is not the account: what an account does is not audited', async () => {
      const { ctx, id, patch } = await setUp();
      await patch({ description: 'x' });
      const rows = await ctx.store.read.selectFrom('audit_log').select('id').where('target_id', '=', id).execute();
      assert.deepEqual(rows, []);
    });
  });

  it('leaves with its account', async () => {
    const { ctx, owner, id } = await setUp();
    await transact(ctx, ({ tx }) => tx.deleteFrom('users').where('id', '=', owner.userId).execute());
    assert.equal((await refused(getSubscription(ctx, { id, owner: 'operator' })))?.code, 'not_found');
  });
});
