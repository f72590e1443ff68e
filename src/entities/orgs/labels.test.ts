import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { findOrg } from '../resolve.ts';
import { addAccount, findAccount, listAccounts, removeAccount } from './accounts.ts';
import { findIgnoredUrl, ignoreUrl, listIgnoredUrls, unignoreUrl } from './ignored-urls.ts';
import { addAlias, listOrgTags, removeAlias, writeTags } from './labels.ts';

const PAGE = { page: 1, limit: 500 };

forEachEngine('labels of orgs and products', (engine) => {
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp().then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };

  it('adds, replaces and removes tags, known by their slug', async () => {
    const ctx = await open();
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id);
    for (const path of [{ org: org.slug }, { product: { prod: product.id } }]) {
      const write = async (mode: 'add' | 'replace' | 'remove', ...tags: string[]) =>
        (await writeTags(ctx, { path, tags, mode })).tags;

      assert.deepEqual(await write('add', 'Zebra', 'apple', 'ZEBRA'), ['apple', 'Zebra']);
      assert.deepEqual(await write('add', 'zebra', 'Mango'), ['apple', 'Mango', 'Zebra']);
      assert.deepEqual(await write('remove', 'mango', 'unheard of'), ['apple', 'Zebra']);
      assert.deepEqual(await write('replace', 'Only'), ['Only']);
      assert.deepEqual(await write('replace'), []);
    }
    const listed = await listOrgTags(ctx, { org: org.id, ...PAGE });
    assert.deepEqual([listed.items, listed.pagination.totalPages], [[], 1]);
  });

  it('refuses tags without a slug and owners that nobody knows', async () => {
    const ctx = await open();
    const org = await createOrg(ctx);
    const write = (path: Parameters<typeof writeTags>[1]['path'], tags: string[]) =>
      refused(writeTags(ctx, { path, tags, mode: 'add' }));

    assert.equal((await write({ org: org.id }, ['???']))?.code, 'validation_failed');
    assert.equal((await write({ org: 'nobody' }, ['a']))?.code, 'not_found');
    assert.equal((await write({ product: { org: org.id, product: 'nothing' } }, ['a']))?.code, 'not_found');
  });

  it('lets 20 callers add the same new tags', async () => {
    const ctx = await open();
    const orgs = await Promise.all(Array.from({ length: 20 }, () => createOrg(ctx)));

    const written = await Promise.all(
      orgs.map((org, index) => {
        const tags = index % 2 ? ['Fresh one', 'Fresh two'] : ['Fresh two', 'Fresh one'];
        return writeTags(ctx, { path: { org: org.id }, tags, mode: 'add' });
      }),
    );

    for (const { tags } of written) assert.deepEqual(tags, ['Fresh one', 'Fresh two']);
  });

  it('keeps a domain with one org, and lets products share it', async () => {
    const ctx = await open();
    const [one, other] = [await createOrg(ctx, { domain: 'one.example' }), await createOrg(ctx)];
    const products = [await createProduct(ctx, one.id), await createProduct(ctx, other.id)];
    const add = (org: string, domain: string) => refused(addAlias(ctx, { path: { org }, domain }));

    assert.equal(await add(other.slug, 'alias.example'), null);
    assert.equal((await findOrg(ctx, 'www.alias.example'))?.id, other.id);
    for (const domain of ['one.example', 'alias.example']) {
      assert.equal((await add(one.id, domain))?.code, 'conflict');
      assert.equal((await add(other.id, domain))?.code, 'conflict');
    }
    for (const { id } of products) {
      const path = { product: { prod: id } };
      assert.deepEqual(await addAlias(ctx, { path, domain: 'alias.example' }), { domain: 'alias.example' });
      assert.deepEqual(await refused(addAlias(ctx, { path, domain: 'alias.example' })), {
        code: 'conflict',
        details: { field: 'domain', value: 'alias.example', existingId: id },
      });
    }
    await removeAlias(ctx, { path: { org: other.id }, domain: 'https://ALIAS.example/' });
    assert.equal(await findOrg(ctx, 'alias.example'), null);
    assert.equal(
      (await refused(removeAlias(ctx, { path: { org: other.id }, domain: 'alias.example' })))?.code,
      'not_found',
    );
  });

  it('gives an alias to one of 20 orgs', async () => {
    const ctx = await open();
    const orgs = await Promise.all(Array.from({ length: 20 }, () => createOrg(ctx)));

    const outcomes = await Promise.all(
      orgs.map((org) => refused(addAlias(ctx, { path: { org: org.id }, domain: 'wanted.example' }))),
    );

    assert.equal(outcomes.filter((refusal) => refusal === null).length, 1);
    assert.equal(outcomes.filter((refusal) => refusal?.code === 'conflict').length, 19);
  });

  it('links accounts once in the registry, finds them by platform in any case, and unlinks them', async () => {
    const ctx = await open();
    const [org, other] = [await createOrg(ctx), await createOrg(ctx)];
    const add = (id: string, platform: string, handle: string) =>
      addAccount(ctx, { org: id, account: { platform, handle } });
    await add(org.id, 'github', 'zeta');
    await add(org.id, 'github', 'Alpha');
    await add(org.id, 'x', 'zeta');

    assert.deepEqual(await refused(add(other.id, 'github', 'zeta')), {
      code: 'conflict',
      details: { field: 'handle', value: 'github/zeta', existingId: org.id },
    });
    assert.deepEqual((await listAccounts(ctx, { org: org.id, ...PAGE })).items.length, 3);
    assert.ok(await findAccount(ctx, { org: org.id, platform: 'GitHub' }));
    assert.equal(await findAccount(ctx, { org: org.id, platform: 'mastodon' }), null);
    await removeAccount(ctx, { org: org.id, account: { platform: 'GITHUB', handle: 'zeta' } });
    assert.deepEqual(await findAccount(ctx, { org: org.id, platform: 'github' }), {
      platform: 'github',
      handle: 'Alpha',
    });
    const again = removeAccount(ctx, { org: org.id, account: { platform: 'github', handle: 'zeta' } });
    assert.equal((await refused(again))?.code, 'not_found');
  });

  it('ignores an address once, whatever its spelling, and forgets it on demand', async () => {
    const ctx = await open();
    const org = await createOrg(ctx);
    const url = 'https://www.acme.example/blog/?utm_source=x';
    const spelled = 'http://acme.example/blog';

    assert.deepEqual(await ignoreUrl(ctx, { org: org.id, url, reason: 'Marketing' }), { ignored: true });
    assert.deepEqual(await ignoreUrl(ctx, { org: org.id, url: spelled }), { ignored: true });
    const { items, pagination } = await listIgnoredUrls(ctx, { org: org.id, ...PAGE });
    assert.deepEqual([items.length, pagination.totalItems, items[0]?.url, items[0]?.reason], [1, 1, url, 'Marketing']);
    assert.equal((await findIgnoredUrl(ctx, { org: org.id, url: spelled }))?.id, items[0]?.id);
    await unignoreUrl(ctx, { org: org.id, url: spelled });
    await unignoreUrl(ctx, { org: org.id, url: spelled });
    assert.equal(await findIgnoredUrl(ctx, { org: org.id, url }), null);
  });
});
