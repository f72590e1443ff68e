import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { addReleases, makeOrg, makeProduct, makeSource } from '../../../test/support/named.ts';
import { type Context, transact } from '../../context.ts';
import { changeCollection, createCollection, deleteCollection } from '../../entities/collections/write.ts';
import { addMember } from '../../entities/collections/write-members.ts';
import { deleteOrg } from '../../entities/orgs/delete.ts';
import { createStub } from '../../entities/orgs/stub.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { updateProduct } from '../../entities/products/update.ts';
import { updateSource } from '../../entities/sources/update.ts';
import type { EntityScope } from './candidates.ts';
import { checkNames } from './check-names.ts';
import { findEntities } from './find-entities.ts';

const START = '2026-03-01T12:00:00.000Z';
const EVERYWHERE: EntityScope = { filter: {}, owners: null, collectionId: null, includeEmpty: false };

// An org with one source that released so often lately.
async function orgWith(ctx: Context, releases: number, given: Parameters<typeof makeOrg>[1]) {
  const org = await makeOrg(ctx, given);
  const source = await makeSource(ctx, { slug: `${given.slug}-feed`, name: 'News', orgId: org.id });
  const versions = Array.from({ length: releases }, (_, index) => `1.${index}.0`);
  if (releases > 0) await addReleases(ctx, source, versions);
  return { org, source };
}

