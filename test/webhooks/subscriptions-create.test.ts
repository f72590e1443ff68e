import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WebhookCreation } from '../../src/contract/webhooks.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { getSubscription, listAll, listOwn } from '../../src/webhooks/subscriptions/list.ts';
import { accountOwner } from '../../src/webhooks/subscriptions/owner.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource } from '../support/factories.ts';
import { atOnce, plain } from '../support/named.ts';
import { refused } from '../support/refused.ts';
import {
  DISCORD_URL,
  GOOGLE_CHAT_URL,
  HOOK_URL,
  newAccount,
  openWorld,
  SLACK_URL,
  storedRow,
  subscribe,
  TEAMS_URL,
  type World,
} from './fixture.ts';

forEachEngine('creating a webhook', (engine) => {
  let opened: Promise<World> | null = null;
  const world = () => {
    opened ??= openWorld(engine);
    return opened;
  };

  it('gives the whole record, and the key once', async () => {
    const { ctx, org, source, product } = await world();
    const me = await newAccount(ctx);
    const made = await subscribe(me.ctx, {
      orgSlug: org.slug,
      sourceSlug: source.slug,
      productId: product.id,
      releaseType: 'feature',
      description: 'For the team',
      url: `${HOOK_URL}#part`,
    });
    const { signingKey, standardSecret, ...record } = made;
    assert.match(signingKey ?? '', /^[0-9a-f]{64}$/);
    assert.equal(standardSecret, `whsec_${Buffer.from(signingKey ?? '', 'hex').toString('base64')}`);
    assert.match(record.id, /^whk_[0-9A-Za-z]{21}$/);
    const at = ctx.clock().toISOString();
    assert.deepEqual(plain(record), {
      id: record.id,
      userId: me.userId,
      scope: 'org',
      orgId: org.id,
      orgSlug: org.slug,
      orgName: org.name,
      sourceId: source.id,
      sourceSlug: source.slug,
      sourceName: source.name,
      productId: product.id,
      productSlug: product.slug,
      productName: product.name,
      stackName: null,
      releaseType: 'feature',
      excludePrereleases: false,
      minBreaking: null,
      minImportance: null,
      security: false,
      url: HOOK_URL,
      description: 'For the team',
      format: 'json',
      enabled: true,
      disabledReason: null,
      secretVersion: 1,
      previousKeyExpiresAt: null,
      createdAt: at,
      updatedAt: at,
      lastSuccessAt: null,
      lastErrorAt: null,
      lastErrorMsg: null,
      consecutiveFailures: 0,
      consecutiveLostEvents: 0,
      failureStreakStartedAt: null,
      deliveryHealth: 'healthy',
      deliveryHealthSummary: 'Nothing delivered yet',
    });
    assert.deepEqual(
      plain(await getSubscription(me.ctx, { id: record.id, owner: accountOwner(me.ctx) })),
      plain(record),
    );
    const row = await storedRow(ctx, record.id);
    assert.equal(row.target, 'hooks.example:443');
    assert.ok(!JSON.stringify(row).includes(signingKey ?? ''), 'the key is stored encrypted');
  });

  it('of follows names no target and leaves pre-releases out', async () => {
    const me = await newAccount((await world()).ctx);
    const { scope, excludePrereleases, orgId, orgSlug } = await subscribe(me.ctx, { scope: 'follows' });
    assert.deepEqual([scope, excludePrereleases, orgId, orgSlug], ['follows', true, null, null]);
  });

  for (const [format, url] of [
    ['slack', SLACK_URL],
    ['discord', DISCORD_URL],
    ['teams', TEAMS_URL],
    ['google_chat', GOOGLE_CHAT_URL],
  ] as const) {
    it(`of ${format} has no key`, async () => {
      const { ctx, org } = await world();
      const me = await newAccount(ctx);
      const made = await subscribe(me.ctx, { orgId: org.id, format, url });
      assert.deepEqual(
        [made.format, made.secretVersion, made.signingKey, made.standardSecret],
        [format, 0, undefined, undefined],
      );
      assert.equal((await storedRow(ctx, made.id)).signing_key, null);
    });
  }

  for (const [name, given, expected] of [
    ['plain text has a key', { format: 'text' }, { format: 'text', secretVersion: 1 }],
    ['an empty format is json', { format: '' }, { format: 'json' }],
    ['an empty description is none', { description: '' }, { description: null }],
    [
      'disabled from the start',
      { enabled: false },
      { enabled: false, disabledReason: 'paused by owner', deliveryHealth: 'paused' },
    ],
    ['pre-releases left out', { excludePrereleases: true }, { excludePrereleases: true }],
    ['a name without an address', { url: 'https://new.example/' }, { warnings: ['url_unresolved'] }],
  ] as const) {
    it(name, async () => {
      const { ctx, org } = await world();
      const me = await newAccount(ctx);
      const made: Record<string, unknown> = await subscribe(me.ctx, { orgId: org.id, ...given });
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(made[key], value, key);
    });
  }

  describe('is refused, and the first rule broken answers:', () => {
    type Case = [name: string, given: (w: World) => Partial<WebhookCreation>, code: string, details: unknown];
    const field = (name: string, reason: string) => ({ field: name, reason });
    const follows = 'the scope follows takes no org, source or product';
    const cases: Case[] = [
      ['no org', () => ({}), 'bad_request', field('orgSlug', 'orgSlug or orgId is required, or the scope follows')],
      [
        'an org named twice',
        ({ org }) => ({ orgSlug: org.slug, orgId: org.id }),
        'bad_request',
        field('orgId', 'give orgSlug or orgId, not both'),
      ],
      [
        'follows with an org',
        ({ org }) => ({ scope: 'follows', orgSlug: org.slug }),
        'bad_request',
        field('orgSlug', follows),
      ],
      [
        'follows with a source',
        () => ({ scope: 'follows', sourceId: 'src_x' }),
        'bad_request',
        field('sourceId', follows),
      ],
      [
        'follows with a product',
        () => ({ scope: 'follows', productSlug: 'x' }),
        'bad_request',
        field('productSlug', follows),
      ],
      [
        'scope before format',
        () => ({ scope: 'follows', orgId: 'x', format: 'telegram' }),
        'bad_request',
        field('orgId', follows),
      ],
      [
        'format before address',
        () => ({ orgSlug: 'x', format: 'telegram', url: 'http://10.0.0.1' }),
        'bad_request',
        field('format', 'must be one of json, slack, discord, teams, google_chat, text'),
      ],
      [
        'address before chat host',
        () => ({ orgSlug: 'x', format: 'slack', url: 'https://10.0.0.1/' }),
        'bad_request',
        field('url', 'private_address'),
      ],
      ['chat host before target', () => ({ orgSlug: 'x', format: 'slack' }), 'bad_request', field('url', 'chat_host')],
      [
        'chat path before target',
        () => ({ orgSlug: 'x', format: 'discord', url: `${DISCORD_URL}/slack` }),
        'bad_request',
        field('url', 'chat_path'),
      ],
      [
        'a name that leads inside',
        () => ({ orgSlug: 'x', url: 'https://inside.example/' }),
        'bad_request',
        field('url', 'private_address'),
      ],
      ['plain http', () => ({ orgSlug: 'x', url: 'http://hooks.example/' }), 'bad_request', field('url', 'not_https')],
      [
        'the service itself',
        () => ({ orgSlug: 'x', url: 'https://localhost:8080/' }),
        'bad_request',
        field('url', 'internal_host'),
      ],
      ['no address at all', () => ({ orgSlug: 'x', url: 'hooks' }), 'bad_request', field('url', 'invalid_url')],
      [
        'an unknown org',
        () => ({ orgSlug: 'nobody' }),
        'not_found',
        { entity: 'org', value: 'nobody', field: 'orgSlug' },
      ],
      ['a slug for an id', ({ org }) => ({ orgId: org.slug }), 'not_found', null],
      [
        'an unknown source',
        ({ org }) => ({ orgId: org.id, sourceSlug: 'none' }),
        'not_found',
        { entity: 'source', value: 'none', field: 'sourceSlug' },
      ],
      [
        'an unknown product',
        ({ org }) => ({ orgId: org.id, productId: 'prod_x' }),
        'not_found',
        { entity: 'product', value: 'prod_x', field: 'productId' },
      ],
      [
        'a source of another product',
        ({ org, loose, product }) => ({ orgId: org.id, sourceId: loose.id, productId: product.id }),
        'bad_request',
        field('productSlug', 'the source is not tied to this product'),
      ],
    ];
    for (const [name, given, code, details] of cases) {
      it(name, async () => {
        const here = await world();
        const me = await newAccount(here.ctx);
        const refusal = await refused(subscribe(me.ctx, given(here)));
        assert.equal(refusal?.code, code);
        if (details) assert.deepEqual(refusal?.details, details);
        assert.deepEqual(await listOwn(me.ctx, { owner: accountOwner(me.ctx) }), { subscriptions: [] });
      });
    }

    it('what belongs to another org', async () => {
      const { ctx, org } = await world();
      const me = await newAccount(ctx);
      const elsewhere = await createOrg(ctx);
      const source = await createSource(ctx, { orgId: elsewhere.id });
      const product = await createProduct(ctx, elsewhere.id);
      for (const filter of [{ sourceId: source.id }, { sourceSlug: source.slug }, { productId: product.id }]) {
        assert.equal((await refused(subscribe(me.ctx, { orgId: org.id, ...filter })))?.code, 'not_found');
      }
    });

    it('a hidden org, to an account but not to an operator', async () => {
      const { ctx } = await world();
      const me = await newAccount(ctx);
      const org = await createOrg(ctx);
      await updateOrg(ctx, { org: org.id, change: { isHidden: true } });
      assert.equal((await refused(subscribe(me.ctx, { orgId: org.id })))?.code, 'not_found');
      const made = await createSubscription(ctx, { owner: 'operator', input: { url: HOOK_URL, orgId: org.id } });
      assert.equal(made.userId, null);
    });

    it('a service without a secret, where a key is needed', async () => {
      const { ctx, org } = await world();
      const me = await newAccount(ctx);
      const without = { ...me.ctx, secrets: null };
      assert.equal((await refused(subscribe(without, { orgId: org.id })))?.code, 'service_unavailable');
      assert.equal((await subscribe(without, { orgId: org.id, format: 'slack', url: SLACK_URL })).secretVersion, 0);
    });
  });

  it('stops at ten of orgs and one of follows, also when all come at once', async () => {
    const { ctx, org } = await world();
    const me = await newAccount(ctx);
    const results = await atOnce(async () => (await subscribe(me.ctx, { orgId: org.id, enabled: false })).scope);
    assert.deepEqual(results.toSorted(), [...Array(10).fill('limit_exceeded'), ...Array(10).fill('org')]);
    assert.deepEqual(await refused(subscribe(me.ctx, { orgId: org.id })), {
      code: 'limit_exceeded',
      details: { limit: 10, scope: 'org' },
    });
    await subscribe(me.ctx, { scope: 'follows' });
    assert.deepEqual(await refused(subscribe(me.ctx, { scope: 'follows' })), {
      code: 'limit_exceeded',
      details: { limit: 1, scope: 'follows' },
    });
    // Targets are checked before the limit of subscriptions.
    assert.equal((await refused(subscribe(me.ctx, { orgSlug: 'nobody' })))?.code, 'not_found');
  });

  it('is counted: 60 changes an hour for each account', async () => {
    const { ctx, clock } = await world();
    const me = await newAccount(ctx);
    const other = await newAccount(ctx);
    for (let call = 0; call < 60; call += 1) {
      assert.equal((await refused(subscribe(me.ctx, { orgSlug: 'nobody' })))?.code, 'not_found');
    }
    assert.equal((await refused(subscribe(me.ctx, { orgSlug: 'nobody' })))?.code, 'rate_limited');
    assert.equal((await refused(subscribe(other.ctx, { orgSlug: 'nobody' })))?.code, 'not_found');
    clock.move(3_600_000);
    assert.equal((await refused(subscribe(me.ctx, { orgSlug: 'nobody' })))?.code, 'not_found');
  });

  it('by an operator belongs to no account, has no cap, and never follows', async () => {
    const { ctx } = await world();
    const org = await createOrg(ctx);
    const input = { url: HOOK_URL, orgSlug: org.slug };
    for (let made = 0; made < 12; made += 1) await createSubscription(ctx, { owner: 'operator', input });
    const { subscriptions, pagination } = await listAll(ctx, { org: org.slug, page: 2, limit: 5 });
    assert.deepEqual([subscriptions.length, pagination.totalItems, subscriptions[0]?.userId], [5, 12, null]);
    const refusal = await refused(
      createSubscription(ctx, { owner: 'operator', input: { url: HOOK_URL, scope: 'follows' } }),
    );
    assert.equal(refusal?.code, 'bad_request');
    assert.match(JSON.stringify(refusal?.details), /"field":"scope"/);
  });
});
