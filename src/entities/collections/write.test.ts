import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { atOnce, makeOrg, makeProduct } from '../../../test/support/named.ts';
import { collectionDetail } from './detail.ts';
import { changeCollection, createCollection, deleteCollection } from './write.ts';
import { addMember, removeMember, replaceMembers } from './write-members.ts';

const orgFields = (count: number) => Array.from({ length: count }, (_, index) => ({ slug: `org-${index}` }));

forEachEngine('collection writes', (engine) => {
  const open = async () => as((await engine.openTestApp()).ctx, 'write');

  it('creates with a given or a derived slug and writes the audit row', async () => {
    const ctx = await open();

    const given = await createCollection(ctx, { name: 'Web', slug: 'the-web', description: '', isFeatured: true });
    const derived = await createCollection(ctx, { name: 'Été à la mode' });
    const long = await createCollection(ctx, { name: 'word '.repeat(40) });

    assert.deepEqual([given.slug, given.description, given.isFeatured], ['the-web', null, true]);
    assert.equal(derived.slug, 'ete-a-la-mode');
    assert.ok(long.slug.length <= 64 && long.slug.endsWith('word'));
    const audit = await ctx.store.read.selectFrom('audit_log').selectAll().execute();
    assert.deepEqual(
      audit.map((row) => `${row.actor} ${row.action} ${row.target_type}`),
      Array(3).fill('write collection.create collection'),
    );
  });

  it('refuses reserved, taken and missing slugs', async () => {
    const ctx = await open();
    const web = await createCollection(ctx, { name: 'Web' });
    const other = await createCollection(ctx, { name: 'Other' });
    const taken = { code: 'conflict', details: { field: 'slug', value: 'web', existingId: web.id } };

    await assert.rejects(createCollection(ctx, { name: 'web' }), taken);
    await assert.rejects(createCollection(ctx, { name: 'x', slug: 'web' }), taken);
    await assert.rejects(changeCollection(ctx, { collection: other.id, change: { slug: 'web' } }), taken);
    await assert.rejects(createCollection(ctx, { name: 'Latest' }), { code: 'slug_reserved' });
    await assert.rejects(createCollection(ctx, { name: 'x', slug: 'feed' }), { code: 'slug_reserved' });
    await assert.rejects(createCollection(ctx, { name: '日本' }), { code: 'validation_failed' });
    await assert.rejects(createCollection(ctx, { name: 'x' }), { code: 'validation_failed' });
  });

  it('one of 20 callers gets a slug, the others a clear conflict', async () => {
    const ctx = await open();

    const results = await atOnce((index) => createCollection(ctx, { name: `Web${' '.repeat(index)}` }));

    assert.equal(results.filter((result) => result === 'conflict').length, 19);
    assert.equal((await ctx.store.read.selectFrom('audit_log').selectAll().execute()).length, 1);
  });

  it('changes, keeps what is not named, and deletes for good with its members', async () => {
    const ctx = await open();
    const org = await makeOrg(ctx, { slug: 'acme' });
    const { id } = await createCollection(ctx, { name: 'Web', description: 'All of it' });
    await addMember(ctx, { collection: id, entry: { orgId: org.id } });

    const renamed = await changeCollection(ctx, { collection: 'web', change: { name: 'Net', slug: 'web' } });
    const cleared = await changeCollection(ctx, { collection: id, change: { description: null, isFeatured: true } });
    await deleteCollection(ctx, { collection: 'web' });

    assert.deepEqual([renamed.name, renamed.slug, renamed.description], ['Net', 'web', 'All of it']);
    assert.deepEqual([cleared.name, cleared.description, cleared.isFeatured], ['Net', null, true]);
    assert.deepEqual(await ctx.store.read.selectFrom('collection_members').selectAll().execute(), []);
    await assert.rejects(deleteCollection(ctx, { collection: 'web' }), { code: 'not_found' });
    await assert.rejects(changeCollection(ctx, { collection: id, change: { name: 'x' } }), { code: 'not_found' });
    assert.notEqual((await createCollection(ctx, { name: 'Web' })).id, id);
  });

  it('replaces all members; positions default to the place in the list', async () => {
    const ctx = await open();
    const [a, b] = [await makeOrg(ctx, { slug: 'a' }), await makeOrg(ctx, { slug: 'b', domain: 'b.example' })];
    const p = await makeProduct(ctx, { slug: 'p', orgId: a.id, isHidden: true });
    await createCollection(ctx, { name: 'Web' });
    await replaceMembers(ctx, { collection: 'web', field: 'members', entries: [{ orgSlug: 'a' }] });

    const entries = [{ orgId: 'b.example', position: 7 }, { orgSlug: 'a', productSlug: 'p' }, { orgSlug: 'a' }];
    const written = await replaceMembers(ctx, { collection: 'web', field: 'orgs', entries });

    assert.deepEqual(written, {
      collectionSlug: 'web',
      members: [
        { kind: 'product', productId: p.id, position: 1 },
        { kind: 'org', orgId: a.id, position: 2 },
        { kind: 'org', orgId: b.id, position: 7 },
      ],
    });
  });

  it('unknown and repeated members change nothing', async () => {
    const ctx = await open();
    const a = await makeOrg(ctx, { slug: 'a' });
    const b = await makeOrg(ctx, { slug: 'b' });
    const p = await makeProduct(ctx, { slug: 'p', orgId: a.id });
    await createCollection(ctx, { name: 'Web' });
    await addMember(ctx, { collection: 'web', entry: { orgId: b.id } });
    const replace = (entries: object[]) => replaceMembers(ctx, { collection: 'web', field: 'members', entries });

    const missing = { entity: 'org', value: 'nobody', field: 'members.1.orgSlug' };
    await assert.rejects(replace([{ orgSlug: 'a' }, { orgSlug: 'nobody' }]), { code: 'not_found', details: missing });
    const foreign = { entity: 'product', value: p.id, field: 'members.0.productId' };
    await assert.rejects(replace([{ productId: p.id, orgSlug: 'b' }]), { code: 'not_found', details: foreign });
    await assert.rejects(replace([{ orgSlug: 'a' }, { productId: p.id }, { orgId: a.id }]), {
      code: 'validation_failed',
      details: { issues: [{ path: 'members.2', reason: 'names the same member as members.0' }] },
    });

    const { members } = await collectionDetail(ctx, 'web');
    assert.deepEqual(
      members.map((member) => member.slug),
      ['b'],
    );
  });

  it('adds last by default and once; removes; 404 for what is no member', async () => {
    const ctx = await open();
    const [a, b] = [await makeOrg(ctx, { slug: 'a' }), await makeOrg(ctx, { slug: 'b' })];
    const p = await makeProduct(ctx, { slug: 'p', orgId: a.id });
    const { id } = await createCollection(ctx, { name: 'Web' });
    await addMember(ctx, { collection: id, entry: { orgSlug: 'a', position: 4 } });

    const added = await addMember(ctx, { collection: id, entry: { productId: p.id } });

    assert.deepEqual(added, { collectionSlug: 'web', kind: 'product', productId: p.id, position: 5 });
    await assert.rejects(addMember(ctx, { collection: id, entry: { orgId: 'a' } }), {
      code: 'conflict',
      details: { field: 'orgId', value: a.id, existingId: a.id },
    });
    await assert.rejects(removeMember(ctx, { collection: id, org: b.id }), { code: 'not_found' });
    await assert.rejects(removeMember(ctx, { collection: id, org: 'nobody' }), { code: 'not_found' });
    await removeMember(ctx, { collection: id, org: 'a' });
    await removeMember(ctx, { collection: id, product: p.id });
    await assert.rejects(removeMember(ctx, { collection: id, product: p.id }), { code: 'not_found' });
    assert.equal((await collectionDetail(ctx, id)).memberCount, 0);
  });

  it('one of 20 callers adds a member; 20 members added at once get 20 positions', async () => {
    const ctx = as(await open(), 'admin');
    const { id } = await createCollection(ctx, { name: 'Web' });
    const orgs = await Promise.all(orgFields(20).map((fields) => makeOrg(ctx, fields)));

    const same = await atOnce(() => addMember(ctx, { collection: id, entry: { orgSlug: 'org-0' } }));
    await removeMember(ctx, { collection: id, org: 'org-0' });
    const each = await atOnce((index) => addMember(ctx, { collection: id, entry: { orgId: orgs[index]?.id } }));

    assert.equal(same.filter((result) => result === 'conflict').length, 19);
    const positions = each.map((result) => (typeof result === 'string' ? -1 : result.position));
    assert.deepEqual(
      positions.sort((x, y) => x - y),
      Array.from({ length: 20 }, (_, index) => index),
    );
  });
});