forEachEngine('entities by name', (engine) => {
  const open = async () => as((await engine.openTestApp({ clock: movableClock(START) })).ctx, 'admin');
  const find = (ctx: Context, text: string, scope: Partial<EntityScope> = {}) =>
    findEntities(as(ctx, null), { text, scope: { ...EVERYWHERE, ...scope } });
  const orgSlugs = async (ctx: Context, text: string, scope: Partial<EntityScope> = {}) =>
    (await find(ctx, text, scope)).orgs.map(({ slug, tier }) => `${slug} ${tier}`);

  it('`ai` finds OpenAI, not Email and not every .ai domain', async () => {
    const ctx = await open();
    await orgWith(ctx, 1, { slug: 'openai', name: 'OpenAI', domain: 'openai.com' });
    await orgWith(ctx, 1, { slug: 'email', name: 'Email', domain: 'email.ai' });
    await orgWith(ctx, 1, { slug: 'airbase', name: 'Airbase' });

    assert.deepEqual(await orgSlugs(ctx, 'ai'), ['airbase 1', 'openai 2']);
    assert.deepEqual(await orgSlugs(ctx, 'AI '), ['airbase 1', 'openai 2']);
  });

  it('order: tier, then releases of 90 days, then name', async () => {
    const ctx = await open();
    await orgWith(ctx, 1, { slug: 'vercel', name: 'Vercel' });
    await orgWith(ctx, 3, { slug: 'vercel-two', name: 'Vercel Two' });
    await orgWith(ctx, 5, { slug: 'vercel-one', name: 'Vercel One' });
    await orgWith(ctx, 3, { slug: 'vercel-six', name: 'Vercel Six' });
    await orgWith(ctx, 9, { slug: 'not', name: 'Not Vercel' });
    await orgWith(ctx, 9, { slug: 'old-vercel-thing', name: 'Elsewhere' });

    assert.deepEqual(await orgSlugs(ctx, 'vercel'), [
      'vercel 0',
      'vercel-one 1',
      'vercel-six 1',
      'vercel-two 1',
      'not 2',
      'old-vercel-thing 3',
    ]);
  });

  it('orgs without a visible release are left out, unless the whole domain was typed or somebody wants them', async () => {
    const ctx = await open();
    await orgWith(ctx, 0, { slug: 'empty', name: 'Hollow', domain: 'hollow.example', aliases: ['shell.example'] });
    await orgWith(ctx, 1, { slug: 'hidden', name: 'Hollow Hidden', isHidden: true });

    assert.deepEqual(await orgSlugs(ctx, 'hollow'), []);
    assert.deepEqual(await orgSlugs(ctx, 'hollow', { includeEmpty: true }), ['empty 0']);
    assert.deepEqual(await orgSlugs(ctx, 'hollow.example'), ['empty 0']);
    assert.deepEqual(await orgSlugs(ctx, 'https://www.shell.example/x'), ['empty 0']);
    const { orgs } = await find(ctx, 'shell.example');
    assert.deepEqual(orgs[0]?.aliasDomains, ['shell.example']);
  });

  it('typing errors count only where nothing is named so', async () => {
    const ctx = await open();
    await orgWith(ctx, 1, { slug: 'a', name: 'Kubernetes' });
    assert.deepEqual(await orgSlugs(ctx, 'kubernets'), ['a 5']);
    assert.deepEqual(await orgSlugs(ctx, 'jubernetes'), []);

    await orgWith(ctx, 1, { slug: 'b', name: 'Kubernets Two' });
    assert.deepEqual(await orgSlugs(ctx, 'kubernets'), ['b 1']);
  });

  it('the name of a category finds who is in it, behind whoever is named so', async () => {
    const ctx = await open();
    await orgWith(ctx, 1, { slug: 'x', name: 'Postgres', category: 'database' });
    await orgWith(ctx, 0, { slug: 'y', name: 'Nothing yet', category: 'database' });
    await orgWith(ctx, 1, { slug: 'z', name: 'Database Weekly' });
    const { org } = await orgWith(ctx, 1, { slug: 'o', name: 'Other' });
    await makeProduct(ctx, { slug: 'store', name: 'Store', orgId: org.id, category: 'database' });

    const { orgs, catalog } = await find(ctx, 'Database');
    assert.deepEqual(
      orgs.map(({ slug, tier }) => [slug, tier]),
      [
        ['z', 1],
        ['x', 4],
      ],
    );
    assert.deepEqual(
      catalog.map(({ slug, tier }) => [slug, tier]),
      [['store', 4]],
    );
  });

  it('products and sources stand in one list, sources in one of their own', async () => {
    const ctx = await open();
    const { org } = await orgWith(ctx, 1, { slug: 'acme', name: 'Acme', category: 'ai' });
    const product = await makeProduct(ctx, { slug: 'disk', name: 'Disk', orgId: org.id, kind: 'tool' });
    const source = await makeSource(ctx, {
      slug: 'disk-repo',
      name: 'Disk',
      orgId: org.id,
      productId: product.id,
      type: 'github',
      url: 'https://github.com/acme/disk-core',
    });
    await addReleases(ctx, source, ['1.0.0']);
    await makeSource(ctx, { slug: 'no', name: 'Disk hidden', orgId: org.id, isHidden: true });

    const { catalog, sources } = await find(ctx, 'disk');
    const shared = { orgSlug: 'acme', orgName: 'Acme', category: 'ai', kind: 'tool' };
    assert.deepEqual(
      catalog.map(({ id, orgAvatarUrl, ...entry }) => entry),
      [
        { entryType: 'product', slug: 'disk', name: 'Disk', ...shared, tier: 0 },
        {
          entryType: 'source',
          slug: 'disk-repo',
          name: 'Disk',
          ...shared,
          sourceSlug: 'disk-repo',
          sourceType: 'github',
          tier: 0,
        },
      ],
    );
    assert.deepEqual(
      sources.map(({ slug, productSlug, type, tier }) => [slug, productSlug, type, tier]),
      [['disk-repo', 'disk', 'github', 0]],
    );
    assert.deepEqual(
      (await find(ctx, 'acme/disk-core')).sources.map(({ slug }) => slug),
      ['disk-repo'],
    );
  });

  it('collections by name, slug and description, and by a member that was found', async () => {
    const ctx = await open();
    const { org } = await orgWith(ctx, 1, { slug: 'walrus', name: 'Walrus' });
    const product = await makeProduct(ctx, { slug: 'tusk', name: 'Tusk', orgId: org.id });
    await createCollection(ctx, { name: 'Sea', slug: 'sea', description: 'Mammals that swim: walrus and seal' });
    await createCollection(ctx, { name: 'Ice', slug: 'ice' });
    await addMember(ctx, { collection: 'ice', entry: { orgId: org.id } });
    await addMember(ctx, { collection: 'ice', entry: { productId: product.id } });
    await createCollection(ctx, { name: 'Sand', slug: 'sand' });

    const { collections } = await find(ctx, 'walrus');
    assert.deepEqual(
      collections.map(({ slug, via, matchedOrgSlugs, memberCount }) => [slug, via, matchedOrgSlugs, memberCount]),
      [
        ['sea', 'direct', undefined, 0],
        ['ice', 'member', ['walrus'], 2],
      ],
    );
    const byProduct = (await find(ctx, 'tusk')).collections;
    assert.deepEqual(
      byProduct.map(({ slug, via, matchedOrgSlugs }) => [slug, via, matchedOrgSlugs]),
      [['ice', 'member', ['walrus']]],
    );
  });

  it('filters hold for entities too', async () => {
    const ctx = await open();
    const one = await orgWith(ctx, 1, { slug: 'one', name: 'Same One', category: 'ai' });
    const two = await orgWith(ctx, 1, { slug: 'two', name: 'Same Two' });
    await makeSource(ctx, { slug: 'sdk', name: 'Same', orgId: one.org.id, kind: 'sdk' });
    const app = await makeSource(ctx, { slug: 'app', name: 'Same', orgId: two.org.id, type: 'scrape' });
    const product = await makeProduct(ctx, { slug: 'same', name: 'Same', orgId: two.org.id });

    const scoped = { filter: { orgIds: [two.org.id] }, owners: [two.org.id] };
    assert.deepEqual(await orgSlugs(ctx, 'same', scoped), ['two 1']);
    const sources = async (filter: EntityScope['filter']) =>
      (await find(ctx, 'same', { filter })).sources.map(({ slug }) => slug);
    assert.deepEqual(await sources({ orgIds: [two.org.id] }), ['app']);
    assert.deepEqual(await sources({ kinds: ['sdk'] }), ['sdk']);
    // Lists that are longer than a statement should be.
    const long = (id: string) => [...Array.from({ length: 150 }, (_, at) => `nobody_${at}`), id];
    const ofTwo = { filter: { orgIds: long(two.org.id) }, owners: long(two.org.id) };
    assert.deepEqual(await orgSlugs(ctx, 'same', ofTwo), ['two 1']);
    assert.deepEqual(
      (await find(ctx, 'same', ofTwo)).catalog.map(({ slug }) => slug),
      ['same', 'app'],
    );
    assert.deepEqual(await sources({ orgIds: long(one.org.id) }), ['sdk']);
    assert.deepEqual(await sources({ sourceIds: long(app.id) }), ['app']);
    assert.deepEqual(await sources({ productIds: long(product.id) }), []);
    assert.deepEqual(await sources({ sourceTypes: ['scrape'] }), ['app']);
    assert.deepEqual(await sources({ excludedSourceTypes: ['scrape'] }), ['sdk']);
    assert.deepEqual(await sources({ categories: ['ai'] }), ['sdk']);
    assert.deepEqual(await orgSlugs(ctx, 'same', { filter: { categories: ['ai'] } }), ['one 1']);
  });

  it('at most ten in each section', async () => {
    const ctx = await open();
    const { org } = await orgWith(ctx, 1, { slug: 'many', name: 'Many' });
    for (let index = 0; index < 12; index += 1) {
      await makeSource(ctx, { slug: `same-${index}`, name: `Same ${index}`, orgId: org.id });
    }
    const { catalog, sources } = await find(ctx, 'same');
    assert.deepEqual([catalog.length, sources.length], [10, 10]);
  });

  it('texts that name nothing, and hostile ones', async () => {
    const ctx = await open();
    await orgWith(ctx, 1, { slug: 'acme', name: 'Acme' });
    for (const text of ['', '   ', '!!!', '%', '_', "' OR 1=1 --", '\u0000', '🚀', '\ud800', 'x'.repeat(500)]) {
      const found = await find(ctx, text);
      assert.deepEqual(Object.values(found).flat(), [], text);
    }
  });

  it('a name is found as soon as it is written, and only as it is now', async () => {
    const ctx = await open();
    const { org, source } = await orgWith(ctx, 1, { slug: 'x', name: 'First' });
    const product = await makeProduct(ctx, { slug: 'prod', name: 'Prod', orgId: org.id });
    const named = async (text: string) => {
      const { orgs, catalog, collections } = await find(ctx, text);
      return [...orgs, ...catalog, ...collections].length;
    };
    const change = (path: object) => updateOrg(ctx, { org: org.id, change: path });
    const steps: [string, string, () => Promise<unknown>][] = [
      ['first', 'second', () => change({ name: 'Second', slug: 'y' })],
      ['nowhere.example', 'domain.example', () => change({ domain: 'domain.example' })],
      ['domain.example', 'alias.example', () => change({ domain: null, aliases: ['alias.example'] })],
      [
        'prod',
        'renamed',
        () => updateProduct(ctx, { path: { prod: product.id }, change: { name: 'Renamed', slug: 'r' } }),
      ],
      ['news', 'olds', () => updateSource(ctx, { src: source.id }, { name: 'Olds' })],
      [
        'bundle',
        'bunch',
        async () => {
          const { slug } = await createCollection(ctx, { name: 'Bundle', slug: 'bundle' });
          assert.equal(await named('bundle'), 1);
          await changeCollection(ctx, { collection: slug, change: { name: 'Bunch', slug: 'bunch' } });
        },
      ],
      [
        'bunch',
        'stubby',
        async () => {
          await deleteCollection(ctx, { collection: 'bunch' });
          const stub = await createStub(ctx, {
            name: 'Elsewhere',
            products: [{ name: 'Stubby', releases: [] }],
            releases: [{ feed: 'https://elsewhere.example/feed' }],
          });
          assert.equal(stub.productCount, 1);
        },
      ],
      [
        'second',
        'olds',
        async () => {
          await deleteOrg(ctx, { org: org.id, hard: true });
          await makeSource(ctx, { slug: 'olds', name: 'Olds' });
        },
      ],
    ];
    for (const [before, after, step] of steps) {
      await step();
      assert.equal(await named(before), 0, before);
      assert.ok((await named(after)) > 0, after);
    }
    assert.equal(await checkNames(ctx), 3, 'only what an erased org leaves behind');
    assert.equal(await checkNames(ctx), 0);
  });

  it('a registry that is older than the table is filled', async () => {
    const ctx = await open();
    const { org } = await orgWith(ctx, 1, {
      slug: 'acme',
      name: 'Acme',
      domain: 'acme.example',
      aliases: ['a.example'],
    });
    await makeProduct(ctx, { slug: 'disk', name: 'Acme Disk', orgId: org.id, aliases: ['disk.example'] });
    await createCollection(ctx, { name: 'Storage', description: 'Disks and tapes' });
    assert.equal(await checkNames(ctx), 0);

    await transact(ctx, ({ tx }) => tx.deleteFrom('entity_names').execute());
    assert.equal(await checkNames(ctx), 4);
    assert.equal(await checkNames(ctx), 0);
    assert.deepEqual(await orgSlugs(ctx, 'a.example'), ['acme 0']);
  });
});
