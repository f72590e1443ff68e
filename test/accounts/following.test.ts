// What an account follows, its feed, the private URL of that feed, and its keys.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { load } from 'cheerio';
import { createApiKey, listApiKeys, mintApiKey, revokeApiKey } from '../../src/accounts/api-keys/manage.ts';
import { identifyApiKey } from '../../src/accounts/api-keys/user-key.ts';
import { privateAtomFeed } from '../../src/accounts/following/atom.ts';
import { createFeedToken, deleteFeedToken, readFeedToken } from '../../src/accounts/following/feed-token.ts';
import { follow, unfollow } from '../../src/accounts/following/follow.ts';
import { listFollows, personalFeed } from '../../src/accounts/following/list-follows.ts';
import { type Context, plainAnswer, transact } from '../../src/context.ts';
import type { Caller } from '../../src/contract/caller.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { atomFaults } from '../support/atom.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { refused } from '../support/refused.ts';

let users = 0;

async function signedIn(ctx: Context, kind: Caller['kind'] = 'session', id = 'ses_x'): Promise<Context> {
  users += 1;
  const at = ctx.clock().toISOString();
  const user = { id: `usr_${users}`, name: 'Kim', email: `kim${users}@x.example`, email_verified: 0, image: null };
  await ctx.store.transaction(
    (tx) =>
      tx
        .insertInto('users')
        .values({ ...user, created_at: at, updated_at: at, disabled_at: null })
        .execute(),
    'bookkeeping',
  );
  const account = { userId: user.id, id, grants: [], expiresAt: null };
  return {
    ...ctx,
    caller: { kind, name: 'Kim', scope: 'read', tokenId: null, account, ip: '' },
    answer: plainAnswer(),
  };
}

