import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { addReleases, makeOrg, makeProduct, makeSource } from '../../../test/support/named.ts';
import type { Context } from '../../context.ts';
import type { CollectionCreation } from '../../contract/collection.ts';
import { collectionFeed } from '../../releases/feeds/collection.ts';
import { feedMarkdown } from '../../releases/markdown/release.ts';
import { deleteOrg } from '../orgs/delete.ts';
import { updateSource } from '../sources/update.ts';
import { collectionsOfOrg, collectionsOfProduct, listCollections } from './collection-fields.ts';
import { collectionDetail } from './detail.ts';
import { createCollection } from './write.ts';
import { replaceMembers } from './write-members.ts';

async function collectionOf(ctx: Context, creation: CollectionCreation, entries: object[]): Promise<string> {
  const { slug } = await createCollection(ctx, creation);
  await replaceMembers(ctx, { collection: slug, field: 'members', entries });
  return slug;
}

const ALL = { page: 1, limit: 500 };

forEachEngine('collections', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, 'admin');

  it('list: visible members only, three previews in order, orgs among them again', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme', name: 'Acme', domain: 'acme.example', description: 'Tools' });
    const beta = await makeOrg(ctx, { slug: 'beta', name: 'Beta' });
    const gone = await makeOrg(ctx, { slug: 'gone' });
    const dark = await makeOrg(ctx, { slug: 'dark', isHidden: true });
    const one = await makeProduct(ctx, { slug: 'one', name: 'One', orgId: acme.id, description: 'First' });
    const secret = await makeProduct(ctx, { slug: 'secret', orgId: acme.id, isHidden: true });
    const buried = await makeProduct(ctx, { slug: 'buried', orgId: dark.id });
    const zeta = await makeOrg(ctx, { slug: 'zeta' });
    await collectionOf(ctx, { name: 'Stacks' }, [
      { orgId: zeta.id, position: 9 },
      { orgId: dark.id, position: 0 },
      { orgId: gone.id, position: 0 },
      { productId: secret.id, position: 0 },
      { productId: buried.id, position: 0 },
      { productId: one.id, position: 1 },
      { orgId: beta.id, position: 1 },
      { orgId: acme.id, position: 0 },
    ]);
    await deleteOrg(ctx, { org: gone.id, hard: false });

    const { items, pagination } = await listCollections(as(ctx, null), ALL);

    const org = { slug: 'acme', name: 'Acme', domain: 'acme.example', avatarUrl: null, githubHandle: null };
    const other = { slug: 'beta', name: 'Beta', domain: null, avatarUrl: null, githubHandle: null, description: null };
    assert.deepEqual(items, [
      {
        slug: 'stacks',
        name: 'Stacks',
        description: null,
        memberCount: 4,
        isFeatured: false,
        previewMembers: [
          { kind: 'org', ...org, description: 'Tools' },
          { kind: 'org', ...other },
          { kind: 'product', slug: 'one', name: 'One', description: 'First', org },
        ],
        previewOrgs: [{ ...org, description: 'Tools' }, other],
      },
    ]);
    assert.equal(pagination.totalItems, 1);
  });

  it('list: by name, filters, pages', async () => {
    const ctx = await open();
    await createCollection(ctx, { name: 'beta', isFeatured: true });
    await createCollection(ctx, { name: 'Alpha 100%' });
    await createCollection(ctx, { name: 'Ärger', slug: 'trouble' });
    const slugs = async (input: object) =>
      (await listCollections(ctx, { ...ALL, ...input })).items.map((item) => item.slug);

    assert.deepEqual(await slugs({}), ['alpha-100', 'beta', 'trouble']);
    assert.deepEqual(await slugs({ featured: true }), ['beta']);
    assert.deepEqual(await slugs({ q: '0%' }), ['alpha-100']);
    assert.deepEqual(await slugs({ q: 'ÄRG' }), ['trouble']);
    assert.deepEqual(await slugs({ q: '_' }), []);
    assert.deepEqual(await slugs({ page: 2, limit: 2 }), ['trouble']);
    const past = await listCollections(ctx, { page: 9, limit: 2 });
    assert.deepEqual([past.items, past.pagination.hasMore, past.pagination.totalPages], [[], false, 2]);
  });

  it('detail: by slug or id, members with their release counts', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    const source = await makeSource(ctx, { slug: 'a', orgId: acme.id, productId: one.id });
    const other = await makeSource(ctx, { slug: 'b', orgId: acme.id });
    await addReleases(ctx, source, ['1.0.0', '1.1.0']);
    await addReleases(ctx, other, ['0.1.0']);
    const slug = await collectionOf(ctx, { name: 'Mine' }, [{ productId: one.id }, { orgSlug: 'acme' }]);

    const detail = await collectionDetail(as(ctx, null), slug);

    assert.deepEqual(
      detail.members.map((member) => [member.kind, member.id, member.position, member.releaseCount]),
      [
        ['product', one.id, 0, 2],
        ['org', acme.id, 1, 3],
      ],
    );
    assert.deepEqual([detail.memberCount, detail.orgs.length, 'kind' in (detail.orgs[0] ?? {})], [2, 1, false]);
    assert.deepEqual(await collectionDetail(ctx, detail.id), detail);
    await assert.rejects(collectionDetail(ctx, 'nothing'), { code: 'not_found' });
    await assert.rejects(collectionDetail(ctx, 'col_short'), { code: 'not_found' });
  });

  it('feed: a release reached twice appears once, hidden members give nothing, named members alone when asked', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const beta = await makeOrg(ctx, { slug: 'beta' });
    const dark = await makeOrg(ctx, { slug: 'dark', isHidden: true });
    const one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    const two = await makeProduct(ctx, { slug: 'two', orgId: beta.id });
    const places: [string, string, string | undefined][] = [
      ['a', acme.id, one.id],
      ['b', acme.id, undefined],
      ['c', beta.id, two.id],
      ['d', beta.id, undefined],
      ['e', dark.id, undefined],
    ];
    for (const [slug, orgId, productId] of places) {
      await addReleases(ctx, await makeSource(ctx, { slug, orgId, productId }), [`${slug}-1.0.0`, `${slug}-1.1.0`]);
    }
    const secret = await makeSource(ctx, { slug: 's', orgId: acme.id });
    await addReleases(ctx, secret, ['9.0.0']);
    await updateSource(ctx, { src: secret.id }, { isHidden: true });
    const collection = await collectionOf(ctx, { name: 'Mix' }, [
      { orgId: acme.id },
      { productId: one.id },
      { productId: two.id },
      { orgId: dark.id },
    ]);
    const versions = async (more: object, limit = 100) => {
      const seen: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const input = { collection, filter: {}, page: { limit, cursor }, ...more };
        const feed = await collectionFeed(as(ctx, null), input);
        seen.push(...feed.releases.map((item) => item.version));
        cursor = feed.pagination.nextCursor ?? undefined;
      } while (cursor);
      return seen;
    };

    const all = await versions({});

    assert.deepEqual([...all].sort(), ['a-1.0.0', 'a-1.1.0', 'b-1.0.0', 'b-1.1.0', 'c-1.0.0', 'c-1.1.0']);
    assert.deepEqual(await versions({}, 1), all);
    assert.equal((await versions({ orgs: ['acme'] })).length, 4);
    assert.equal((await versions({ orgs: [acme.id], products: ['two'] })).length, 6);
    assert.equal((await versions({ products: [`prd_${one.id.slice(5)}`] })).length, 2);
    assert.deepEqual(await versions({ orgs: ['beta', 'dark', 'nobody'] }), []);
    assert.deepEqual(await versions({ products: [] }), []);
    await assert.rejects(collectionFeed(ctx, { collection: 'none', filter: {}, page: { limit: 1 } }), {
      code: 'not_found',
    });
  });

  it('feed: markdown tells whose it is', async () => {
    const ctx = await open();
    const collection = await collectionOf(ctx, { name: 'Nothing: yet' }, []);

    const feed = await collectionFeed(ctx, { collection, filter: {}, page: { limit: 20 } });

    const text =
      '---\ncollection: nothing-yet\ncollection_name: "Nothing: yet"\nrelease_count: 0\nhas_more: false\n---\n';
    assert.equal(feedMarkdown({}, feed), text);
  });

  it('collections of an org and of a product, by name and once each', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });
    const one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    const secret = await makeProduct(ctx, { slug: 'secret', orgId: acme.id, isHidden: true });
    await collectionOf(ctx, { name: 'Zoo' }, [{ orgId: acme.id }, { productId: one.id }]);
    await collectionOf(ctx, { name: 'ants' }, [{ productId: one.id }]);
    await collectionOf(ctx, { name: 'Bees' }, [{ productId: secret.id }]);
    await collectionOf(ctx, { name: 'Empty' }, []);

    const ofOrg = await collectionsOfOrg(ctx, acme.id);
    const ofProduct = await collectionsOfProduct(ctx, one.id);

    assert.deepEqual(
      ofOrg.map((item) => [item.slug, item.memberCount]),
      [
        ['ants', 1],
        ['zoo', 2],
      ],
    );
    assert.deepEqual(
      ofProduct.map((item) => item.slug),
      ['ants', 'zoo'],
    );
  });
});
