import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { atOnce, makeOrg, makeProduct, plain } from '../../../test/support/named.ts';
import { transact } from '../../context.ts';
import { addTags } from './entity-labels.ts';
import { listTags, tagDetail } from './tags.ts';
import { createTag, deleteTag, renameTag } from './write-tags.ts';

forEachEngine('tags', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, 'write');

  it('lists what visible orgs and products carry, by name', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme', domain: 'acme.example' });
    const dark = await makeOrg(ctx, { slug: 'dark', isHidden: true });
    const one = await makeProduct(ctx, { slug: 'one', orgId: acme.id });
    const hid = await makeProduct(ctx, { slug: 'hid', orgId: acme.id, isHidden: true });
    await createTag(ctx, { name: 'Unused' });
    await transact(ctx, async (ctx) => {
      await addTags(ctx, { orgId: acme.id }, ['Zig', 'ant colony']);
      await addTags(ctx, { productId: one.id }, ['Zig', 'Beta']);
      await addTags(ctx, { orgId: dark.id }, ['Secret', 'Zig']);
      await addTags(ctx, { productId: hid.id }, ['Zig', 'Buried']);
    });

    const { items, pagination } = await listTags(as(ctx, null), { page: 1, limit: 2 });
    const rest = await listTags(ctx, { page: 2, limit: 2 });

    assert.deepEqual(plain(items), [
      { slug: 'ant-colony', name: 'ant colony', orgCount: 1, productCount: 0 },
      { slug: 'beta', name: 'Beta', orgCount: 0, productCount: 1 },
    ]);
    assert.deepEqual(plain(rest.items), [{ slug: 'zig', name: 'Zig', orgCount: 1, productCount: 1 }]);
    assert.deepEqual([pagination.totalItems, pagination.hasMore, rest.pagination.hasMore], [3, true, false]);
    assert.deepEqual(plain(await tagDetail(as(ctx, null), 'zig')), {
      slug: 'zig',
      name: 'Zig',
      orgs: [{ slug: 'acme', name: 'acme', domain: 'acme.example', avatarUrl: null }],
      products: [{ slug: 'one', name: 'one', description: null, orgSlug: 'acme', orgName: 'acme' }],
    });
    assert.deepEqual((await tagDetail(ctx, 'unused')).orgs, []);
    for (const name of ['Zig', 'ZIG', 'zig']) assert.equal((await tagDetail(ctx, name)).slug, 'zig', name);
    for (const name of ['ant colony', 'Ant  Colony', 'ant-colony']) {
      assert.equal((await tagDetail(ctx, name)).slug, 'ant-colony', name);
    }
    await assert.rejects(tagDetail(ctx, 'nothing'), { code: 'not_found' });
  });

  it('creates once, renames with a new slug, deletes with its links', async () => {
    const ctx = await open();
    const acme = await makeOrg(ctx, { slug: 'acme' });

    const first = await createTag(ctx, { name: 'Java Script' });
    const again = await createTag(ctx, { name: 'java-script' });
    const other = await createTag(ctx, { name: 'Rust' });
    await transact(ctx, (ctx) => addTags(ctx, { orgId: acme.id }, ['Java Script']));

    assert.deepEqual([first.created, first.tag.slug, again.created], [true, 'java-script', false]);
    assert.deepEqual(again.tag, first.tag);
    await assert.rejects(renameTag(ctx, { slug: 'java-script', name: 'rust' }), {
      code: 'conflict',
      details: { field: 'slug', value: 'rust', existingId: other.tag.id },
    });
    const renamed = await renameTag(ctx, { slug: 'java-script', name: 'JavaScript' });
    assert.deepEqual(renamed, { ...first.tag, name: 'JavaScript', slug: 'javascript' });
    assert.equal((await tagDetail(ctx, 'javascript')).orgs.length, 1);
    assert.equal((await renameTag(ctx, { slug: 'javascript', name: 'JAVASCRIPT' })).slug, 'javascript');
    await deleteTag(ctx, { slug: 'javascript' });
    assert.deepEqual(await ctx.store.read.selectFrom('org_tags').selectAll().execute(), []);
    await assert.rejects(deleteTag(ctx, { slug: 'javascript' }), { code: 'not_found' });
    await assert.rejects(renameTag(ctx, { slug: 'javascript', name: 'x' }), { code: 'not_found' });
    await assert.rejects(createTag(ctx, { name: '!!' }), { code: 'validation_failed' });
  });

  it('20 callers of one name get the same tag, one of them as new', async () => {
    const ctx = await open();

    const results = await atOnce(() => createTag(ctx, { name: 'Same' }));

    const made = results.flatMap((result) => (typeof result === 'string' ? [] : [result]));
    assert.equal(made.length, 20);
    assert.equal(made.filter((result) => result.created).length, 1);
    assert.equal(new Set(made.map((result) => result.tag.id)).size, 1);
  });
});