forEachEngine('an account', (engine) => {
  const clock = movableClock('2026-03-20T12:00:00.000Z');
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp({ clock }).then(({ ctx }) => as(ctx, 'admin'));
    return opened;
  };
  async function makeOrg(ctx: Context) {
    const org = await createOrg(ctx);
    const products = [await createProduct(ctx, org.id), await createProduct(ctx, org.id)];
    const titles: string[] = [];
    for (const product of products) {
      const source = await createSource(ctx, { orgId: org.id, productId: product.id });
      await postReleases(ctx, source.id, [
        releaseRow(`1.0.0-rc.1`, { title: `${product.slug} rc`, url: `https://x.example/${product.slug}/rc` }),
        releaseRow('1.0.0', { title: `${product.slug} one`, url: `https://x.example/${product.slug}/1` }),
      ]);
      titles.push(`${product.slug} one`);
    }
    return { org, products, titles };
  }
  const titlesOf = async (me: Context, more: Partial<Parameters<typeof personalFeed>[1]> = {}) =>
    (await personalFeed(me, { filter: {}, page: { limit: 30 }, ...more })).items.map((item) => item.title).sort();

  it('follows orgs and products, each once, newest first', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org, products } = await makeOrg(ctx);
    const [product] = products;

    assert.equal(await follow(me, { targetType: 'org', targetId: org.id }), true);
    clock.move(1000);
    assert.equal(await follow(me, { targetType: 'product', targetId: product?.id ?? '' }), true);
    assert.equal(await follow(me, { targetType: 'org', targetId: org.id }), false);

    const { follows } = await listFollows(me, {});
    assert.deepEqual(
      follows.map((one) => [one.targetType, one.targetId, one.slug, one.orgSlug]),
      [
        ['product', product?.id, product?.slug, org.slug],
        ['org', org.id, org.slug, null],
      ],
    );
    assert.equal((await listFollows(me, { targetType: 'org' })).follows.length, 1);
    await unfollow(me, { targetType: 'org', targetId: org.id });
    await unfollow(me, { targetType: 'org', targetId: org.id });
    assert.equal((await listFollows(me, {})).follows.length, 1);
  });

  it('follows nothing that is unknown or not public', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org } = await makeOrg(ctx);
    await follow(me, { targetType: 'org', targetId: org.id });
    await updateOrg(ctx, { org: org.id, change: { isHidden: true } });

    for (const targetId of ['org_none', org.slug, org.id]) {
      assert.equal((await refused(follow(me, { targetType: 'org', targetId })))?.code, 'not_found', targetId);
    }
    assert.equal((await refused(follow(me, { targetType: 'product', targetId: org.id })))?.code, 'not_found');
    assert.deepEqual((await listFollows(me, {})).follows, []);
    await updateOrg(ctx, { org: org.id, change: { isHidden: false } });
    assert.equal((await listFollows(me, {})).follows.length, 1);
  });

  it('follows at most 2000 targets', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org } = await makeOrg(ctx);
    const rows = Array.from({ length: 2000 }, (_, at) => ({
      user_id: me.caller.account?.userId ?? '',
      target_type: 'org',
      target_id: `org_${at}`,
      created_at: clock().toISOString(),
    }));
    await transact(ctx, async ({ tx }) => {
      for (let at = 0; at < rows.length; at += 500) {
        await tx
          .insertInto('follows')
          .values(rows.slice(at, at + 500))
          .execute();
      }
    });
    assert.deepEqual(await refused(follow(me, { targetType: 'org', targetId: org.id })), {
      code: 'limit_exceeded',
      details: { limit: 2000, scope: 'follows' },
    });
  });

  it('reads a feed of what it follows, each release once', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org, products, titles } = await makeOrg(ctx);
    await makeOrg(ctx);
    assert.deepEqual(await titlesOf(me), []);

    await follow(me, { targetType: 'product', targetId: products[0]?.id ?? '' });
    assert.deepEqual(await titlesOf(me), titles.slice(0, 1));
    await follow(me, { targetType: 'org', targetId: org.id });
    assert.deepEqual(await titlesOf(me), [...titles].sort());
    assert.equal((await titlesOf(me, { filter: { includePrereleases: true } })).length, 4);
    const first = await personalFeed(me, { filter: {}, page: { limit: 1 } });
    const second = await personalFeed(me, {
      filter: {},
      page: { limit: 1, cursor: first.pagination.nextCursor ?? '' },
    });
    assert.deepEqual([...first.items, ...second.items].map((item) => item.title).sort(), [...titles].sort());
    assert.equal(second.pagination.nextCursor, null);
    assert.equal(first.items[0]?.content, undefined);
  });

  it('lists what meets any of the meanings that are asked for', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org } = await makeOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, source.id, [
      releaseRow('3.0.0', { title: 'Breaks', breaking: 'major' }),
      releaseRow('2.1.0', { title: 'Repairs', breaking: 'none', content: '- Escapes names (CVE-2026-1234)' }),
      releaseRow('2.0.1', { title: 'Plain', breaking: 'none', importance: 1 }),
    ]);
    await follow(me, { targetType: 'org', targetId: org.id });
    const meaning = { minBreaking: 'major', security: true } as const;
    assert.deepEqual(await titlesOf(me, { filter: { meaning } }), ['Breaks', 'Repairs']);
    assert.deepEqual(await titlesOf(me, { filter: { security: true } }), ['Repairs']);
    const { feedUrl } = await createFeedToken(me);
    const token = feedUrl.slice(feedUrl.lastIndexOf('/') + 1);
    const { document, modified } = await privateAtomFeed(as(ctx, null), { token, meaning });
    const read = load(document, { xml: true });
    assert.equal(read('entry').length, 2);
    assert.equal(modified, null);
    assert.equal(read('feed > link[rel=self]').attr('href'), `${feedUrl}?minBreaking=major&security=true`);
    assert.deepEqual(atomFaults(document), []);
  });

  it('has one private address for its feed, which works until it is replaced', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const { org, titles } = await makeOrg(ctx);
    await follow(me, { targetType: 'org', targetId: org.id });
    const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);
    assert.deepEqual(await readFeedToken(me), { token: null });

    const first = await createFeedToken(me);
    assert.deepEqual(await readFeedToken(me), { token: first });
    assert.match(tokenIn(first.feedUrl), /^relf_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}\.atom$/);
    const anyone = as(ctx, null);
    const { document } = await privateAtomFeed(anyone, { token: tokenIn(first.feedUrl) });
    assert.deepEqual(atomFaults(document), []);
    const read = load(document, { xml: true });
    assert.match(read('feed > title').text(), /^Following/);
    assert.deepEqual(
      read('entry > title')
        .map((_, element) =>
          read(element)
            .text()
            .replace(/^.{1,40} 1\.0\.0: /, ''),
        )
        .get()
        .sort(),
      [...titles].sort(),
    );
    assert.equal(read('feed > link[rel=self]').attr('href'), first.feedUrl);
    assert.match(read('entry > content').first().text(), /<li>Thing number 1\.0\.0<\/li>/);
    assert.equal((await readFeedToken(me)).token?.lastUsedAt, clock().toISOString());

    const second = await createFeedToken(me);
    const old = tokenIn(first.feedUrl);
    const wrong = `${tokenIn(second.feedUrl).slice(0, 18)}${'0'.repeat(32)}`;
    for (const token of [old, wrong, 'relf_', 'x', '']) {
      assert.equal((await refused(privateAtomFeed(anyone, { token })))?.code, 'not_found', token);
    }
    await deleteFeedToken(me);
    await deleteFeedToken(me);
    assert.equal((await refused(privateAtomFeed(anyone, { token: tokenIn(second.feedUrl) })))?.code, 'not_found');
  });

  it('mints at most five active keys, from a session alone', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const minted = await mintApiKey(me, { name: 'laptop', expiresInDays: 1 });
    assert.match(minted.key, /^relu_[A-Za-z]{64}$/);
    assert.equal(minted.start, minted.key.slice(0, 6));
    assert.equal((await identifyApiKey(ctx, minted.key))?.account?.id, minted.id);
    const more = await Promise.allSettled(Array.from({ length: 8 }, () => mintApiKey(me, { name: 'more' })));
    assert.equal(more.filter((result) => result.status === 'fulfilled').length, 4);
    assert.equal((await refused(mintApiKey(me, { name: 'one more' })))?.code, 'api_key_limit');
    assert.equal((await listApiKeys(me)).apiKeys.length, 5);

    clock.move(2 * 86_400_000);
    assert.equal(await identifyApiKey(ctx, minted.key), null);
    await mintApiKey(me, { name: 'in its place' });
    assert.equal((await refused(mintApiKey(me, { name: 'x', scope: 'admin' })))?.code, 'bad_request');
  });

  it('revokes its own keys; a key revokes itself alone', async () => {
    const ctx = await open();
    const me = await signedIn(ctx);
    const [one, two] = [await mintApiKey(me, { name: 'one' }), await mintApiKey(me, { name: 'two' })];
    const account = { userId: me.caller.account?.userId ?? '', id: one.id, grants: [], expiresAt: null };
    const asKey: Context = { ...me, caller: { ...me.caller, kind: 'user_key', account } };
    const other = await signedIn(ctx);

    assert.deepEqual((await refused(mintApiKey(asKey, { name: 'x' })))?.details, { reason: 'session_required' });
    assert.deepEqual((await refused(revokeApiKey(asKey, { id: two.id })))?.details, { reason: 'session_required' });
    assert.equal((await refused(revokeApiKey(other, { id: one.id })))?.code, 'not_found');
    await revokeApiKey(asKey, { id: one.id });
    await revokeApiKey(me, { id: two.id });
    assert.deepEqual((await listApiKeys(me)).apiKeys, []);
    assert.equal(await identifyApiKey(ctx, two.key), null);
    const { key } = await createApiKey(ctx, { userId: account.userId, name: 'x', expiresAt: null });
    await ctx.store.transaction(
      (tx) =>
        tx.updateTable('users').set({ disabled_at: clock().toISOString() }).where('id', '=', account.userId).execute(),
      'bookkeeping',
    );
    assert.equal(await identifyApiKey(ctx, key), null);
  });
});
